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
)

// deepest bounds how far a record may nest.
const deepest = 200

// Record is a legal representative as the response shows it, with every number kept as written.
type Record struct {
	Envelope string // the member of the body that the record lies in; empty: it is the body

	root map[string]any
}

// Parse reads a response body: one JSON object in UTF-8 with nothing behind it, in which no object has a key twice.
// Where a member of the body holds the record, that is what is read.
// Its errors say which of that is wrong and where, and repeat no value.
func Parse(body []byte) (*Record, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, errors.New("the body is empty; expected a JSON object")
	}
	if !utf8.Valid(body) {
		return nil, errors.New("the body is not valid UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	value, err := readValue(decoder, nil)
	if err != nil {
		return nil, err
	}
	root, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the body is JSON of type %s; expected an object", typeOf(value))
	}
	end := decoder.InputOffset()
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("something follows the JSON object, which ends at byte %d", end)
	}
	inner, envelope := Unwrap(root, ofRecord[:]...)
	return &Record{root: inner, Envelope: envelope}, nil
}

func readValue(decoder *json.Decoder, path []string) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, broken(decoder, err)
	}
	delimiter, ok := token.(json.Delim)
	if !ok {
		return token, nil
	}
	if len(path) >= deepest {
		return nil, fmt.Errorf("the body nests more than %d levels", deepest)
	}
	if delimiter == '[' {
		list := []any{}
		for decoder.More() {
			value, err := readValue(decoder, append(path, fmt.Sprint(len(list))))
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, closed(decoder)
	}
	object := map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, broken(decoder, err)
		}
		key, ok := token.(string)
		if !ok {
			return nil, fmt.Errorf("the body is not JSON: a key that is not a string near byte %d",
				decoder.InputOffset())
		}
		here := slices.Concat(path, []string{key})
		if _, twice := object[key]; twice {
			return nil, fmt.Errorf("the key %q is there twice", strings.Join(here, "."))
		}
		if object[key], err = readValue(decoder, here); err != nil {
			return nil, err
		}
	}
	return object, closed(decoder)
}

func closed(decoder *json.Decoder) error {
	if _, err := decoder.Token(); err != nil {
		return broken(decoder, err)
	}
	return nil
}

// broken words a syntax error without the text around it.
func broken(decoder *json.Decoder, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the body is not JSON: it breaks off at byte %d", decoder.InputOffset())
	}
	return fmt.Errorf("the body is not JSON: a syntax error near byte %d", decoder.InputOffset())
}

// Get gives the value at a dotted path: string, json.Number, bool, nil, map[string]any or []any. false means that the
// path is absent; null is present.
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

// Type names the JSON type at a path: string, number, boolean, object, array, null, or absent.
func (r *Record) Type(path string) string {
	value, ok := r.Get(path)
	if !ok {
		return "absent"
	}
	return typeOf(value)
}

// Number gives the exact number at a path; false when there is none, or one whose exponent is beyond all reason.
func (r *Record) Number(path string) (*big.Rat, bool) {
	value, _ := r.Get(path)
	number, ok := value.(json.Number)
	if !ok {
		return nil, false
	}
	return ExactNumber(number.String())
}

// ExactNumber reads a JSON number without rounding; false when it is none, or one whose exponent is beyond all reason.
func ExactNumber(text string) (*big.Rat, bool) {
	if !json.Valid([]byte(text)) || text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return nil, false
	}
	if e := strings.IndexAny(text, "eE"); e >= 0 && len(strings.TrimLeft(text[e+1:], "+-0")) > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// String gives the string at a path.
func (r *Record) String(path string) (string, bool) {
	value, _ := r.Get(path)
	s, ok := value.(string)
	return s, ok
}

func typeOf(value any) string {
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
