package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
)

// fieldFaults declares faults in handling single fields of a creation.
func fieldFaults() faultDeclarations {
	const share = "participation_percentage"
	truthy := func(value any) any { return value != false && value != "" && value != json.Number("0") }
	return slices.Concat(
		mishandlingFaults("fields"),
		declareFault("create.shareholder.foreign_409",
			filterDefects(operationCreate, []string{"shareholder_id.foreign"},
				refuseWithStatus(http.StatusConflict))),
		declareFault("create.flags.false_refused",
			rejectFieldsWhen(operationCreate, equals(false), booleanFields...)),
		declareFault("create.cpf.refused", rejectFieldsWhen(operationCreate, nil, "document_number")),
		declareFault("create.cpf.number_read", readFieldsAs("document_number", scalarToText)),
		declareFault("create.participation.beginning_read", readFieldsAs(share, leadingNumberToJSON)),
		faultsForEach(moneyFields, func(money string) faultDeclarations {
			return slices.Concat(
				declareFault("create.money."+money+".beginning_read", readFieldsAs(money, leadingNumberToJSON)),
				declareFault("create.money."+money+".rounded", readFieldsAs(money, roundToPlaces(0))))
		}),
		faultsForEach(booleanFields, func(flag string) faultDeclarations {
			return declareFault("create.flags."+flag+"_truthy", readFieldsAs(flag, truthy))
		}),
		faultsForEach([]string{"mother_name", "phone_number", "name"},
			func(text string) faultDeclarations {
				return declareFault("create.type."+text+".scalar_read", readFieldsAs(text, scalarToText))
			}),
	)
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
