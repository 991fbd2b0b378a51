package reference

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
)

// asText reads a number or a boolean as the text that it is written as.
func asText(value any) (any, bool) {
	return fmt.Sprint(value), isScalar(value) && kindOf(value) != "text"
}

func isScalar(value any) bool {
	return slices.Contains([]string{"text", "number", "boolean"}, kindOf(value))
}

var numberInFront = regexp.MustCompile(`^\d+(\.\d+)?`)

// asNumber reads the number that a text begins with.
func asNumber(value any) (any, bool) {
	text, _ := value.(string)
	found := numberInFront.FindString(text)
	return json.Number(found), found != ""
}

func rounded(value any) (any, bool) {
	f, err := value.(json.Number).Float64()
	return json.Number(strconv.FormatFloat(math.Round(f), 'f', 0, 64)), err == nil
}

// lenientFaults take values that are nearly right, as ordinary parsers and comparisons do.
func lenientFaults() faults {
	const share = "participation_percentage.type.*"
	return slices.Concat(
		lenient("create.cpf.number_read", "cpf.type", "a number as the text of a CPF", "document_number.type", asText),
		lenient("create.participation.beginning_read", "participation.type",
			"the number that a text begins with as a participation", share, asNumber),
		forEach([]string{"income", "patrimony"}, func(field string) faults {
			return slices.Concat(
				lenient("create.money."+field+".beginning_read", "money."+field+".string",
					"the number that a text begins with as "+field, field+".type.*", asNumber),
				fault("create.money."+field+".rounded", "money."+field+".fraction", "rounds fractions of a cent of "+field,
					understood(rounded, field+".fraction")))
		}),
		forEach([]string{"pep", "is_public_server"}, func(field string) faults {
			return lenient("create.flags."+field+"_truthy", "flags."+field, "any text, number or list as true for "+field,
				field+".*", func(value any) (any, bool) { return value != "" && value != json.Number("0"), true })
		}),
		forEach([]string{"mother_name", "phone_number", "email", "name"}, func(field string) faults {
			return lenient("create.type."+field+".scalar_read", "type."+field, "a number or a boolean as the text of "+field,
				field+".type", asText)
		}),
		spoiled("create.echo.name_quotes_doubled", "echo.name", "doubles apostrophes in name, as SQL has them", "name",
			replaced("'", "''")),
	)
}
