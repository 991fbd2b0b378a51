package judge

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// AnswerDefect is what is wrong with the answer of an accepted export.
type AnswerDefect uint8

// The defects; of several, the first in this order is given.
const (
	DefectNone        AnswerDefect = iota
	DefectNotObject                // not one JSON object
	DefectNoFileID                 // file_id absent, not a string, or empty
	DefectNoFileState              // file_state absent or not an object
	DefectNoCreatedAt              // created_at absent or not an RFC 3339 date-time with its zone
)

var defectRules = [...]string{
	"", "export.response.json", "export.response.file_id",
	"export.response.file_state", "export.response.created_at",
}

// Rule is the ID of the rule that the defect violates; empty for DefectNone.
func (d AnswerDefect) Rule() string { return defectRules[d] }

// FindDefect judges the body of a 2xx answer.
func FindDefect(body []byte) AnswerDefect { return new(exportAnswer).parse(body) }

// exportAnswer is that of an accepted export. It is made once and used again.
type exportAnswer struct {
	FileID    jsontext.Value `json:"file_id"`
	FileState jsontext.Value `json:"file_state"`
	CreatedAt jsontext.Value `json:"created_at"`
}

// parse agrees with encoding/json on what JSON is: the last of several members of one name counts.
func (a *exportAnswer) parse(body []byte) AnswerDefect {
	a.FileID, a.FileState, a.CreatedAt = a.FileID[:0], a.FileState[:0], a.CreatedAt[:0]
	begin := bytes.TrimLeft(body, " \t\r\n")
	switch {
	case len(begin) == 0 || begin[0] != '{',
		json.Unmarshal(body, a, jsontext.AllowDuplicateNames(true),
			jsontext.AllowInvalidUTF8(true)) != nil:
		return DefectNotObject
	case a.FileID.Kind() != '"' || len(a.FileID) <= len(`""`):
		return DefectNoFileID
	case a.FileState.Kind() != '{':
		return DefectNoFileState
	case a.CreatedAt.Kind() != '"' || !isDateTime(a.CreatedAt):
		return DefectNoCreatedAt
	}
	return DefectNone
}

func unquote(quoted jsontext.Value) jsontext.Value {
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
	text := unquote(quoted)
	if bytes.ContainsAny(text, "tz") {
		text = bytes.ToUpper(text)
	}
	var at time.Time
	return hasRFC3339Shape(text[1:len(text)-1]) && at.UnmarshalJSON(text) == nil
}

// hasRFC3339Shape rejects what package time lets pass: hours of one digit, a comma before the
// fraction, offsets of a day or more.
func hasRFC3339Shape(t []byte) bool {
	const hour = len("2006-01-02T")
	if len(t) < len("2006-01-02T15:04:05Z") || t[hour+2] != ':' || bytes.IndexByte(t, ',') >= 0 {
		return false
	}
	zone := t[max(0, len(t)-len("-07:00")):]
	return t[len(t)-1] == 'Z' || string(zone[1:3]) <= "23" && string(zone[4:]) <= "59"
}

// FileID reads the file_id of an accepted export; ok is false where there is none.
func FileID(body []byte) (id string, ok bool) {
	var a exportAnswer
	if defect := a.parse(body); defect == DefectNotObject || defect == DefectNoFileID {
		return "", false
	}
	text, _ := jsontext.AppendUnquote(nil, a.FileID) // what is not UTF-8 is replaced
	return string(text), true
}
