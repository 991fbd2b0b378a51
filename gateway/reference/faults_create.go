package reference

import "slices"

// overlooks declares a fault that accepts what is to be rejected.
func overlooks(name, rule, statement string, keys ...string) definition {
	return definition{Fault: Fault{Name: name, Rule: rule, Statement: statement}, forgives: keys}
}

// refuses declares a fault that rejects what is to be accepted.
func refuses(name, rule, statement string, features ...string) definition {
	return definition{Fault: Fault{Name: name, Rule: rule, Statement: statement}, rejects: features}
}

// crashes declares a fault that answers a defect with a server error.
func crashes(name, rule, statement string, keys ...string) definition {
	return definition{Fault: Fault{Name: name, Rule: rule, Statement: statement}, crashes: keys}
}

// hides declares a fault that answers a defect with 200 and an error inside.
func hides(name, rule, statement string, keys ...string) definition {
	return definition{Fault: Fault{Name: name, Rule: rule, Statement: statement}, hides: keys}
}

// switched declares a fault that is consulted by name.
func switched(name, rule, statement string) definition {
	return definition{Fault: Fault{Name: name, Rule: rule, Statement: statement}}
}

func createFieldFaults() []definition {
	return slices.Concat(requiredFaults(), shareholderFaults(), participationFaults(), moneyFaults(), identityFaults(), dateFaults())
}

func requiredFaults() []definition {
	var all []definition
	for _, field := range []string{"shareholder_id", "mother_name", "phone_number", "email", "address"} {
		rule := "create.required." + field
		all = append(all,
			overlooks(rule+".absent_accepted", rule, "accepts a creation without "+field, "create:required."+field+".absent"),
			overlooks(rule+".null_accepted", rule+".null", "accepts null as "+field, "create:required."+field+".null"),
			overlooks(rule+".empty_accepted", rule+".empty", "accepts an empty "+field, "create:required."+field+".empty"),
			crashes(rule+".absent_500", rule, "answers a creation without "+field+" with a server error", "create:required."+field+".absent"),
		)
	}
	for _, field := range []string{"mother_name", "phone_number", "email", "address", "name"} {
		all = append(all, overlooks("create.type."+field+"_accepted", "create.type."+field, "accepts any JSON type as "+field, "create:"+field+".type"))
	}
	return append(all,
		hides("create.required.mother_name.absent_200", "create.required.mother_name", "answers a creation without mother_name with 200 and an error inside", "create:required.mother_name.absent"),
		hides("create.required.address.empty_200", "create.required.address.empty", "answers an empty address with 200 and an error inside", "create:required.address.empty"),
		crashes("create.required.phone_number.null_500", "create.required.phone_number.null", "answers null as phone_number with a server error", "create:required.phone_number.null"),
		crashes("create.type.email_500", "create.type.email", "answers an email of another JSON type with a server error", "create:email.type"),
	)
}

func shareholderFaults() []definition {
	return []definition{
		overlooks("create.shareholder.unknown_accepted", "create.shareholder.unknown", "accepts a shareholder that does not exist", "create:shareholder_id.unknown"),
		overlooks("create.shareholder.foreign_accepted", "create.shareholder.foreign", "accepts a shareholder of another legal person", "create:shareholder_id.foreign"),
		overlooks("create.shareholder.malformed_accepted", "create.shareholder.malformed", "accepts a shareholder ID that is no UUID", "create:shareholder_id.format", "create:shareholder_id.type"),
		crashes("create.shareholder.unknown_500", "create.shareholder.unknown", "answers an unknown shareholder with a server error", "create:shareholder_id.unknown"),
		crashes("create.shareholder.foreign_500", "create.shareholder.foreign", "answers a foreign shareholder with a server error", "create:shareholder_id.foreign"),
		crashes("create.shareholder.malformed_500", "create.shareholder.malformed", "answers a malformed shareholder ID with a server error", "create:shareholder_id.format"),
	}
}

