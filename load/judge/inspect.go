package judge

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json"
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
func Inspect(body []byte) Defect { return new(answer).read(body) }

// answer is that of an accepted export. It is made once and used again.
type answer struct {
	FileID    jsontext.Value `json:"file_id"`
	FileState jsontext.Value `json:"file_state"`
	CreatedAt jsontext.Value `json:"created_at"`
}

// read agrees with encoding/json on what JSON is: the last of several members of one name counts.
func (a *answer) read(body []byte) Defect {
	a.FileID, a.FileState, a.CreatedAt = a.FileID[:0], a.FileState[:0], a.CreatedAt[:0]
	begin := bytes.TrimLeft(body, " \t\r\n")
	switch {
	case len(begin) == 0 || begin[0] != '{',
		json.Unmarshal(body, a, jsontext.AllowDuplicateNames(true),
			jsontext.AllowInvalidUTF8(true)) != nil:
		return NotObject
	case a.FileID.Kind() != '"' || len(a.FileID) <= len(`""`):
		return NoFileID
	case a.FileState.Kind() != '{':
		return NoFileState
	case a.CreatedAt.Kind() != '"' || !isDateTime(a.CreatedAt):
		return NoCreatedAt
	}
	return Sound
}

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

// isDateTime reports whether a JSON string is an RFC 3339 date-time with its zone; T and Z may be
// lower case.
func isDateTime(quoted jsontext.Value) bool {
	text := plain(quoted)
	if bytes.ContainsAny(text, "tz") {
		text = bytes.ToUpper(text)
	}
	var at time.Time
	return shaped(text[1:len(text)-1]) && at.UnmarshalJSON(text) == nil
}

// shaped rejects what package time lets pass: hours of one digit, a comma before the fraction,
// offsets of a day or more.
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
	var a answer
	if defect := a.read(body); defect == NotObject || defect == NoFileID {
		return "", false
	}
	text, _ := jsontext.AppendUnquote(nil, a.FileID) // what is not UTF-8 is replaced
	return string(text), true
}
