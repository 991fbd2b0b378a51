package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
)

// fieldFaults are about the fields of a creation, one by one.
func fieldFaults() faults {
	const share = "participation_percentage"
	truthy := func(value any) any { return value != false && value != "" && value != json.Number("0") }
	return slices.Concat(
		mishandled("fields"),
		fault("create.shareholder.foreign_409",
			onDefects(creating, []string{"shareholder_id.foreign"}, withStatus(http.StatusConflict))),
		fault("create.flags.false_refused", refusing(creating, is(false), flagFields...)),
		fault("create.cpf.refused", refusing(creating, nil, "document_number")),
		fault("create.cpf.number_read", reads("document_number", asText)),
		fault("create.participation.beginning_read", reads(share, asNumber)),
		forEach(moneyFields, func(money string) faults {
			return slices.Concat(
				fault("create.money."+money+".beginning_read", reads(money, asNumber)),
				fault("create.money."+money+".rounded", reads(money, decimal(0))))
		}),
		forEach(flagFields, func(flag string) faults {
			return fault("create.flags."+flag+"_truthy", reads(flag, truthy))
		}),
		forEach([]string{"mother_name", "phone_number", "name"}, func(text string) faults {
			return fault("create.type."+text+".scalar_read", reads(text, asText))
		}),
	)
}

// asText reads a number or a boolean as the text that it is written as.
func asText(value any) any {
	if isKind("number", "boolean")(value) {
		return fmt.Sprint(value)
	}
	return value
}

var numberInFront = regexp.MustCompile(`^\d+(\.\d+)?`)

// asNumber reads the number that a text begins with.
func asNumber(value any) any {
	text, _ := value.(string)
	if found := numberInFront.FindString(text); found != "" {
		return json.Number(found)
	}
	return value
}