func participationFaults() []definition {
	const field = "create:participation_percentage"
	return []definition{
		switched("create.participation.max_off_by_a_hundredth", "create.participation.above_hundred", "accepts up to 100.01"),
		switched("create.participation.max_101", "create.participation.above_hundred", "accepts up to 101"),
		overlooks("create.participation.above_accepted", "create.participation.above_hundred", "knows no upper bound", field+".above"),
		switched("create.participation.min_off_by_a_hundredth", "create.participation.below_zero", "accepts down to -0.01"),
		switched("create.participation.min_minus_1", "create.participation.below_zero", "accepts down to -1"),
		overlooks("create.participation.below_accepted", "create.participation.below_zero", "knows no lower bound", field+".below"),
		switched("create.participation.zero_rejected", "create.participation.zero", "refuses exactly 0"),
		switched("create.participation.hundred_rejected", "create.participation.hundred", "refuses exactly 100"),
		switched("create.participation.decimals_rejected", "create.participation.decimals", "refuses decimals"),
		crashes("create.participation.above_500", "create.participation.above_hundred", "answers more than 100 with a server error", field+".above"),
		hides("create.participation.below_200", "create.participation.below_zero", "answers less than 0 with 200 and an error inside", field+".below"),
		overlooks("create.participation.text_accepted", "create.participation.type", "accepts a participation as text", field+".type.text"),
		overlooks("create.participation.boolean_accepted", "create.participation.type", "accepts a boolean as participation", field+".type.boolean"),
		overlooks("create.participation.null_accepted", "create.participation.null", "accepts null as participation", field+".type.null"),
	}
}

func moneyFaults() []definition {
	var all []definition
	for _, field := range []string{"income", "patrimony"} {
		rule := "create.money." + field
		all = append(all,
			overlooks(rule+".fraction_accepted", rule+".fraction", "accepts a fraction of a cent as "+field, "create:"+field+".fraction"),
			overlooks(rule+".text_accepted", rule+".string", "accepts "+field+" as text", "create:"+field+".type.text"),
			crashes(rule+".text_500", rule+".string", "answers "+field+" as text with a server error", "create:"+field+".type.text"),
			refuses(rule+".zero_rejected", rule+".integer", "refuses 0 as "+field, "create:"+field+"=0"),
			refuses(rule+".large_rejected", rule+".integer", "refuses more than 2^31-1 cents as "+field, "create:"+field+"=large"),
		)
	}
	return all
}

func identityFaults() []definition {
	all := []definition{
		overlooks("create.cpf.punctuation_accepted", "create.cpf.formatted", "accepts a CPF with dots and a dash", "create:document_number.punctuation"),
		overlooks("create.cpf.letters_accepted", "create.cpf.letters", "accepts a CPF with letters", "create:document_number.letters"),
		overlooks("create.cpf.spaces_accepted", "create.cpf.spaces", "accepts a CPF with spaces", "create:document_number.spaces"),
		overlooks("create.cpf.length_accepted", "create.cpf.length", "accepts a CPF of any length", "create:document_number.length"),
		crashes("create.cpf.letters_500", "create.cpf.letters", "answers a CPF with letters with a server error", "create:document_number.letters"),
		hides("create.cpf.length_200", "create.cpf.length", "answers a CPF of another length with 200 and an error inside", "create:document_number.length"),
		overlooks("create.cpf.number_accepted", "create.cpf.type", "accepts a CPF as a JSON number", "create:document_number.type"),
		refuses("create.cpf.zero_rejected", "create.cpf.digits", "refuses a CPF that begins with a zero", "create:document_number=zero"),
		refuses("create.cpf.refused", "create.cpf.digits", "refuses every CPF", "create:document_number"),
		overlooks("create.qualification.unknown_accepted", "create.qualification.unknown", "accepts any qualification", "create:qualification.set"),
		overlooks("create.qualification.lower_case_accepted", "create.qualification.lower_case", "accepts qualifications in lower case", "create:qualification.case"),
		crashes("create.qualification.unknown_500", "create.qualification.unknown", "answers an unknown qualification with a server error", "create:qualification.set"),
		refuses("create.qualification.partner_rejected", "create.qualification.partner", "refuses PARTNER", "create:qualification=PARTNER"),
		refuses("create.qualification.attorney_rejected", "create.qualification.attorney", "refuses ATTORNEY", "create:qualification=ATTORNEY"),
		refuses("create.qualification.administrator_rejected", "create.qualification.administrator", "refuses ADMINISTRATOR", "create:qualification=ADMINISTRATOR"),
		refuses("create.qualification.other_rejected", "create.qualification.other", "refuses OTHER", "create:qualification=OTHER"),
		overlooks("create.email.no_at_accepted", "create.email.at_sign", "accepts an e-mail address without @", "create:email.at"),
		hides("create.email.no_at_200", "create.email.at_sign", "answers an e-mail address without @ with 200 and an error inside", "create:email.at"),
		overlooks("create.email.space_accepted", "create.email.spaces", "accepts an e-mail address with spaces", "create:email.space"),
	}
	for _, flag := range []string{"pep", "is_public_server"} {
		all = append(all,
			overlooks("create.flags."+flag+"_text_accepted", "create.flags."+flag, "accepts "+flag+" as text", "create:"+flag+".text"),
			overlooks("create.flags."+flag+"_number_accepted", "create.flags."+flag, "accepts "+flag+" as a number", "create:"+flag+".number"),
		)
	}
	return all
}

