package export

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/target"
)

// shown is text out of an answer as it may be shown.
func (s *Suite) shown(text string) string {
	if r := []rune(text); len(r) > 160 {
		text = string(r[:160]) + "…"
	}
	return s.t.Client.Redactor().Text(text)
}

// members reads an answer's object; ok is false when it is something else.
func members(x *client.Exchange) (object map[string]any, ok bool) {
	object, _, ok = target.FileOf(x)
	return object, ok
}

// shape lists the values of a document by their paths and types: "error.code string, error.status number".
func shape(doc any) string {
	var parts []string
	target.Leaves(doc, func(path string, v any) {
		kind := "null"
		switch v.(type) {
		case string:
			kind = "string"
		case bool:
			kind = "boolean"
		case json.Number:
			kind = "number"
		}
		parts = append(parts, strings.TrimSpace(path+" "+kind))
	})
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), ", ")
}

var address = regexp.MustCompile(`^(/|https?://)`)

// holdsAddress reports a document with an address anywhere inside.
func holdsAddress(doc any) (found bool) {
	target.Leaves(doc, func(_ string, v any) {
		text, _ := v.(string)
		found = found || address.MatchString(text)
	})
	return found
}

// scalar is a text, a number or a boolean as text.
func scalar(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number, bool:
		return fmt.Sprint(v), true
	}
	return "", false
}
