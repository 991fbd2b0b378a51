package reference

import "github.com/google/uuid"

// record is the legal representative that a request describes. Fields that were not sent are null.
func (q *call) record() object {
	sent := func(field string) any { return q.values[field] }
	or := func(value, otherwise any) any {
		if value == nil {
			return otherwise
		}
		return value
	}
	address := object{"id": uuid.NewString()}
	for _, part := range addressParts {
		address[part] = sent("address." + part)
	}
	record := object{
		"id": uuid.NewString(),
		"document": object{
			"id": uuid.NewString(), "type": "CPF", "number": sent("document_number"),
			"country_of_issue": or(sent("document_country_of_issue"), "BRA"),
		},
		"address":                  address,
		"person_type":              "NATURAL_PERSON",
		"registration_update_date": or(sent("registration_update_date"), sent("relationship_start_date")),
		"representor_type":         sent("qualification"),
		"created_at":               q.g.now().UTC().Format(dateTimeMillis),
	}
	for _, field := range []string{
		"name", "income", "patrimony", "participation_percentage", "pep", "is_public_server", "phone_number", "email",
		"birth_date", "relationship_start_date", "relationship_end_date", "shareholder_id",
	} {
		record[field] = sent(field)
	}
	if q.g.choices.FlagsDefault {
		for _, flag := range []string{"pep", "is_public_server"} {
			record[flag] = or(record[flag], false)
		}
	}
	return record
}

func leaveOutNulls(record object) {
	for key, value := range record {
		if value == nil {
			delete(record, key)
		} else if inner, ok := value.(object); ok {
			leaveOutNulls(inner)
		}
	}
}
