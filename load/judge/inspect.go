package judge

import (
	"bytes"
	"errors"
	"io"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Defect is what is wrong with the answer of an accepted export.
type Defect uint8

// The defects; of several, the first in this order is given.
const (
	Sound       Defect = iota
	NotObject          // not one JSON object
	NoFileID           // file_id absent, not a string, or empty
	NoFileState        // file_state absent or not an object
	NoCreatedAt        // created_at absent or not an RFC 3339 date-time with its zone
)

var defectRules = [...]string{
	"", "export.response.json", "export.response.file_id",
	"export.response.file_state", "export.response.created_at",
}

// Rule is the ID of the rule that the defect violates; empty for Sound.
func (d Defect) Rule() string { return defectRules[d] }

// Inspect judges the body of a 2xx answer.
func Inspect(body []byte) Defect { return newInspector().inspect(body) }

// inspector reads one answer after the other, and allocates nothing for those that are sound.
type inspector struct {
	in      bytes.Buffer
	decoder *jsontext.Decoder
	id      []byte // file_id of the last answer, in quotes; nil: it is not a string
}

func newInspector() *inspector { return &inspector{decoder: jsontext.NewDecoder(new(bytes.Buffer))} }

// inspect agrees with encoding/json on what JSON is: the last of several members of one name counts.
func (i *inspector) inspect(body []byte) Defect {
	i.in = *bytes.NewBuffer(body)
	d := i.decoder
	d.Reset(&i.in, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return NotObject
	}
	var state, created bool
	kept := i.id[:0]
	i.id = nil
	for d.PeekKind() == '"' {
		name, err := d.ReadValue()
		if err != nil {
			return NotObject
		}
		var is byte // the name is valid until the next read
		switch string(plain(name)) {
		case `"file_id"`:
			is = 'i'
		case `"file_state"`:
			is = 's'
		case `"created_at"`:
			is = 'c'
		}
		value, err := d.ReadValue()
		if err != nil {
			return NotObject
		}
		switch is {
		case 'i':
			if i.id = nil; value.Kind() == '"' {
				i.id = kept
				i.id = append(i.id, value...)
			}
		case 's':
			state = value.Kind() == '{'
		case 'c':
			created = value.Kind() == '"' && isDateTime(value)
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return NotObject
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return NotObject
	}
	switch {
	case len(i.id) <= len(`""`):
		return NoFileID
	case !state:
		return NoFileState
	case !created:
		return NoCreatedAt
	}
	return Sound
}

// plain gives a JSON string without escapes where there are any.
func plain(quoted jsontext.Value) jsontext.Value {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted
	}
	text, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return quoted
	}
	return append(append([]byte{'"'}, text...), '"')
}

// isDateTime reports whether a JSON string is an RFC 3339 date-time with its zone; T and Z may be lower case.
func isDateTime(quoted jsontext.Value) bool {
	text := plain(quoted)
	if bytes.ContainsAny(text, "tz") {
		text = bytes.ToUpper(text)
	}
	var at time.Time
	return shaped(text[1:len(text)-1]) && at.UnmarshalJSON(text) == nil
}

// shaped rejects what package time lets pass: hours of one digit, a comma before the fraction, offsets of a day or
// more.
func shaped(t []byte) bool {
	const hour = len("2006-01-02T")
	if len(t) < len("2006-01-02T15:04:05Z") || t[hour+2] != ':' || bytes.IndexByte(t, ',') >= 0 {
		return false
	}
	zone := t[max(0, len(t)-len("-07:00")):]
	return t[len(t)-1] == 'Z' || string(zone[1:3]) <= "23" && string(zone[4:]) <= "59"
}

// FileID reads the file_id of an accepted export; ok is false where there is none.
func FileID(body []byte) (id string, ok bool) {
	i := newInspector()
	if i.inspect(body) == NotObject || i.id == nil {
		return "", false
	}
	text, _ := jsontext.AppendUnquote(nil, i.id) // what is not UTF-8 is replaced
	return string(text), len(text) > 0
}
