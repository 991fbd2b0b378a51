package rules

// requiredFields lists what a creation cannot do without, by logical name.
func requiredFields() []string {
	return []string{"shareholder_id", "mother_name", "phone_number", "email", "address"}
}

// createRequired: required information, absent, null, empty or of a wrong type; and whose shareholder it is.
func createRequired() []Rule {
	var family []Rule
	for _, field := range requiredFields() {
		family = append(family,
			must("create.required."+field, sectionRequest, "A creation without "+field+" is rejected."),
			should("create.required."+field+".null", sectionRequest, "A creation whose "+field+" is null is rejected."),
			should("create.required."+field+".empty", sectionRequest, "A creation whose "+field+" is empty is rejected."),
		)
	}
	for _, field := range []string{"mother_name", "phone_number", "email", "address"} {
		family = append(family, must("create.type."+field, sectionErrors, "A creation whose "+field+" has the wrong JSON type is rejected."))
	}
	family = append(family,
		should("create.type.name", sectionErrors, "A creation whose name has the wrong JSON type is rejected."),
		must("create.shareholder.unknown", sectionRequest, "A shareholder that does not exist is rejected."),
		must("create.shareholder.foreign", sectionRequest, "A shareholder of another legal person is rejected.", needForeign),
		must("create.shareholder.malformed", sectionRequest, "A shareholder ID that is no UUID is rejected."),
	)
	return needing(family, needShareholder)
}

// dateFields lists the dates of a creation, by logical name.
func dateFields() []string {
	return []string{"birth_date", "relationship_start_date", "relationship_end_date", "registration_update_date"}
}

// qualifications are the four documented kinds of representation.
func qualifications() []string { return []string{"PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER"} }

// createValues: the range, type and format of what a creation carries.
func createValues() []Rule {
	family := []Rule{
		must("create.participation.zero", sectionLimits, "A participation of exactly 0 is accepted."),
		must("create.participation.hundred", sectionLimits, "A participation of exactly 100 is accepted."),
		must("create.participation.decimals", sectionRecord, "A participation with decimals between 0 and 100 is accepted."),
		must("create.participation.below_zero", sectionLimits, "A participation below 0 is rejected, by however little."),
		must("create.participation.above_hundred", sectionLimits, "A participation above 100 is rejected, by however little."),
		must("create.participation.type", sectionErrors, "A participation that is a string or a boolean is rejected."),
		should("create.participation.null", sectionErrors, "A participation that is null is rejected."),
	}
	for _, field := range []string{"income", "patrimony"} {
		family = append(family,
			must("create.money."+field+".integer", sectionLimits, "Whole cents, 0 among them, are accepted as "+field+"."),
			must("create.money."+field+".fraction", sectionLimits, "A fraction of a cent is rejected as "+field+"."),
			must("create.money."+field+".string", sectionErrors, "A string is rejected as "+field+"."),
		)
	}
	family = append(family,
		must("create.cpf.digits", sectionRequest, "A CPF of 11 digits is accepted."),
		must("create.cpf.formatted", sectionRequest, "A CPF written with dots and a dash is rejected: digits only."),
		must("create.cpf.letters", sectionRequest, "A CPF with letters is rejected."),
		must("create.cpf.spaces", sectionRequest, "A CPF with spaces is rejected."),
		should("create.cpf.length", sectionRequest, "A CPF of fewer or more than 11 digits is rejected."),
		should("create.cpf.type", sectionErrors, "A CPF given as a JSON number is rejected."),
	)
	for _, field := range dateFields() {
		family = append(family,
			must("create.dates."+field, sectionRequest, "For "+field+" a day or month that does not exist, another notation, text and a number are rejected."))
	}
	family = append(family, must("create.dates.accepted", sectionRecord, "Dates written YYYY-MM-DD are accepted, 29 February of a leap year among them."))
	for _, field := range []string{"pep", "is_public_server"} {
		family = append(family, must("create.flags."+field, sectionRequest, "For "+field+" a string or a number in place of a boolean is rejected."))
	}
	family = append(family,
		must("create.qualification.partner", sectionRequest, "PARTNER is accepted as qualification."),
		must("create.qualification.attorney", sectionRequest, "ATTORNEY is accepted as qualification."),
		must("create.qualification.administrator", sectionRequest, "ADMINISTRATOR is accepted as qualification."),
		must("create.qualification.other", sectionRequest, "OTHER is accepted as qualification."),
		must("create.qualification.unknown", sectionRequest, "A qualification outside the four is rejected."),
		should("create.qualification.lower_case", sectionRequest, "A qualification in lower case is rejected."),
		should("create.email.at_sign", sectionRequest, "An e-mail address without @ is rejected."),
		should("create.email.spaces", sectionRequest, "An e-mail address with spaces is rejected."),
	)
	return needing(family, needShareholder)
}

