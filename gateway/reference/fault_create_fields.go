package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
)

// fieldFaults declares faults in handling single fields of a creation.
func fieldFaults() changes {
	const share = "participation_percentage"
	truthy := func(value any) any { return value != false && value != "" && value != json.Number("0") }
	all := changes{
		"create.shareholder.foreign_409": filterDefects(opCreate, []string{"shareholder_id.foreign"},
			refuseWithStatus(http.StatusConflict)),
		"create.flags.false_refused": rejectFieldsWhen(opCreate, equals(false),
			booleanFields...),
		"create.cpf.refused":                  rejectFieldsWhen(opCreate, nil, "document_number"),
		"create.cpf.number_read":              readFieldsAs("document_number", scalarToText),
		"create.participation.beginning_read": readFieldsAs(share, leadingNumberToJSON),
	}
	for _, money := range moneyFields {
		all["create.money."+money+".beginning_read"] = readFieldsAs(money, leadingNumberToJSON)
		all["create.money."+money+".rounded"] = readFieldsAs(money, roundToPlaces(0))
	}
	for _, flag := range booleanFields {
		all["create.flags."+flag+"_truthy"] = readFieldsAs(flag, truthy)
	}
	for _, text := range []string{"mother_name", "phone_number", "name"} {
		all["create.type."+text+".scalar_read"] = readFieldsAs(text, scalarToText)
	}
	return all
}

// scalarToText returns a number or boolean as text.
func scalarToText(value any) any {
	if isJSONKind("number", "boolean")(value) {
		return fmt.Sprint(value)
	}
	return value
}

var leadingNumberPattern = regexp.MustCompile(`^\d+(\.\d+)?`)

// leadingNumberToJSON returns the number that a text begins with.
func leadingNumberToJSON(value any) any {
	text, _ := value.(string)
	if found := leadingNumberPattern.FindString(text); found != "" {
		return json.Number(found)
	}
	return value
}
