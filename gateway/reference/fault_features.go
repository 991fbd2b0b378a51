package reference

import (
	"encoding/json"
	"strings"
	"unicode"
)

// features are what a fault may refuse about a request: its fields, their values and properties, its headers.
func (q *call) features() []string {
	var all []string
	for field, value := range q.values {
		has := func(property string, holds bool) {
			if holds {
				all = append(all, field+"="+property)
			}
		}
		all = append(all, field)
		switch v := value.(type) {
		case string:
			has(v, true)
			has("accents", strings.ContainsFunc(v, func(c rune) bool { return c > unicode.MaxASCII }))
			has("apostrophe", strings.Contains(v, "'"))
			has("zero", strings.HasPrefix(v, "0"))
			has("leap", dateShape.MatchString(v) && v[5:] == "02-29")
		case bool:
			has("true", v)
		case json.Number:
			has(string(v), true)
			exact, ok := exactly(v)
			has("large", ok && exact.Cmp(int32Limit) > 0)
			has("decimals", ok && !exact.IsInt())
		}
	}
	names := CreateHeaders{Language: "x-lang", OnBehalfOf: "x-product-target-user-uuid"}
	if q.operation == creating {
		names = q.g.choices.CreateHeaders
	}
	all = append(all, "header.language="+q.r.Header.Get(names.Language))
	for feature, header := range map[string]string{
		"header.product": "x-product-uuid", "header.on_behalf_of": names.OnBehalfOf, "header.wallet": "x-wallet-uuid",
	} {
		if q.r.Header.Get(header) != "" {
			all = append(all, feature)
		}
	}
	return all
}
