package representative

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// ofRecord are members that show a record.
var ofRecord = []string{"document", "address", "name", "representor_type", "person_type", "shareholder_id"}

// ID is the ID of the record that a body holds, be it a number; empty: none. It makes no map of the body, which may have
// any number of members and is looked at while others are.
func ID(body []byte) string {
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var inside []seen // objects that hold a record
	outer, err := look(d, func() error {
		inner, err := look(d, d.SkipValue)
		if inner.record {
			inside = append(inside, inner)
		}
		return err
	})
	if err != nil {
		return ""
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) { // something follows
		return ""
	}
	if !outer.record && len(inside) == 1 {
		return inside[0].id
	}
	return outer.id
}

// seen is what was seen of an object.
type seen struct {
	id     string
	record bool // it has members that show a record
}

// look reads an object. within reads each object that is the value of a member of it.
func look(d *jsontext.Decoder, within func() error) (object seen, err error) {
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return object, cmp.Or(err, errNoObject)
	}
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return object, err
		}
		name := token.String()
		object.record = object.record || slices.Contains(ofRecord, name)
		switch kind := d.PeekKind(); {
		case name == "id" && (kind == '"' || kind == '0'):
			if token, err = d.ReadToken(); err == nil {
				object.id = token.String()
			}
		case kind == '{':
			err = within()
		default:
			err = d.SkipValue()
		}
		if err != nil {
			return object, err
		}
	}
	_, err = d.ReadToken() // its end
	return object, err
}

var errNoObject = errors.New("no object")

// Unwrap finds the object that has one of some members: the object itself, or the only one inside it that has. envelope
// is the name that it lies under; empty: none. What is ambiguous stays as it is.
func Unwrap(object map[string]any, members ...string) (inner map[string]any, envelope string) {
	has := func(object map[string]any) bool {
		return slices.ContainsFunc(members, func(name string) bool { _, there := object[name]; return there })
	}
	inner = object
	if has(object) {
		return object, ""
	}
	for name, value := range object {
		within, isObject := value.(map[string]any)
		if !isObject || !has(within) {
			continue
		}
		if envelope != "" {
			return object, ""
		}
		inner, envelope = within, name
	}
	return inner, envelope
}
