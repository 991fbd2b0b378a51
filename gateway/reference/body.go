package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// parseObject reads a body that must be one JSON object. Numbers stay as they were written. A nil object has issues.
func parseObject(body []byte) (object, []issue) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, wrong("body.absent", "", "a JSON object is required")
	}
	if !utf8.Valid(body) {
		return nil, wrong("body.syntax", "", "the body is not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		key := "body.syntax"
		if errors.Is(err, io.ErrUnexpectedEOF) {
			key = "body.truncated"
		}
		return nil, wrong(key, "", "the body is not JSON")
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, wrong("body.syntax", "", "something follows the JSON value")
	}
	parsed, ok := value.(object)
	if !ok {
		return nil, wrong("body.shape", "", "expected a JSON object, found "+kindOf(value))
	}
	return parsed, nil
}

func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "text"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	}
	return "object"
}
