package rules

// createSuccess: what the answer to a valid creation is.
func createSuccess() []Rule {
	return needing([]Rule{
		must("create.success.status", sectionErrors, "A creation that succeeds is answered with 201."),
		must("create.success.json", sectionCreate, "The body of the answer is one JSON object."),
		must("create.success.fields", sectionCreate, "Every field of the record that the request gave is present in the answer."),
		must("create.success.document", sectionRecord, "The record always carries the document as an object."),
		must("create.success.address", sectionRecord, "The record always carries the address as an object."),
	}, needShareholder)
}

// recordField is one line of the record's table in the API document.
type recordField struct {
	Path string // in the answer
	Kind string // uuid | text | cpf_type | digits | number | qualification | integer | boolean | date | datetime
}

// recordFields lists the typed fields of the record, in the document's order. person_type has a rule of its own.
func recordFields() []recordField {
	return []recordField{
		{"id", "uuid"},
		{"document.id", "uuid"},
		{"document.type", "cpf_type"},
		{"document.number", "digits"},
		{"document.country_of_issue", "text"},
		{"address.id", "text"},
		{"address.zip_code", "text"},
		{"address.street", "text"},
		{"address.number", "number"},
		{"address.neighborhood", "text"},
		{"address.city", "text"},
		{"address.federative_unit", "text"},
		{"address.country", "text"},
		{"address.complement", "text"},
		{"name", "text"},
		{"representor_type", "qualification"},
		{"income", "integer"},
		{"patrimony", "integer"},
		{"participation_percentage", "number"},
		{"pep", "boolean"},
		{"is_public_server", "boolean"},
		{"phone_number", "text"},
		{"email", "text"},
		{"registration_update_date", "date"},
		{"birth_date", "date"},
		{"relationship_start_date", "date"},
		{"relationship_end_date", "date"},
		{"created_at", "datetime"},
		{"shareholder_id", "uuid"},
	}
}

// createRecord: the type, format or value set of each field of the answer.
func createRecord() []Rule {
	shape := map[string]string{
		"uuid":          "is a UUID",
		"text":          "is a string",
		"cpf_type":      "is CPF",
		"digits":        "is a string of digits only",
		"number":        "is a number",
		"qualification": "is PARTNER, ATTORNEY, ADMINISTRATOR or OTHER",
		"integer":       "is an integer, in cents",
		"boolean":       "is a boolean",
		"date":          "is a date written YYYY-MM-DD",
		"datetime":      "is a date-time with its zone",
	}
	var family []Rule
	for _, f := range recordFields() {
		family = append(family, must("create.response."+f.Path, sectionRecord, "In the record, "+f.Path+" "+shape[f.Kind]+"."))
	}
	family = append(family,
		should("create.response.created_at.now", sectionRecord, "The creation date is the moment of the creation, within half an hour of the deployment's clock."),
		must("create.person_type", sectionRecord, "A representative is always a NATURAL_PERSON."),
	)
	return needing(family, needShareholder)
}

// echoFields lists the fields whose value has to come back as it was sent, by their path in the answer.
func echoFields() []string {
	return []string{
		"name", "document.number", "representor_type", "income", "patrimony", "participation_percentage", "pep", "is_public_server",
		"phone_number", "email", "birth_date", "relationship_start_date", "relationship_end_date", "shareholder_id",
		"address.zip_code", "address.street", "address.number", "address.neighborhood", "address.city", "address.federative_unit",
		"address.country", "address.complement",
	}
}

// createEcho: what was sent comes back the same.
func createEcho() []Rule {
	how := map[string]string{
		"name":                     ", accents and apostrophes included",
		"income":                   ", above 2^31 and up to 2^53 cents",
		"patrimony":                ", above 2^31 and up to 2^53 cents",
		"participation_percentage": ", decimals such as 33.33 and 0.01 included",
		"pep":                      ", true as well as false",
		"is_public_server":         ", true as well as false",
		"representor_type":         " for all four qualifications",
	}
	var family []Rule
	for _, path := range echoFields() {
		family = append(family, must("create.echo."+path, sectionRequest, "The "+path+" of the request comes back unchanged"+how[path]+"."))
	}
	return needing(family, needShareholder)
}

// createDefaults: what fills in for what the request leaves out.
func createDefaults() []Rule {
	return needing([]Rule{
		must("create.default.country_of_issue", sectionRequest, "Without a country of issue the document is issued in BRA."),
		must("create.default.country_of_issue_kept", sectionRequest, "A country of issue that was given is kept."),
		must("create.default.registration_update_date", sectionRequest, "Without a registration update date the record carries the start of the relationship."),
		must("create.default.registration_update_date_kept", sectionRequest, "A registration update date that was given is kept."),
	}, needShareholder)
}
