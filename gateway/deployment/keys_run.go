package deployment

func limitKeys() key {
	return key{
		name: "limits", kind: mapping,
		doc: "What a conformance run may do to the deployment.",
		keys: []key{
			{
				name: "requests_per_second", kind: number, preset: "20",
				into: func(t *target) any { return &t.file.Limits.RequestsPerSecond },
				doc:  "The rate of requests, over all operations. 0 lifts the bound.",
			},
			{
				name: "in_flight", kind: whole, least: 1, preset: "16",
				into: func(t *target) any { return &t.file.Limits.InFlight },
				doc:  "How many requests may wait for their answers at once.",
			},
			{
				name: "timeout", kind: duration, above: true, preset: "15s",
				into: func(t *target) any { return &t.file.Limits.Timeout },
				doc:  "How long one request may take.",
			},
			{
				name: "max_creates", kind: whole, preset: "80",
				into: func(t *target) any { return &t.file.Limits.MaxCreates },
				doc:  "How many legal representatives a run may leave on the deployment. 0 allows none.",
			},
		},
	}
}

func loadKeys() key {
	return key{
		name: "load", kind: mapping,
		doc: "Whether load may be driven on this deployment.",
		keys: []key{
			{
				name: "allow", kind: boolean, preset: "false",
				into:    func(t *target) any { return &t.file.Load.Allow },
				doc:     "Load runs are refused unless this is true.",
				unlocks: "gateassay load",
			},
			{
				name: "max_rate", kind: number, above: true, sample: "500",
				into: func(t *target) any { return &t.file.Load.MaxRate },
				doc:  "The highest rate, in requests per second, that a plan may ask for.",
			},
			{
				name: "credentials", kind: credentials, secret: true, sample: "[\"${GATEWAY_TOKEN}\", {bearer: \"${GATEWAY_OTHER_TOKEN}\"}]",
				into: func(t *target) any { return &t.file.Load.Credentials },
				doc:  "The identities that load is sent as, in turn; without them it is the one of ordinary requests. Each may export.",
			},
		},
	}
}

func tlsKeys() key {
	return key{
		name: "tls", kind: mapping,
		doc: "How the deployment's certificate is verified.",
		keys: []key{
			{
				name: "ca_file", kind: text, check: isLine, sample: "ca.pem",
				into: func(t *target) any { return &t.file.TLS.CAFile },
				doc:  "A PEM file of certificates to trust beside the system's, looked up from the folder of this file.",
			},
			{
				name: "insecure_skip_verify", kind: boolean, preset: "false",
				into: func(t *target) any { return &t.file.TLS.InsecureSkipVerify },
				doc:  "Whether any certificate is accepted. It lets anyone on the way read the credentials.",
			},
		},
	}
}

func waiverKeys() key {
	return key{
		name: "waivers", kind: mappings,
		doc:    "Violations that are accepted for a while: the verdict of their rules is waived instead of fail.",
		sample: "- {rule: export.response.file_state, reason: \"GW-123, text until 2.4\", until: 2026-12-31}",
		keys: []key{
			{
				name: "rule", kind: text, required: true, check: isRulePattern, sample: "create.required.*",
				into: func(t *target) any { return &t.waiver.Rule },
				doc:  "The rule's ID, or several by a last part of *: create.required.*",
			},
			{
				name: "reason", kind: text, required: true, sample: "why it is accepted",
				into: func(t *target) any { return &t.waiver.Reason },
				doc:  "Why the violation is accepted, and the ticket that ends it.",
			},
			{
				name: "until", kind: date, required: true, sample: "2026-12-31", pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`,
				into: func(t *target) any { return &t.waiver.Until },
				doc:  "The last day on which the waiver holds, in UTC: YYYY-MM-DD.",
			},
		},
	}
}