// createHeaders: the headers of a creation.
func createHeaders() []Rule {
	var family []Rule
	for _, h := range []struct{ id, name string }{{"transaction_id", "transaction ID"}, {"nonce", "nonce"}} {
		family = append(family,
			must("create.header."+h.id+".absent", sectionCreate, "A creation without a "+h.name+" is rejected."),
			must("create.header."+h.id+".malformed", sectionCreate, "A "+h.name+" that is no UUID is rejected."),
			must("create.header."+h.id+".version", sectionCreate, "A "+h.name+" that is a UUID of another version than 4 is rejected."),
		)
	}
	return needing(append(family,
		must("create.header.language", sectionCreate, "pt-BR, en-US and no preferred language at all are accepted."),
		must("create.header.product.accepted", sectionCreate, "A product of the user is accepted.", needProduct),
		must("create.header.product.malformed", sectionCreate, "A product ID that is no UUID is rejected.", needProduct),
		must("create.header.on_behalf_of.accepted", sectionCreate, "A user to act for is accepted together with a product.", needProduct, needTarget),
		must("create.header.on_behalf_of.without_product", sectionCreate, "A user to act for is rejected without a product.", needProduct, needTarget),
		must("create.header.on_behalf_of.malformed", sectionCreate, "A user to act for that is no UUID is rejected.", needProduct, needTarget),
		must("create.permission", sectionErrors, "An authenticated user without the permission gets 403.", needUnpriv),
	), needShareholder)
}

// createRepeat: the same creation more than once.
func createRepeat() []Rule {
	return needing([]Rule{
		must("create.repeat.identical", sectionErrors, "The same creation again, to the letter, gets 409 or the record that exists; never a second record."),
		must("create.repeat.new_nonce", sectionErrors, "The same creation under another nonce gets 409 or the record that exists; never a second record."),
		must("create.repeat.same_record", sectionErrors, "A repeat that is answered with a record is given the record that exists, unchanged."),
		must("create.repeat.race", sectionErrors, "Of many identical creations at once, all that succeed carry one and the same ID."),
		must("create.repeat.other_transaction", sectionCreate, "Two creations with different transaction IDs are two records."),
	}, needShareholder)
}

// createBodies: bodies that are no creation at all.
func createBodies() []Rule {
	return needing([]Rule{
		must("create.body.not_json", sectionCreate, "A body that is not JSON is rejected, and never a server error."),
		must("create.body.truncated", sectionCreate, "A JSON body that is cut off is rejected, and never a server error."),
		must("create.body.array", sectionCreate, "A JSON array in place of the object is rejected, and never a server error."),
		must("create.body.none", sectionCreate, "A creation without a body is rejected, and never a server error."),
		must("create.body.content_type", sectionCreate, "A body declared as another type than JSON is rejected, and never a server error."),
	}, needShareholder)
}

// createDocuments: the upload that follows a creation.
func createDocuments() []Rule {
	return needing([]Rule{
		must("create.documents.accepted", sectionRequest, "After creation, the selfie, the identity document and the declaration of powers are accepted."),
		should("create.documents.missing", sectionRequest, "An upload in which a required document is missing is rejected."),
		should("create.documents.authenticated", sectionAuth, "An upload without authentication is refused."),
		should("create.documents.unknown_id", sectionCreate, "An upload for a representative that does not exist is rejected."),
	}, needShareholder, needDocuments)
}

// createObserved: what the document leaves open about creations.
func createObserved() []Rule {
	return needing([]Rule{
		observe("create.observed.header_names", sectionCreate, "Names of the headers for transaction ID, nonce, language and the user to act for."),
		observe("create.observed.rejection_status", sectionErrors, "Status of each kind of rejection."),
		observe("create.observed.error_body", sectionErrors, "Shape and codes of error bodies."),
		observe("create.observed.error_language", sectionCreate, "Language of error messages by preferred language."),
		observe("create.observed.repeat_status", sectionErrors, "How a repeated creation is answered."),
		observe("create.observed.repeat_other_body", sectionErrors, "The same transaction ID with another body."),
		observe("create.observed.nonce_reuse", sectionCreate, "A nonce used again under another transaction ID."),
		observe("create.observed.optional_absent", sectionRequest, "A creation with nothing but what is marked required."),
		observe("create.observed.null_fields", sectionRequest, "Optional fields given as null, against left out."),
		observe("create.observed.unknown_field", sectionRequest, "A field that the document does not know."),
		observe("create.observed.negative_money", sectionLimits, "Negative income and patrimony."),
		observe("create.observed.cpf_check_digits", sectionRequest, "A CPF whose check digits are wrong."),
		observe("create.observed.same_cpf", sectionRequest, "Two representatives with one CPF."),
		observe("create.observed.datetime_for_date", sectionRecord, "A date-time where a date is due."),
		observe("create.observed.end_before_start", sectionRequest, "A relationship that ends before it starts."),
		observe("create.observed.future_birth", sectionRequest, "A birth date in the future."),
		observe("create.observed.long_strings", sectionLimits, "Very long strings."),
		observe("create.observed.headers", sectionLimits, "Headers about rate limits and authentication."),
		observe("create.observed.unknown_language", sectionCreate, "A preferred language outside the two."),
	}, needShareholder)
}
