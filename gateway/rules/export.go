package rules

// exportAnswer: what a started export answers.
func exportAnswer() []Rule {
	return []Rule{
		must("export.success", sectionExport, "An export is accepted with an empty object, with each optional field alone, and with all of them; no filter text breaks it."),
		must("export.response.json", sectionExport, "The answer of an accepted export is one JSON object."),
		must("export.response.file_id", sectionFile, "file_id is present, a string, and not empty."),
		must("export.response.file_state", sectionFile, "file_state is present and an object."),
		must("export.response.created_at", sectionFile, "created_at is present and a date-time with its zone."),
		should("export.response.created_at.now", sectionFile, "created_at is the moment of the export, within half an hour of the deployment's clock."),
		should("export.response.distinct_ids", sectionFile, "Two exports have two file IDs."),
	}
}

// exportHeaders: the headers of an export.
func exportHeaders() []Rule {
	return []Rule{
		must("export.header.nonce.absent", sectionExport, "An export without a nonce is rejected."),
		should("export.header.nonce.malformed", sectionExport, "A nonce that is no UUID is rejected."),
		should("export.header.nonce.version", sectionExport, "A nonce that is a UUID of another version than 4 is rejected."),
		must("export.header.language", sectionExport, "x-lang of pt-BR, of en-US, and none at all are accepted."),
		must("export.header.product.accepted", sectionExport, "A product of the user is accepted.", needProduct),
		should("export.header.product.malformed", sectionExport, "A product ID that is no UUID is rejected.", needProduct),
		must("export.header.target_user.accepted", sectionExport, "A target user is accepted together with a product.", needProduct, needTarget),
		must("export.header.target_user.without_product", sectionExport, "A target user is rejected without a product.", needProduct, needTarget),
		should("export.header.target_user.malformed", sectionExport, "A target user that is no UUID is rejected.", needProduct, needTarget),
		must("export.header.wallet.accepted", sectionExport, "A wallet of the user is accepted.", needWallet),
		must("export.header.wallet.empty", sectionExport, "An empty wallet header is accepted and stands for the default wallet."),
		should("export.header.wallet.malformed", sectionExport, "A wallet ID that is no UUID is rejected.", needWallet),
	}
}

// exportBodies: bodies of an export.
func exportBodies() []Rule {
	return []Rule{
		must("export.body.none", sectionExport, "An export without a body is rejected."),
		should("export.body.not_json", sectionExport, "A body that is not JSON is rejected."),
		should("export.body.array", sectionExport, "A JSON array in place of the object is rejected."),
		should("export.body.sort", sectionExport, "A sort outside its two values is rejected."),
		should("export.body.order", sectionExport, "An order other than asc and desc is rejected."),
		should("export.body.filter_type", sectionExport, "A filter type other than client_id is rejected."),
		should("export.body.type_extension", sectionExport, "A file extension other than CSV is rejected."),
		should("export.body.date_start", sectionExport, "A lower bound that is no date-time is rejected."),
		should("export.body.date_end", sectionExport, "An upper bound that is no date-time is rejected."),
	}
}

// exportFiles: the file that an export makes.
func exportFiles() []Rule {
	return needing([]Rule{
		must("export.file.retrievable", sectionExport, "The file can be fetched by its ID within the time that the deployment states."),
		must("export.file.csv", sectionExport, "The file is CSV that a strict reader accepts."),
		must("export.file.columns", sectionExport, "The file shows the dates that bounds and sorting refer to."),
		should("export.file.no_duplicates", sectionExport, "No quote is in the file twice.", needWindow),
		should("export.file.private", sectionAuth, "Another user cannot read the file.", needOtherUser),
		should("export.file.authenticated", sectionAuth, "The file cannot be fetched without authentication."),
	}, needFile)
}

// exportRange: date_start and date_end.
func exportRange() []Rule {
	return needing([]Rule{
		must("export.range.start_inclusive", sectionExport, "date_start keeps quotes dated exactly on it and later, and drops the earlier ones."),
		must("export.range.end_exclusive", sectionExport, "date_end drops quotes dated exactly on it and later, and keeps the earlier ones."),
		must("export.range.partition", sectionExport, "Two ranges that meet hold together, without overlap, what the whole range holds."),
		must("export.range.precision", sectionExport, "Bounds work to the precision that the file shows."),
		must("export.range.offset", sectionExport, "The same instant written with another offset selects the same quotes."),
		must("export.range.open", sectionExport, "A bound may stand alone: only a start, only an end."),
		must("export.range.empty", sectionExport, "A range whose start is its end holds no quote."),
		must("export.range.follows_sort", sectionExport, "The bounds apply to the date that sort chooses."),
	}, needFile, needWindow)
}

// exportSelection: defaults, order, filter, wallet and whose quotes they are.
func exportSelection() []Rule {
	return needing([]Rule{
		must("export.default.sort", sectionExport, "Without sort the file is the one of quote_created_at."),
		must("export.default.order", sectionExport, "Without order the file is the one of desc."),
		must("export.default.wallet", sectionExport, "Without a wallet the file is the one of the default wallet.", needWallet),
		should("export.wallet.selects", sectionExport, "A wallet that is given selects its own quotes.", needWallet, needOtherWallet),
		should("export.order.asc", sectionExport, "asc puts the rows in rising order of the chosen date."),
		should("export.order.desc", sectionExport, "desc puts the rows in falling order of the chosen date."),
		must("export.filter.client_id", sectionExport, "The client filter keeps every row of that client and no other.", needClient),
		should("export.filter.prefix", sectionExport, "A part of a client ID keeps no row of that client.", needClient),
		should("export.isolation", sectionExport, "Another user's export holds none of this user's quotes.", needOtherUser),
	}, needFile, needWindow)
}

// exportObserved: what the document leaves open about exports.
func exportObserved() []Rule {
	return append([]Rule{
		observe("export.observed.success_status", sectionExport, "Status of an accepted export."),
		observe("export.observed.file_state", sectionFile, "Inner fields of file_state."),
		observe("export.observed.rejection_status", sectionErrors, "Status of each kind of rejection."),
		observe("export.observed.error_body", sectionErrors, "Shape of error bodies."),
		observe("export.observed.unknown_language", sectionExport, "An x-lang outside the two."),
		observe("export.observed.unknown_replay_value", sectionExport, "A replay protection value that is not documented."),
		observe("export.observed.start_after_end", sectionExport, "A start after the end."),
		observe("export.observed.text_without_type", sectionExport, "A filter text without a filter type."),
		observe("export.observed.type_without_text", sectionExport, "A filter type without a filter text."),
		observe("export.observed.unknown_field", sectionExport, "A field that the document does not know."),
		observe("export.observed.content_type", sectionExport, "A JSON body declared as plain text."),
		observe("export.observed.lower_case_extension", sectionExport, "csv in lower case."),
		observe("export.observed.headers", sectionLimits, "Headers about rate limits and authentication."),
	}, needing([]Rule{
		observe("export.observed.transitions", sectionStates, "States of the file on its way to being ready, and how long each lasts."),
		observe("export.observed.file_name", sectionExport, "Name and media type of the file."),
		observe("export.observed.dialect", sectionExport, "Delimiter, encoding and line ends of the file."),
		observe("export.observed.columns", sectionExport, "Columns of the file."),
		observe("export.observed.other_rows", sectionExport, "Rows of the file that are no quotes, such as one of totals."),
		observe("export.observed.ties", sectionExport, "Order of rows that share a date."),
	}, needFile)...)
}
