package client

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// LookupPointer returns the value that a JSON pointer (RFC 6901) refers to, and whether there
// is one.
func LookupPointer(doc any, pointer string) (any, bool) {
	if pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	for token := range jsontext.Pointer(pointer).Tokens() {
		switch at := doc.(type) {
		case map[string]any:
			next, ok := at[token]
			if !ok {
				return nil, false
			}
			doc = next
		case []any:
			i, err := strconv.ParseUint(token, 10, 31)
			if err != nil || int(i) >= len(at) || strconv.FormatUint(i, 10) != token {
				return nil, false
			}
			doc = at[i]
		default:
			return nil, false
		}
	}
	return doc, true
}
