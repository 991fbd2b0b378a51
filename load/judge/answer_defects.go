package judge

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An AnswerDefect is a defect of the answer to an accepted export.
type AnswerDefect uint8

// Defects. If an answer has several, the first in this order counts.
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

// Rule returns the ID of the rule that the defect violates, or "" for DefectNone.
func (d AnswerDefect) Rule() string { return defectRules[d] }

// FindDefect returns the defect of the body of a 2xx answer.
func FindDefect(body []byte) AnswerDefect { return new(exportAnswer).parse(body) }

// An exportAnswer is the answer to an accepted export. It can be reused.
type exportAnswer struct {
	FileID    jsontext.Value `json:"file_id"`
	FileState jsontext.Value `json:"file_state"`
	CreatedAt jsontext.Value `json:"created_at"`
}

// parse accepts the same JSON as encoding/json: the last of several members with one name
// counts.
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

// hasRFC3339Shape rejects invalid forms that package time accepts: hours of one digit, a comma
// before the fraction, offsets of a day or more.
func hasRFC3339Shape(t []byte) bool {
	const hour = len("2006-01-02T")
	if len(t) < len("2006-01-02T15:04:05Z") || t[hour+2] != ':' || bytes.IndexByte(t, ',') >= 0 {
		return false
	}
	zone := t[max(0, len(t)-len("-07:00")):]
	return t[len(t)-1] == 'Z' || string(zone[1:3]) <= "23" && string(zone[4:]) <= "59"
}

// FileID reads the file_id of an accepted export. ok is false if there is none.
func FileID(body []byte) (id string, ok bool) {
	var a exportAnswer
	if defect := a.parse(body); defect == DefectNotObject || defect == DefectNoFileID {
		return "", false
	}
	text, _ := jsontext.AppendUnquote(nil, a.FileID) // invalid UTF-8 is replaced
	return string(text), true
}
