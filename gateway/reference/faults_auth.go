package reference

func authFaults() []definition {
	return []definition{
		switched("auth.bearer_refused", "auth.bearer", "refuses platform tokens on creation"),
		switched("auth.api_key_refused", "auth.api_key", "refuses API keys on the export"),
		switched("auth.create_missing_accepted", "auth.missing", "accepts a creation without a credential"),
		switched("auth.export_missing_accepted", "auth.missing", "accepts an export without a credential"),
		switched("auth.create_missing_403", "auth.missing", "answers a creation without a credential with 403"),
		switched("auth.create_missing_500", "auth.missing", "answers a creation without a credential with a server error"),
		switched("auth.export_missing_500", "auth.missing", "answers an export without a credential with a server error"),
		switched("auth.export_403", "auth.export_status", "answers an export without valid authentication with 403"),
		switched("auth.expired_403", "auth.bearer.expired", "answers a creation with an expired token with 403"),
		switched("auth.garbage_500", "auth.bearer.garbage", "answers a bearer token that is no JWT with a server error"),
		switched("auth.unknown_api_key_403", "auth.api_key.unknown", "answers a creation with an unknown API key with 403"),
		switched("auth.empty_bearer_accepted", "auth.bearer.empty", "accepts an empty bearer token"),
		switched("auth.garbage_accepted", "auth.bearer.garbage", "accepts any text as bearer token"),
		switched("auth.any_scheme_accepted", "auth.bearer.scheme", "accepts the token under any scheme"),
		switched("auth.expired_accepted", "auth.bearer.expired", "accepts expired tokens"),
		switched("auth.payload_changed_accepted", "auth.bearer.payload", "accepts a changed payload under a known signature"),
		switched("auth.signature_changed_accepted", "auth.bearer.signature", "accepts any signature"),
		switched("auth.signature_beginning_compared", "auth.bearer.signature", "compares only the first half of a signature"),
		switched("auth.cut_signature_accepted", "auth.bearer.signature_cut", "accepts the beginning of a signature"),
		switched("auth.signature_removed_accepted", "auth.bearer.signature_removed", "accepts tokens without signature"),
		switched("auth.alg_none_accepted", "auth.bearer.alg_none", "accepts tokens that claim to need no signature"),
		switched("auth.other_key_accepted", "auth.bearer.other_key", "accepts tokens that are signed with any key"),
		switched("auth.unknown_api_key_accepted", "auth.api_key.unknown", "accepts any API key"),
		switched("auth.api_key_beginning_accepted", "auth.api_key.altered", "compares API keys only as far as both are long"),
		switched("auth.empty_api_key_accepted", "auth.api_key.empty", "accepts an empty API key"),
		switched("auth.api_key_in_query", "auth.api_key.in_query", "accepts the API key in the query"),
		switched("auth.secret_in_header", "auth.confidential", "repeats the credential in a header of every answer"),
		switched("auth.secret_in_refusal", "auth.confidential", "repeats the credential in refusals"),
	}
}
