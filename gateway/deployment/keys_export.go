package deployment

func exportKeys() key {
	column := func(name string, into func(*target) any, doc string) key {
		return key{name: name, kind: text, check: isLine, into: into, sample: name, doc: doc}
	}
	return key{
		name: "export", kind: mapping,
		doc: "How the deployment spells the quote statement export and how its file is fetched.",
		keys: []key{
			{
				name: "path", kind: text, check: isPath, preset: "/v1/reports/quote-statement/exports",
				into: func(t *target) any { return &t.file.Export.Path },
				doc:  "The path of the export, after base_url.",
			},
			{
				name: "file", kind: mapping, optional: true,
				doc:     "How a finished file is fetched; the API document does not show it.",
				unlocks: "export.file.*, and with fixtures.window every rule that compares rows",
				keys: []key{
					{
						name: "request", kind: text, required: true, check: isRetrieval, sample: "GET /v1/files/{file_id}",
						into: func(t *target) any { return &t.file.retrieval().Request },
						doc:  "METHOD and path, after base_url. {file_id} stands for the ID that the export gave.",
					},
					{
						name: "headers", kind: textMap, check: isHeaderValue, checkKey: isHeader,
						into:   func(t *target) any { return &t.file.retrieval().Headers },
						doc:    "Headers of that request, beside the credential. {uuid} is a fresh UUID v4 for each request.",
						sample: "{nonce: \"{uuid}\"}",
					},
					{
						name: "state", kind: mapping, optional: true,
						doc: "How an answer in JSON tells that the file is not ready yet. Without it, the first success is the file.",
						keys: []key{
							{
								name: "pointer", kind: text, required: true, check: isPointer, sample: "/state",
								into: func(t *target) any { return &t.file.state().Pointer },
								doc:  "The JSON pointer of the state.",
							},
							{
								name: "ready", kind: texts, required: true, check: isLine, sample: "[READY]",
								into: func(t *target) any { return &t.file.state().Ready },
								doc:  "The states in which the file can be fetched.",
							},
							{
								name: "failed", kind: texts, check: isLine, sample: "[ERROR, ABORTED]",
								into: func(t *target) any { return &t.file.state().Failed },
								doc:  "The states that end the wait without a file.",
							},
						},
					},
					{
						name: "url", kind: text, check: isPointer, sample: "/url",
						into: func(t *target) any { return &t.file.retrieval().URL },
						doc:  "The JSON pointer of a download address in the answer. Without it, the answer itself is the file.",
					},
					{
						name: "timeout", kind: duration, above: true, preset: "60s",
						into: func(t *target) any { return &t.file.retrieval().Timeout },
						doc:  "How long a file may take to become ready.",
					},
				},
			},
			{
				name: "csv", kind: mapping,
				doc: "How the file's columns are read.",
				keys: []key{
					{
						name: "columns", kind: mapping,
						doc: "The titles of the columns. A column that is not given here is found by its documented name.",
						keys: []key{
							column("id", func(t *target) any { return &t.file.Export.CSV.Columns.ID }, "The quote's ID."),
							column("client_id", func(t *target) any { return &t.file.Export.CSV.Columns.ClientID }, "The client's ID."),
							column("wallet_id", func(t *target) any { return &t.file.Export.CSV.Columns.WalletID }, "The wallet's ID."),
							column("quote_created_at", func(t *target) any { return &t.file.Export.CSV.Columns.QuoteCreatedAt }, "When the quote was created."),
							column("settled_date", func(t *target) any { return &t.file.Export.CSV.Columns.SettledDate }, "When the quote was settled."),
						},
					},
					{
						name: "time_zone", kind: text, check: isTimeZone, sample: "UTC",
						into:    func(t *target) any { return &t.file.Export.CSV.TimeZone },
						doc:     "The IANA zone of date columns that carry no offset.",
						unlocks: "export.range.* on a deployment whose dates carry no offset",
					},
				},
			},
		},
	}
}

func (f *File) retrieval() *Retrieval {
	if f.Export.File == nil {
		f.Export.File = &Retrieval{}
	}
	return f.Export.File
}

func (f *File) state() *State {
	retrieval := f.retrieval()
	if retrieval.State == nil {
		retrieval.State = &State{}
	}
	return retrieval.State
}
