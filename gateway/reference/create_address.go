package reference

import (
	"encoding/json"
	"regexp"
	"slices"
)

func (q *call) checkAddress() {
	if q.g.paths["address"] != nil {
		value, ok := q.take("address", true)
		address, isObject := value.(object)
		switch {
		case !ok:
			return
		case value == "" || isObject && len(address) == 0:
			q.spoilt("address", "required.empty", "required, found nothing in it")
			return
		case !isObject:
			q.spoilt("address", ".type", "expected an object, found "+kindOf(value))
			return
		}
	} else if !slices.ContainsFunc(addressParts, func(part string) bool {
		_, state := q.find("address." + part)
		return state == present
	}) {
		q.spoilt("address", "required.absent", "required")
		return
	}
	for _, part := range addressParts {
		field := "address." + part
		switch {
		case part != "number":
			q.takeText(field, false)
		case q.g.choices.NumberAsText:
			if text, ok := q.takeText(field, false); ok && !numberText.MatchString(text) {
				q.spoilt(field, ".format", "expected digits")
			} else if ok {
				q.values[field] = json.Number(text)
			}
		default:
			if n, ok := q.takeNumber(field); ok {
				if _, ok := exactly(n); !ok {
					q.spoilt(field, ".range", "out of range")
				}
			}
		}
	}
}

// numberText is text that is a JSON number as it stands.
var numberText = regexp.MustCompile(`^(0|[1-9]\d{0,17})$`)
