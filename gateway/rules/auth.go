package rules

// authMethods: the two methods, and everything that is neither. Each rule is judged on both operations where the
// deployment file allows creations: 401 on creation, a 4xx on the export.
func authMethods() []Rule {
	return []Rule{
		must("auth.bearer", sectionAuth, "The platform token alone, as a bearer token, is accepted.", needToken),
		must("auth.api_key", sectionAuth, "The API key alone, in x-api-key, is accepted.", needKey),
		must("auth.missing", sectionAuth, "Without a credential, creation answers 401 and the export a 4xx."),
		must("auth.bearer.empty", sectionAuth, "An empty bearer token is refused."),
		must("auth.bearer.garbage", sectionAuth, "A bearer token that nobody issued is refused."),
		must("auth.bearer.scheme", sectionAuth, "The token under another scheme than Bearer is refused.", needToken),
		must("auth.bearer.expired", sectionAuth, "An expired token is refused.", needExpired),
		must("auth.bearer.payload", sectionAuth, "A token whose payload was changed is refused.", needToken),
		must("auth.bearer.signature", sectionAuth, "A token whose signature was changed is refused.", needToken),
		must("auth.bearer.signature_cut", sectionAuth, "A token whose signature is cut off is refused.", needToken),
		must("auth.bearer.signature_removed", sectionAuth, "A token whose signature was removed is refused.", needToken),
		must("auth.bearer.alg_none", sectionAuth, "A token that claims to need no signature is refused.", needToken),
		must("auth.bearer.other_key", sectionAuth, "A token signed with another key is refused.", needToken),
		must("auth.api_key.unknown", sectionAuth, "An API key that nobody issued is refused."),
		must("auth.api_key.altered", sectionAuth, "An API key that is nearly the one that was issued is refused.", needKey),
		must("auth.api_key.empty", sectionAuth, "An empty API key is refused."),
		must("auth.api_key.in_query", sectionAuth, "The API key in the query instead of the header is refused.", needKey),
		should("auth.export_status", sectionAuth, "The export operation, too, answers 401 to a request without valid authentication."),
		should("auth.confidential", sectionAuth, "No answer repeats a credential."),
	}
}

// authObserved: what the document leaves open about authentication.
func authObserved() []Rule {
	return []Rule{
		observe("auth.observed.both_token_wrong", sectionAuth, "A valid API key together with an invalid token.", needKey),
		observe("auth.observed.both_key_wrong", sectionAuth, "A valid token together with an invalid API key.", needToken),
		observe("auth.observed.scheme_case", sectionAuth, "The scheme written in lower case.", needToken),
		observe("auth.observed.plain_http", sectionAuth, "Plain HTTP where the deployment is HTTPS."),
		observe("auth.observed.challenge", sectionErrors, "Challenge header and body of a 401."),
	}
}
