package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// parseSpelledNumber returns the number that a text spells, and parseSpelledBoolean the boolean
// that a text or number stands for. Other values stay as they are.
func parseSpelledNumber(value any) any {
	text, _ := value.(string)
	if _, ok := parseExactNumber(json.Number(text)); ok {
		return json.Number(text)
	}
	return value
}

func parseSpelledBoolean(value any) any {
	spelled := map[string]any{"true": true, "1": true, "false": false, "0": false}
	if read, known := spelled[fmt.Sprint(value)]; known {
		return read
	}
	return value
}

// normaliseCPF removes punctuation from a CPF.
func normaliseCPF(text string) string {
	if digits := stripNonDigits(text); len(digits) == 11 && punctuatedDigitsPattern.MatchString(text) {
		return digits
	}
	return text
}

var punctuatedDigitsPattern = regexp.MustCompile(`^[0-9 ./-]+$`)

// normaliseDate rewrites other unambiguous date notations as YYYY-MM-DD.
func normaliseDate(text string) string {
	for _, layout := range []string{"20060102", "2006-1-2", time.RFC3339} {
		if day, err := time.Parse(layout, text); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return text
}

// hasUnknownField reports whether the body has a field that the document does not describe.
func (q *request) hasUnknownField() bool {
	known := exportFieldNames
	if q.operation == opCreate {
		known = nil
		for steps := range maps.Values(q.gateway.paths) {
			known = append(known, strings.Join(steps, "."))
		}
	}
	var strange func(body jsonObject, prefix string) bool
	strange = func(body jsonObject, prefix string) bool {
		for key, value := range body {
			inner, isObject := value.(jsonObject)
			if isObject && strange(inner, prefix+key+".") ||
				!isObject && !slices.Contains(known, prefix+key) {
				return true
			}
		}
		return false
	}
	return strange(q.body, "")
}
