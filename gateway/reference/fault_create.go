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
		fault("create.shareholder.foreign_409", "shareholder.foreign_status",
			"answers a shareholder of another legal person with a conflict",
			onDefects(creating, []string{"shareholder_id.foreign"}, withStatus(http.StatusConflict))),
		fault("create.flags.false_refused", "flags.accepted", "takes flags that are false for missing ones",
			refusing(creating, is(false), flagFields...)),
		fault("create.cpf.refused", "cpf.digits", "refuses every CPF", refusing(creating, nil, "document_number")),
		reading("create.cpf.number_read", "cpf.type", "a number as the text of a CPF", "document_number", asText),
		reading("create.participation.beginning_read", "participation.type", "the number that a text begins with as a participation",
			share, asNumber),
		forEach(moneyFields, func(money string) faults {
			return slices.Concat(
				reading("create.money."+money+".beginning_read", "money."+money+".string",
					"the number that a text begins with as "+money, money, asNumber),
				reading("create.money."+money+".rounded", "money."+money+".fraction", "fractions of a cent of "+money+" as whole ones",
					money, decimal(0)))
		}),
		forEach(flagFields, func(flag string) faults {
			return reading("create.flags."+flag+"_truthy", "flags."+flag, "any text, number or list as true for "+flag, flag, truthy)
		}),
		forEach([]string{"mother_name", "phone_number", "name"}, func(text string) faults {
			return reading("create.type."+text+".scalar_read", "type."+text, "a number or a boolean as the text of "+text, text, asText)
		}),
	)
}

// reading declares a fault that takes the values of some fields for others.
func reading(name, rule, what, fields string, other any) faults {
	return fault(name, rule, "reads "+what, reads(fields, other))
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
