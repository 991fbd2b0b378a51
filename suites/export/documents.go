package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// lookUp follows a JSON pointer (RFC 6901) through objects.
func lookUp(value any, pointer string) any {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch inside := value.(type) {
		case map[string]any:
			value = inside[unescape.Replace(step)]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(inside) {
				return nil
			}
			value = inside[i]
		default:
			return nil
		}
	}
	return value
}

// holdsAddress reports a document with an address anywhere inside.
func holdsAddress(doc any) bool {
	found := false
	leaves(doc, func(v any) {
		if text, ok := v.(string); ok {
			found = found || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
		}
	})
	return found
}

// leaves visits every value inside a document that is neither an object nor an array.
func leaves(value any, visit func(any)) {
	switch v := value.(type) {
	case map[string]any:
		for _, inside := range v {
			leaves(inside, visit)
		}
	case []any:
		for _, inside := range v {
			leaves(inside, visit)
		}
	default:
		visit(v)
	}
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

func document(body []byte) (doc any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	err := d.Decode(&doc)
	return doc, err == nil
}
