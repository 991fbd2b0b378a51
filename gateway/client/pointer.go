package client

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// parseJSON reads a document with its numbers as they are written; nil when it is not JSON.
func parseJSON(b []byte) any {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var doc any
	if d.Decode(&doc) != nil {
		return nil
	}
	return doc
}

// Lookup finds what a JSON pointer (RFC 6901) points to.
func Lookup(doc any, pointer string) (any, bool) {
	if pointer == "" {
		return doc, true
	}
	if pointer[0] != '/' {
		return nil, false
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, token := range strings.Split(pointer[1:], "/") {
		token = unescape.Replace(token)
		switch at := doc.(type) {
		case map[string]any:
			next, ok := at[token]
			if !ok {
				return nil, false
			}
			doc = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(at) || strconv.Itoa(i) != token {
				return nil, false
			}
			doc = at[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// stateText is a state as the lists of the deployment file write it.
func stateText(v any) string {
	if s, is := v.(string); is {
		return s
	}
	b, _ := json.Marshal(v) // it was read from JSON
	return string(b)
}
