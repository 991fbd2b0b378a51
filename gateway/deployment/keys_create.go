package deployment

func legalRepresentativeKeys() key {
	header := func(name, preset string, into func(*target) any, doc string) key {
		return key{name: name, kind: text, check: isCreateHeader, preset: preset, into: into, doc: doc}
	}
	part := func(name, doc string) key {
		return key{name: name, kind: text, preset: name, check: isPart, doc: doc}
	}
	return key{
		name: "legal_representative", kind: mapping,
		doc: "How the deployment spells the creation of a legal representative.",
		keys: []key{
			{
				name: "path", kind: text, check: isPath, preset: "/v3/users/legal-representatives",
				into: func(t *target) any { return &t.file.LegalRepresentative.Path },
				doc:  "The path of the creation, after base_url.",
			},
			{
				name: "headers", kind: mapping,
				doc: "The names of the headers that the API document describes by meaning only.",
				keys: []key{
					header("transaction_id", "x-transaction-uuid", func(t *target) any { return &t.file.LegalRepresentative.Headers.TransactionID },
						"Carries the transaction ID."),
					header("nonce", "nonce", func(t *target) any { return &t.file.LegalRepresentative.Headers.Nonce },
						"Carries the nonce."),
					header("language", "x-lang", func(t *target) any { return &t.file.LegalRepresentative.Headers.Language },
						"Carries the preferred language."),
					header("on_behalf_of", "x-product-target-user-uuid", func(t *target) any { return &t.file.LegalRepresentative.Headers.OnBehalfOf },
						"Carries the user for whom the request runs."),
				},
			},
			{
				name: "fields", kind: namedTexts, keys: fieldKeys(),
				into: func(t *target) any { return &t.file.LegalRepresentative.Fields },
				doc: "Where each piece of information goes in the request: a dotted path of JSON names. The response's names are the " +
					"defaults. When address moves, the parts that are not given here move with it.",
			},
			{
				name: "field_types", kind: namedTexts, keys: fieldTypeKeys(),
				into: func(t *target) any { return &t.file.LegalRepresentative.FieldTypes },
				doc: "The JSON type of a request field, number or string, for what the API document leaves open. A field that is " +
					"not named here has the type that the response shows.",
			},
			{
				name: "documents", kind: mapping, optional: true,
				doc:     "How documents are uploaded after the creation.",
				unlocks: "create.documents.*",
				keys: []key{
					{
						name: "path", kind: text, check: isDocumentsPath, preset: "/users/legal-representatives/{id}/documents",
						into: func(t *target) any { return &t.file.documents().Path },
						doc:  "The path of the upload, after base_url. {id} stands for the representative's ID.",
					},
					{
						name: "parts", kind: namedTexts,
						into: func(t *target) any { return &t.file.documents().Parts },
						doc:  "The name of the multipart part that each document is sent as.",
						keys: []key{
							part("selfie", "The representative's selfie."),
							part("identity_document", "The ID, CNH or passport."),
							part("qualification_declaration", "The declaration of powers."),
						},
					},
					{
						name: "one_request_per_document", kind: boolean, preset: "false",
						into: func(t *target) any { return &t.file.documents().OneRequestPerDocument },
						doc:  "Whether each document is uploaded by a request of its own.",
					},
					{
						name: "form", kind: textMap, check: isFormValue, checkKey: isPart,
						into:   func(t *target) any { return &t.file.documents().Form },
						doc:    "Further form fields of the upload.",
						sample: "{identity_document_type: cnh}",
					},
				},
			},
		},
	}
}

func (f *File) documents() *Documents {
	if f.LegalRepresentative.Documents == nil {
		f.LegalRepresentative.Documents = &Documents{}
	}
	return f.LegalRepresentative.Documents
}
