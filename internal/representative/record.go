package representative

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gateassay/gateassay/internal/exactjson"
)

// Record is a legal representative as the response shows it. Numbers are kept as written.
type Record struct {
	Envelope string // the member of the body that holds the record; empty: the body is the record

	root map[string]any
}

// Parse parses a response body: one JSON object in UTF-8, without duplicate keys or trailing
// text. A member of the body may hold the record. Errors say what is wrong and where, but quote
// no value.
func Parse(body []byte) (*Record, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, errors.New("the body is empty")
	}
	if !utf8.Valid(body) {
		return nil, errors.New("the body is not valid UTF-8")
	}
	// accept unpaired surrogates such as \ud800
	decoder := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowInvalidUTF8(true))
	var value any
	err := jsonv2.UnmarshalDecode(decoder, &value, jsonv2.WithUnmarshalers(exactNumbers))
	if err != nil {
		return nil, syntaxError(decoder, err)
	}
	root, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the body is a JSON %s, not an object", jsonTypeOf(value))
	}
	end := decoder.InputOffset()
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("there is extra text after the JSON object, which ends at byte %d", end)
	}
	inner, envelope := Unwrap(root, recordMembers...)
	return &Record{root: inner, Envelope: envelope}, nil
}

// exactNumbers keeps numbers as written.
var exactNumbers = jsonv2.UnmarshalFromFunc(func(decoder *jsontext.Decoder, value *any) error {
	if decoder.PeekKind() != '0' {
		return errors.ErrUnsupported
	}
	number, err := decoder.ReadValue()
	*value = json.Number(number)
	return err
})

// syntaxError describes a syntax error without quoting the body.
func syntaxError(decoder *jsontext.Decoder, err error) error {
	syntax := &jsontext.SyntacticError{ByteOffset: decoder.InputOffset()}
	_ = errors.As(err, &syntax)
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return fmt.Errorf("the key %q appears twice",
			strings.Join(slices.Collect(syntax.JSONPointer.Tokens()), "."))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the body is not JSON: it breaks off at byte %d", syntax.ByteOffset)
	case decoder.StackDepth() > maxJSONDepth:
		return fmt.Errorf("the body is nested more than %d levels deep", maxJSONDepth)
	}
	return fmt.Errorf("the body is not JSON: a syntax error near byte %d", syntax.ByteOffset)
}

// maxJSONDepth is the nesting beyond which errors blame the depth.
const maxJSONDepth = 1000

// Get returns the value at a dotted path: string, json.Number, bool, nil, map[string]any or
// []any, and whether the path exists. A null exists.
func (r *Record) Get(path string) (any, bool) {
	return exactjson.LookupPath(r.root, path)
}

// JSONType returns the JSON type at a path: string, number, boolean, object, array, null, or
// absent.
func (r *Record) JSONType(path string) string {
	value, ok := r.Get(path)
	if !ok {
		return "absent"
	}
	return jsonTypeOf(value)
}

// ParseExactNumber parses a JSON number without rounding. It reports false for other text and
// for exponents of more than four digits.
func ParseExactNumber(text string) (*big.Rat, bool) {
	if !isNumber([]byte(text)) {
		return nil, false
	}
	if e := strings.IndexAny(text, "eE"); e >= 0 && len(strings.TrimLeft(text[e+1:], "+-0")) > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func jsonTypeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}
