package reference

import "slices"

func exportRequestFaults() []definition {
	return slices.Concat(exportHeaderFaults(), exportBodyFaults(), exportSuccessFaults())
}

func exportSuccessFaults() []definition {
	all := []definition{
		switched("export.success.answered_302", "export.success", "answers an accepted export with a redirect"),
	}
	for _, field := range []string{"sort", "order", "filter_type", "filter_text", "date_start", "date_end", "type_extension"} {
		all = append(all, refuses("export.success."+field+"_rejected", "export.success", "refuses every export that gives "+field, "export:"+field))
	}
	return append(all,
		refuses("export.success.settled_rejected", "export.success", "refuses to sort by settled_date", "export:sort=settled_date"),
		refuses("export.success.asc_rejected", "export.success", "refuses ascending order", "export:order=asc"),
		switched("export.success.empty_object_rejected", "export.success", "refuses an empty object"),
		switched("export.success.apostrophe_500", "export.success", "answers a filter text with an apostrophe with a server error"),
		switched("export.success.beyond_ascii_500", "export.success", "answers a filter text with letters beyond ASCII with a server error"),
	)
}

func exportHeaderFaults() []definition {
	return []definition{
		overlooks("export.header.nonce_missing_accepted", "export.header.nonce.absent", "accepts an export without nonce", "export:header.nonce.absent"),
		overlooks("export.header.nonce_garbage_accepted", "export.header.nonce.malformed", "accepts a nonce that is no UUID", "export:header.nonce.format"),
		overlooks("export.header.nonce_length_accepted", "export.header.nonce.malformed", "accepts any 36 characters as nonce", "export:header.nonce.length"),
		overlooks("export.header.nonce_inside_accepted", "export.header.nonce.malformed", "looks for a UUID inside of the nonce", "export:header.nonce.inside"),
		overlooks("export.header.nonce_version_accepted", "export.header.nonce.version", "accepts a nonce of any UUID version", "export:header.nonce.version"),
		overlooks("export.header.nonce_nil_accepted", "export.header.nonce.version", "accepts the nil UUID as nonce", "export:header.nonce.nil"),
		hides("export.header.nonce_missing_200", "export.header.nonce.absent", "answers a missing nonce with 200 and an error inside", "export:header.nonce.absent"),
		hides("export.header.nonce_version_200", "export.header.nonce.version", "answers a nonce of another UUID version with 200 and an error inside", "export:header.nonce.version"),
		crashes("export.header.target_alone_500", "export.header.target_user.without_product", "answers a target user without a product with a server error", "export:header.on_behalf_of.product"),
		crashes("export.header.nonce_missing_500", "export.header.nonce.absent", "answers a missing nonce with a server error", "export:header.nonce.absent"),
		crashes("export.header.nonce_garbage_500", "export.header.nonce.malformed", "answers a malformed nonce with a server error", "export:header.nonce.format"),
		refuses("export.header.language_pt_rejected", "export.header.language", "refuses pt-BR", "export:header.language=pt-BR"),
		refuses("export.header.language_en_rejected", "export.header.language", "refuses en-US", "export:header.language=en-US"),
		refuses("export.header.language_required", "export.header.language", "requires a language", "export:header.language="),
		refuses("export.header.product_rejected", "export.header.product.accepted", "refuses a product of the user", "export:header.product"),
		overlooks("export.header.product_garbage_accepted", "export.header.product.malformed", "accepts a product ID that is no UUID", "export:header.product.format"),
		refuses("export.header.target_rejected", "export.header.target_user.accepted", "refuses a target user", "export:header.on_behalf_of"),
		overlooks("export.header.target_alone_accepted", "export.header.target_user.without_product", "accepts a target user without a product", "export:header.on_behalf_of.product"),
		overlooks("export.header.target_garbage_accepted", "export.header.target_user.malformed", "accepts a target user that is no UUID", "export:header.on_behalf_of.format"),
		refuses("export.header.wallet_rejected", "export.header.wallet.accepted", "refuses a wallet of the user", "export:header.wallet"),
		switched("export.header.wallet_empty_rejected", "export.header.wallet.empty", "refuses an empty wallet header"),
		overlooks("export.header.wallet_garbage_accepted", "export.header.wallet.malformed", "takes a malformed wallet for the default one", "export:header.wallet.format"),
		crashes("export.header.wallet_garbage_500", "export.header.wallet.malformed", "answers a malformed wallet with a server error", "export:header.wallet.format"),
	}
}

