package deployment

func credentialKeys() key {
	one := func(name string, into func(*target) any, doc, unlocks, sample string) key {
		return key{name: name, kind: credential, secret: true, into: into, doc: doc, unlocks: unlocks, sample: sample}
	}
	return key{
		name: "credentials", kind: mapping, required: true, secret: true,
		doc: "The identities that a run may use. Each is {bearer: TOKEN} or {api_key: KEY}; plain text is a bearer token, " +
			"except under api_key. At least one of platform_token and api_key is needed. Keep the values out of this file: " +
			"${NAME} reads the environment, file:PATH a file.",
		keys: []key{
			one("platform_token", func(t *target) any { return &t.file.Credentials.PlatformToken },
				"The token of the recommended method. Ordinary requests use it.",
				"auth.bearer and auth.bearer.*", "${GATEWAY_TOKEN}"),
			one("api_key", func(t *target) any { return &t.file.Credentials.APIKey },
				"The key of the deprecated method. Ordinary requests use it when there is no platform token.",
				"auth.api_key and auth.api_key.*", "${GATEWAY_API_KEY}"),
			one("expired_token", func(t *target) any { return &t.file.Credentials.ExpiredToken },
				"A token that was valid and has expired.",
				"the rule of auth.bearer.* about an expired token", "${GATEWAY_EXPIRED_TOKEN}"),
			one("unprivileged", func(t *target) any { return &t.file.Credentials.Unprivileged },
				"A user who is authenticated, but may not create representatives.",
				"create.permission", "{bearer: \"${GATEWAY_UNPRIVILEGED_TOKEN}\"}"),
			one("other_user", func(t *target) any { return &t.file.Credentials.OtherUser },
				"A user who belongs to another legal person.",
				"export.isolation, the rules of export.file.* about another user's file, and the cells of replay.* that another user sends",
				"{bearer: \"${GATEWAY_OTHER_TOKEN}\"}"),
		},
	}
}

const uuidPattern = `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`

func fixtureKeys() key {
	id := func(name string, into func(*target) any, doc, unlocks, sample string) key {
		return key{name: name, kind: text, check: isUUID, pattern: uuidPattern, into: into, doc: doc, unlocks: unlocks, sample: sample}
	}
	return key{
		name: "fixtures", kind: mapping,
		doc: "Data that exist on the deployment and that rules refer to.",
		keys: []key{
			id("shareholder_id", func(t *target) any { return &t.file.Fixtures.ShareholderID },
				"A shareholder of the main credential's legal person; created representatives are linked to it.",
				"every rule of create.* that needs an accepted creation",
				"7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b01"),
			id("foreign_shareholder_id", func(t *target) any { return &t.file.Fixtures.ForeignShareholderID },
				"A shareholder of other_user's legal person.",
				"the rule of create.shareholder.* about another legal person",
				"7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b02"),
			id("product_id", func(t *target) any { return &t.file.Fixtures.ProductID },
				"A product of the main credential.",
				"the rules of create.header.* and export.header.* about x-product-uuid",
				"7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b03"),
			id("target_user_id", func(t *target) any { return &t.file.Fixtures.TargetUserID },
				"A user for whom the main credential may act within product_id, of the same legal person: shareholder_id has to be usable for this user, too.",
				"the rules of create.header.* and export.header.* about acting on behalf of a user",
				"7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b04"),
			id("default_wallet_id", func(t *target) any { return &t.file.Fixtures.DefaultWalletID },
				"The main credential's default wallet.",
				"the rule of export.default.* about the wallet",
				"7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b05"),
			id("other_wallet_id", func(t *target) any { return &t.file.Fixtures.OtherWalletID },
				"Another wallet of the main credential, with quotes of its own.",
				"what the rule of export.default.* needs to tell wallets apart",
				"7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b06"),
			{
				name: "client_id", kind: text, check: isLine, into: func(t *target) any { return &t.file.Fixtures.ClientID },
				doc: "The ID of a client with quotes in the window.", unlocks: "export.filter.*", sample: "\"client-42\"",
			},
			{
				name: "window", kind: mapping, optional: true,
				doc:     "The range of dates [start, end) that holds at least 20 quotes.",
				unlocks: "export.range.*, export.order.*, export.default.*, export.filter.* and export.isolation",
				keys: []key{
					{
						name: "start", kind: instant, required: true, sample: "2025-01-01T00:00:00Z",
						into: func(t *target) any { return &t.file.window().Start },
						doc:  "The first instant of the range, with its offset.",
					},
					{
						name: "end", kind: instant, required: true, sample: "2025-02-01T00:00:00Z",
						into: func(t *target) any { return &t.file.window().End },
						doc:  "The instant after the range, with its offset.",
					},
				},
			},
		},
	}
}

func (f *File) window() *Window {
	if f.Fixtures.Window == nil {
		f.Fixtures.Window = &Window{}
	}
	return f.Fixtures.Window
}
