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
)

// Record is a legal representative as the response shows it, with every number kept as written.
type Record struct {
	Envelope string // the member of the body that the record lies in; empty: it is the body

	root map[string]any
}

// Parse reads a response body: one JSON object in UTF-8 with nothing behind it, in which no object
// has a key twice. Where a member of the body holds the record, that is what is read. Its errors
// say which of that is wrong and where, and repeat no value.
func Parse(body []byte) (*Record, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, errors.New("the body is empty; expected a JSON object")
	}
	if !utf8.Valid(body) {
		return nil, errors.New("the body is not valid UTF-8")
	}
	// of \ud800 alone
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

// exactNumbers keeps numbers as they are written.
var exactNumbers = jsonv2.UnmarshalFromFunc(func(decoder *jsontext.Decoder, value *any) error {
	if decoder.PeekKind() != '0' {
		return errors.ErrUnsupported
	}
	number, err := decoder.ReadValue()
	*value = json.Number(number)
	return err
})

// syntaxError words a syntax error without the text around it.
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

// maxJSONDepth is how many levels of JSON may be what is wrong with it.
const maxJSONDepth = 1000

// Get gives the value at a dotted path: string, json.Number, bool, nil, map[string]any or []any.
// false means that the path is absent; null is present.
func (r *Record) Get(path string) (any, bool) {
	var value any = r.root
	for name := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = object[name]; !ok {
			return nil, false
		}
	}
	return value, true
}

// JSONType names the JSON type at a path: string, number, boolean, object, array, null, or absent.
func (r *Record) JSONType(path string) string {
	value, ok := r.Get(path)
	if !ok {
		return "absent"
	}
	return jsonTypeOf(value)
}

// ParseExactNumber reads a JSON number without rounding; false when it is none, or one whose
// exponent is beyond all reason.
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