func exportBodyFaults() []definition {
	all := []definition{
		overlooks("export.body.none_accepted", "export.body.none", "accepts an export without a body", "export:body.absent"),
		crashes("export.body.none_500", "export.body.none", "answers a missing body with a server error", "export:body.absent"),
		overlooks("export.body.not_json_accepted", "export.body.not_json", "accepts a body that is not JSON", "export:body.syntax", "export:body.truncated"),
		crashes("export.body.not_json_500", "export.body.not_json", "answers a body that is not JSON with a server error", "export:body.syntax", "export:body.truncated"),
		overlooks("export.body.array_accepted", "export.body.array", "accepts an array", "export:body.shape"),
		crashes("export.body.array_500", "export.body.array", "answers an array with a server error", "export:body.shape"),
	}
	for _, field := range []string{"sort", "order", "filter_type", "type_extension"} {
		rule := "export.body." + field
		all = append(all,
			overlooks(rule+"_unknown_accepted", rule, "takes an unknown "+field+" for none", "export:"+field+".set"),
			hides(rule+"_unknown_200", rule, "answers an unknown "+field+" with 200 and an error inside", "export:"+field+".set"),
			crashes(rule+"_unknown_500", rule, "answers an unknown "+field+" with a server error", "export:"+field+".set"),
		)
	}
	for _, field := range []string{"date_start", "date_end"} {
		rule := "export.body." + field
		all = append(all,
			overlooks(rule+"_garbage_accepted", rule, "takes a bad "+field+" for none", "export:"+field+".format", "export:"+field+".type"),
			hides(rule+"_garbage_200", rule, "answers a bad "+field+" with 200 and an error inside", "export:"+field+".format", "export:"+field+".type"),
			crashes(rule+"_garbage_500", rule, "answers a bad "+field+" with a server error", "export:"+field+".format"),
		)
	}
	return all
}

// answered declares a fault that changes the answer of an accepted export.
func answered(name, rule, statement string, change func(ans object)) definition {
	return definition{Fault: Fault{Name: name, Rule: rule, Statement: statement}, file: change}
}

func exportAnswerFaults() []definition {
	set := func(key string, value any) func(object) { return func(ans object) { ans[key] = value } }
	without := func(key string) func(object) { return func(ans object) { delete(ans, key) } }
	return []definition{
		answered("export.response.file_id_missing", "export.response.file_id", "answers without a file ID", without("file_id")),
		answered("export.response.file_id_empty", "export.response.file_id", "answers with an empty file ID", set("file_id", "")),
		answered("export.response.file_id_number", "export.response.file_id", "answers with a number as file ID", set("file_id", 42)),
		answered("export.response.file_id_null", "export.response.file_id", "answers with null as file ID", set("file_id", nil)),
		switched("export.response.file_id_repeated", "export.response.distinct_ids", "gives every export the same file ID"),
		answered("export.response.state_missing", "export.response.file_state", "answers without a file state", without("file_state")),
		answered("export.response.state_text", "export.response.file_state", "answers with text as file state", set("file_state", "PROCESSING")),
		answered("export.response.state_null", "export.response.file_state", "answers with null as file state", set("file_state", nil)),
		answered("export.response.state_list", "export.response.file_state", "answers with a list as file state", set("file_state", []string{"PROCESSING"})),
		answered("export.response.created_at_missing", "export.response.created_at", "answers without a creation date", without("created_at")),
		answered("export.response.created_at_date", "export.response.created_at", "answers with a date without time", set("created_at", "2025-06-01")),
		answered("export.response.created_at_zoneless", "export.response.created_at", "answers with a creation date without zone", set("created_at", "2025-06-01T10:00:00")),
		answered("export.response.created_at_epoch", "export.response.created_at", "answers with seconds as creation date", set("created_at", 1748772000)),
		answered("export.response.created_at_long_ago", "export.response.created_at.now", "dates every export to 2001", set("created_at", "2001-01-01T00:00:00Z")),
		switched("export.response.not_json", "export.response.json", "answers an accepted export with plain text"),
		switched("export.response.list", "export.response.json", "answers an accepted export with a list"),
	}
}

func exportRangeFaults() []definition {
	const start, end = "export.range.start_inclusive", "export.range.end_exclusive"
	return []definition{
		switched("export.range.start_exclusive", start, "drops quotes exactly on the start"),
		switched("export.range.start_ignored", start, "ignores the start"),
		switched("export.range.start_a_millisecond_late", start, "starts one millisecond late"),
		switched("export.range.end_inclusive", end, "keeps quotes exactly on the end"),
		switched("export.range.end_ignored", end, "ignores the end"),
		switched("export.range.end_a_millisecond_late", end, "ends one millisecond late"),
		switched("export.range.three_hours_off", start, "reads every bound as if it were local time"),
		switched("export.range.bounds_ignored", end, "ignores both bounds"),
		switched("export.range.whole_seconds", "export.range.precision", "cuts bounds to whole seconds"),
		switched("export.range.dates_in_seconds", "export.range.precision", "compares dates and bounds in whole seconds"),
		switched("export.range.whole_days", "export.range.precision", "cuts bounds to whole days"),
		switched("export.range.offset_ignored", "export.range.offset", "reads every bound as UTC"),
		switched("export.range.offset_inverted", "export.range.offset", "adds offsets where they are to be subtracted"),
		switched("export.range.half_hours_ignored", "export.range.offset", "ignores the minutes of offsets"),
		switched("export.range.always_created", "export.range.follows_sort", "applies bounds to quote_created_at whatever the sort"),
		switched("export.range.always_settled", "export.range.follows_sort", "applies bounds to settled_date whatever the sort"),
		switched("export.range.start_alone_ignored", "export.range.open", "ignores a start without an end"),
		switched("export.range.end_alone_ignored", "export.range.open", "ignores an end without a start"),
		switched("export.range.end_alone_empty", "export.range.open", "gives no row when only an end is given"),
		switched("export.range.equal_bounds_open", "export.range.empty", "ignores bounds that are equal"),
		switched("export.range.equal_bounds_inclusive", "export.range.empty", "keeps quotes on two equal bounds"),
		switched("export.range.last_row_lost", "export.range.partition", "loses the last row of every file"),
		switched("export.range.first_row_lost", "export.range.partition", "loses the first row of every file"),
		switched("export.range.fifty_rows", "export.range.partition", "cuts files to fifty rows"),
		switched("export.range.ties_lost", "export.range.partition", "keeps one row of those that share a date"),
	}
}