func dateFaults() []definition {
	var all []definition
	for _, field := range []string{"birth_date", "relationship_start_date", "relationship_end_date", "registration_update_date"} {
		rule := "create.dates." + field
		all = append(all,
			overlooks(rule+"_day_accepted", rule, "accepts 30 February as "+field, "create:"+field+".day"),
			overlooks(rule+"_month_accepted", rule, "accepts month 13 in "+field, "create:"+field+".month"),
			overlooks(rule+"_leap_accepted", rule, "accepts 29 February of a common year as "+field, "create:"+field+".leap"),
			overlooks(rule+"_thirty_first_accepted", rule, "accepts 31 April as "+field, "create:"+field+".thirty_first"),
			overlooks(rule+"_zero_accepted", rule, "accepts a day or a month 00 in "+field, "create:"+field+".zero"),
			overlooks(rule+"_day_32_accepted", rule, "accepts day 32 in "+field, "create:"+field+".day_32"),
			overlooks(rule+"_month_first_accepted", rule, "accepts MM/DD/YYYY as "+field, "create:"+field+".month_first"),
			overlooks(rule+"_slashes_accepted", rule, "accepts DD/MM/YYYY as "+field, "create:"+field+".slashes"),
			overlooks(rule+"_text_accepted", rule, "accepts any text as "+field, "create:"+field+".format"),
			crashes(rule+"_day_500", rule, "answers 30 February as "+field+" with a server error", "create:"+field+".day"),
			overlooks(rule+"_number_accepted", rule, "accepts a number as "+field, "create:"+field+".type"),
		)
	}
	return append(all, refuses("create.dates.leap_day_rejected", "create.dates.accepted", "refuses 29 February of a leap year",
		"create:birth_date=leap", "create:relationship_start_date=leap", "create:relationship_end_date=leap", "create:registration_update_date=leap"))
}

