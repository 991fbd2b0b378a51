// Package exactjson reads JSON with its numbers as written, looks up values in it, and writes
// texts as JSON. Values are string, json.Number, bool, nil, map[string]any or []any.
package exactjson

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Decode returns the JSON value that a text holds, and whether it holds just one.
func Decode(text []byte) (value any, ok bool) {
	decoder := newDecoder(text)
	if decoder.Decode(&value) != nil || decoder.More() {
		return nil, false
	}
	return value, true
}

// DecodeAll returns the values that a text holds one after the other, as far as it is JSON.
func DecodeAll(text []byte) (values []any) {
	for decoder := newDecoder(text); ; {
		var value any
		if decoder.Decode(&value) != nil {
			return values
		}
		values = append(values, value)
	}
}

func newDecoder(text []byte) *json.Decoder {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder
}

// LookupPath returns the value at a dotted path of names of objects, and whether there is one. A
// null exists.
func LookupPath(value any, path string) (inner any, ok bool) {
	for name := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		if value, ok = object[name]; !ok {
			return nil, false
		}
	}
	return value, true
}

// LookupPointer returns the value at a JSON pointer (RFC 6901), which may lead through arrays, and
// whether there is one.
func LookupPointer(value any, pointer string) (inner any, ok bool) {
	for name := range jsontext.Pointer(pointer).Tokens() {
		object, _ := value.(map[string]any)
		list, isList := value.([]any)
		switch i, err := strconv.ParseUint(name, 10, 31); {
		case !isList:
			value, ok = object[name]
		case err == nil && i < uint64(len(list)):
			value, ok = list[i], true
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
	}
	return value, true
}

// Quote returns a text as JSON, without escapes for HTML. It replaces invalid UTF-8.
func Quote(text string) string {
	quoted, _ := jsontext.AppendQuote(nil, text) // the error is about what it replaced
	return string(quoted)
}