func exportRowFaults() []definition {
	return []definition{
		switched("export.default.sort_settled", "export.default.sort", "sorts by settled_date when nothing is given"),
		switched("export.default.order_asc", "export.default.order", "orders ascending when nothing is given"),
		switched("export.default.sort_settled_filtered", "export.default.sort", "sorts by settled_date when a client filter is given and no sort"),
		switched("export.default.sort_settled_bare", "export.default.sort", "sorts by settled_date for an empty object"),
		switched("export.default.order_asc_filtered", "export.default.order", "orders ascending when a client filter is given and no order"),
		switched("export.default.order_asc_bare", "export.default.order", "orders ascending for an empty object"),
		switched("export.wallet.default_is_the_other", "export.default.wallet", "takes another wallet when none is given"),
		switched("export.wallet.default_is_all", "export.default.wallet", "gives the quotes of all wallets when none is given"),
		switched("export.wallet.default_is_none", "export.default.wallet", "gives no quote when no wallet is given"),
		switched("export.wallet.ignored", "export.wallet.selects", "ignores the wallet"),
		switched("export.order.ignored", "export.order.asc", "orders descending whatever was asked"),
		switched("export.order.always_asc", "export.order.desc", "orders ascending whatever was asked"),
		switched("export.order.ignored_filtered", "export.order.asc", "orders descending whatever was asked when a client filter is given"),
		switched("export.order.asc_filtered", "export.order.desc", "orders ascending whatever was asked when a client filter is given"),
		switched("export.order.swapped", "export.order.asc", "swaps ascending and descending"),
		switched("export.order.neighbours", "export.order.desc", "exchanges two rows of every file"),
		switched("export.order.none", "export.order.asc", "orders rows by ID"),
		switched("export.order.settled_by_created", "export.order.asc", "orders by quote_created_at when settled_date was asked"),
		switched("export.filter.ignored", "export.filter.client_id", "ignores the filter"),
		switched("export.filter.contains", "export.filter.prefix", "keeps clients whose ID contains the text"),
		switched("export.filter.starts_with", "export.filter.prefix", "keeps clients whose ID starts with the text"),
		switched("export.filter.ends_with", "export.filter.prefix", "keeps clients whose ID ends with the text"),
		switched("export.filter.folds_case", "export.filter.client_id", "compares client IDs without case"),
		switched("export.filter.one_lost", "export.filter.client_id", "loses one row of a filtered file"),
		switched("export.filter.nothing", "export.filter.client_id", "gives no row when a filter is given"),
		switched("export.isolation.broken", "export.isolation", "gives the quotes of every legal person"),
		switched("export.isolation.broken_open", "export.isolation", "gives the quotes of every legal person where a bound is missing"),
		switched("export.isolation.main_only", "export.isolation", "gives everybody the quotes of the main user"),
		switched("export.file.row_twice", "export.file.no_duplicates", "repeats the first row of every file"),
		switched("export.file.first_id_blank", "export.range.partition", "leaves the ID of the first row of every file blank"),
		switched("export.file.unbalanced_quote", "export.file.csv", "leaves a quote open"),
		switched("export.file.short_row", "export.file.csv", "ends files with a row of two fields"),
		switched("export.file.cut", "export.file.csv", "cuts files in the middle"),
		switched("export.file.json", "export.file.csv", "writes JSON instead of CSV"),
		switched("export.file.html", "export.file.csv", "answers a page instead of the file"),
		switched("export.file.notes_unquoted", "export.file.csv", "writes text with separators and line ends without quotes"),
		switched("export.file.empty", "export.file.columns", "writes files without a single byte"),
		switched("export.file.no_titles", "export.file.columns", "writes files without titles"),
		switched("export.file.date_column_missing", "export.file.columns", "leaves quote_created_at out of the file"),
		switched("export.file.never_ready", "export.file.retrievable", "never finishes a file"),
		switched("export.file.always_failed", "export.file.retrievable", "fails to make every file"),
		switched("export.file.fetch_500", "export.file.retrievable", "answers every retrieval with a server error"),
		switched("export.file.lost", "export.file.retrievable", "forgets every file at once"),
		switched("export.file.readable_by_others", "export.file.private", "lets other users fetch a file"),
		switched("export.file.redirects_others", "export.file.private", "redirects other users to the address of a file"),
		switched("export.file.readable_by_anyone", "export.file.authenticated", "lets anybody fetch a file without a credential"),
	}
}
