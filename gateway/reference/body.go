package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// parseObject reads a body that must be one JSON object. Numbers stay as they were written. Without one it says why.
func parseObject(body []byte) (o object, key, message string) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, "body.absent", "a JSON object is required"
	}
	if !utf8.Valid(body) {
		return nil, "body.syntax", "the body is not UTF-8"
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, "body.truncated", "the body is not JSON"
	} else if err != nil {
		return nil, "body.syntax", "the body is not JSON"
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, "body.syntax", "there is extra text after the JSON value"
	}
	parsed, ok := value.(object)
	if !ok {
		return nil, "body.shape", "expected a JSON object, found " + kindOf(value)
	}
	return parsed, "", ""
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
