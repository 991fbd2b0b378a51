package reference

import "slices"

// sweeping declares faults that break many rules at once.
func sweeping(sweeps []string, list faults) faults {
	for i := range list {
		list[i].Sweeps = sweeps
	}
	return list
}

// sweepingFaults break every rule of a kind at once, as a gateway without a handler for its own errors does.
func sweepingFaults() faults {
	creations := []string{
		"create.required.shareholder_id*", "create.required.mother_name*", "create.required.phone_number*",
		"create.required.email*", "create.required.address*", "create.type.*", "create.shareholder.unknown",
		"create.shareholder.malformed", "create.shareholder.foreign", "create.participation.below_zero",
		"create.participation.above_hundred", "create.participation.type", "create.money.*.fraction",
		"create.money.*.string", "create.cpf.formatted", "create.cpf.letters", "create.cpf.spaces", "create.cpf.length",
		"create.cpf.type", "create.dates.birth_date", "create.dates.relationship_start_date",
		"create.dates.relationship_end_date", "create.dates.registration_update_date", "create.flags.*",
		"create.qualification.unknown", "create.qualification.lower_case", "create.email.*", "create.header.*.absent",
		"create.header.*.malformed", "create.header.*.version", "create.header.*.without_product", "create.body.*",
	}
	exports := []string{
		"export.body.*", "export.header.nonce.absent", "export.header.nonce.malformed", "export.header.nonce.version",
		"export.header.product.malformed", "export.header.target_user.malformed",
		"export.header.target_user.without_product", "export.header.wallet.malformed",
	}
	replays := []string{
		"replay.nonce.other_nonce", "replay.nonce.other_both", "replay.transaction.other_transaction",
		"replay.transaction.other_both", "replay.*_*.other_nonce", "replay.*_*.other_transaction",
		"replay.*_*.other_both",
	}
	return slices.Concat(
		sweeping(replays, fault("replay.schema_ignored", "nonce.other_nonce",
			"ignores the replay protection header and compares no identifier",
			on(func(_ *call, c *comparison) { c.parts &^= identifiers }))),
		sweeping(creations, mishandled(creating, kind("create.rejections_200 _500", "required.mother_name",
			"everything that it should reject", "*"))),
		sweeping(exports, mishandled(exporting, kind("export.rejections_200 _500", "body.not_json",
			"everything that it should reject", "*"))),
	)
}
