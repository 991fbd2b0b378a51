package reference

import "slices"

// createRejections and exportRejections are the rules about what each operation rejects.
func createRejections() []string {
	return []string{
		"create.required.*", "create.type.*", "create.shareholder.*", "create.participation.below_zero", "create.participation.above_hundred",
		"create.participation.type", "create.participation.null", "create.money.*.fraction", "create.money.*.string", "create.cpf.formatted",
		"create.cpf.letters", "create.cpf.spaces", "create.cpf.length", "create.cpf.type", "create.dates.birth_date",
		"create.dates.relationship_start_date", "create.dates.relationship_end_date", "create.dates.registration_update_date", "create.flags.*",
		"create.qualification.unknown", "create.qualification.lower_case", "create.email.*", "create.header.*.absent",
		"create.header.*.malformed", "create.header.*.version", "create.header.*.without_product", "create.body.*",
	}
}

func exportRejections() []string {
	return []string{
		"export.body.*", "export.header.nonce.absent", "export.header.nonce.malformed", "export.header.nonce.version",
		"export.header.product.malformed", "export.header.target_user.malformed", "export.header.target_user.without_product",
		"export.header.wallet.malformed",
	}
}

// sweepingFaults break every rule of a kind at once, as a gateway without a handler for its own errors does.
func sweepingFaults() []definition {
	all := func(operation, rule string, sweeps []string) []definition {
		keys := []string{operation + ":*"}
		return []definition{
			{crashes: keys, Fault: Fault{
				Name: operation + ".rejections_500", Rule: rule, Sweeps: sweeps,
				Statement: "answers everything that it should reject with a server error",
			}},
			{hides: keys, Fault: Fault{
				Name: operation + ".rejections_200", Rule: rule, Sweeps: sweeps,
				Statement: "answers everything that it should reject with 200 and an error inside",
			}},
		}
	}
	ignored := definition{Fault: Fault{
		Name: "replay.schema_ignored", Rule: "replay.nonce.other_nonce", Statement: "ignores the replay protection header and compares no identifier",
		Sweeps: []string{
			"replay.nonce.other_nonce", "replay.nonce.other_both", "replay.transaction.other_transaction", "replay.transaction.other_both",
			"replay.*_*.other_nonce", "replay.*_*.other_transaction", "replay.*_*.other_both",
		},
	}}
	return slices.Concat([]definition{ignored}, all("create", "create.required.mother_name", createRejections()),
		all("export", "export.body.not_json", exportRejections()))
}