func createHeaderFaults() []definition {
	all := []definition{
		refuses("create.header.language_pt_rejected", "create.header.language", "refuses pt-BR", "create:header.language=pt-BR"),
		refuses("create.header.language_en_rejected", "create.header.language", "refuses en-US", "create:header.language=en-US"),
		refuses("create.header.language_required", "create.header.language", "requires a preferred language", "create:header.language="),
		refuses("create.header.product_rejected", "create.header.product.accepted", "refuses a product of the user", "create:header.product"),
		overlooks("create.header.product_garbage_accepted", "create.header.product.malformed", "accepts a product ID that is no UUID", "create:header.product.format"),
		refuses("create.header.on_behalf_of_rejected", "create.header.on_behalf_of.accepted", "refuses to act for another user", "create:header.on_behalf_of"),
		overlooks("create.header.on_behalf_of_alone_accepted", "create.header.on_behalf_of.without_product", "acts for another user without a product", "create:header.on_behalf_of.product"),
		overlooks("create.header.on_behalf_of_garbage_accepted", "create.header.on_behalf_of.malformed", "accepts a user to act for that is no UUID", "create:header.on_behalf_of.format"),
		crashes("create.header.on_behalf_of_alone_500", "create.header.on_behalf_of.without_product", "answers a user to act for without a product with a server error", "create:header.on_behalf_of.product"),
		hides("create.header.product_garbage_200", "create.header.product.malformed", "answers a product ID that is no UUID with 200 and an error inside", "create:header.product.format"),
		switched("create.permission.ignored", "create.permission", "lets users create who may not"),
		switched("create.permission.answered_401", "create.permission", "answers a lack of permission with 401"),
		switched("create.permission.answered_400", "create.permission", "answers a lack of permission with 400"),
	}
	for _, id := range []string{"transaction_id", "nonce"} {
		rule := "create.header." + id
		all = append(all,
			overlooks(rule+".absent_accepted", rule+".absent", "accepts a creation without "+id, "create:header."+id+".absent"),
			overlooks(rule+".garbage_accepted", rule+".malformed", "accepts text that is no UUID as "+id, "create:header."+id+".format"),
			overlooks(rule+".length_accepted", rule+".malformed", "accepts any 36 characters as "+id, "create:header."+id+".length"),
			overlooks(rule+".inside_accepted", rule+".malformed", "looks for a UUID inside of "+id, "create:header."+id+".inside"),
			overlooks(rule+".version_accepted", rule+".version", "accepts a UUID of any version as "+id, "create:header."+id+".version"),
			overlooks(rule+".nil_accepted", rule+".version", "accepts the nil UUID as "+id, "create:header."+id+".nil"),
			hides(rule+".garbage_200", rule+".malformed", "answers text that is no UUID as "+id+" with 200 and an error inside", "create:header."+id+".format"),
			crashes(rule+".absent_500", rule+".absent", "answers a missing "+id+" with a server error", "create:header."+id+".absent"),
		)
	}
	for _, body := range []struct{ rule, key, words string }{
		{"not_json", "syntax", "a body that is not JSON"},
		{"truncated", "truncated", "a truncated body"},
		{"array", "shape", "an array"},
		{"none", "absent", "a missing body"},
		{"content_type", "media", "another content type"},
	} {
		rule := "create.body." + body.rule
		all = append(all,
			crashes(rule+"_500", rule, "answers "+body.words+" with a server error", "create:body."+body.key),
			overlooks(rule+"_accepted", rule, "accepts "+body.words, "create:body."+body.key),
		)
	}
	const media = "create.body.content_type"
	return append(all,
		overlooks("create.body.json_as_form_accepted", media, "reads JSON that is declared as a form", "create:body.media.form"),
		overlooks("create.body.json_as_xml_accepted", media, "reads JSON that is declared as XML", "create:body.media.xml"),
		switched("create.body.form_accepted", media, "accepts a form"),
		switched("create.body.xml_accepted", media, "accepts XML"),
	)
}

func createRepeatFaults() []definition {
	return []definition{
		switched("create.repeat.second_record", "create.repeat.identical", "makes a second record when a creation is repeated"),
		switched("create.repeat.answered_500", "create.repeat.identical", "answers a repeated creation with a server error"),
		switched("create.repeat.answered_202_empty", "create.repeat.identical", "answers a repeated creation with a success that carries no record"),
		switched("create.repeat.answered_302", "create.repeat.identical", "redirects a repeated creation"),
		switched("create.repeat.record_changes", "create.repeat.same_record", "gives a repeat the record that exists with another document ID"),
		switched("create.repeat.remembered_with_nonce", "create.repeat.new_nonce", "makes a second record when the nonce of a repeat differs"),
		switched("create.repeat.not_atomic", "create.repeat.race", "lets several of many equal creations at once make a record"),
		switched("create.repeat.not_atomic_but_by_nonce", "create.repeat.race", "lets several of many creations at once make a record when their nonces differ"),
		switched("create.repeat.everything_is_one", "create.repeat.other_transaction", "takes every creation of a user for a repeat of the first"),
	}
}

func documentFaults() []definition {
	return []definition{
		switched("create.documents.refused", "create.documents.accepted", "refuses every upload"),
		switched("create.documents.answered_500", "create.documents.accepted", "answers every upload with a server error"),
		overlooks("create.documents.selfie_optional", "create.documents.missing", "accepts an upload without the selfie", "documents:part.selfie", "documents:part.one"),
		overlooks("create.documents.identity_optional", "create.documents.missing", "accepts an upload without the identity document", "documents:part.identity_document", "documents:part.one"),
		overlooks("create.documents.qualification_optional", "create.documents.missing", "accepts an upload without the declaration", "documents:part.qualification_declaration", "documents:part.one"),
		switched("create.documents.anonymous_accepted", "create.documents.authenticated", "accepts uploads without a credential"),
		switched("create.documents.unknown_accepted", "create.documents.unknown_id", "accepts documents of a representative that does not exist"),
		switched("create.documents.unknown_500", "create.documents.unknown_id", "answers an unknown representative with a server error"),
	}
}
