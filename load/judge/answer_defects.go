package judge

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gateassay/gateassay/internal/schema"
)

// An AnswerDefect is a defect of the answer to an accepted export.
type AnswerDefect uint8

// Defects. If an answer has several, the first in this order counts.
const (
	DefectNone        AnswerDefect = iota
	DefectNotObject                // not one JSON object
	DefectNoFileID                 // file_id absent, not a string, or empty
	DefectNoFileState              // file_state absent or not an object
	DefectNoCreatedAt              // created_at absent or not a date-time
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

// isDateTime reports whether a JSON string is a date-time, which package schema decides. Package
// time reads the usual form much faster; it also reads a comma and an hour of one digit.
func isDateTime(quoted jsontext.Value) bool {
	const minutes = len(`"2006-01-02T15`)
	if len(quoted) > minutes && quoted[minutes] == ':' && bytes.IndexByte(quoted, ',') < 0 &&
		new(time.Time).UnmarshalJSON(quoted) == nil {
		return true
	}
	text, err := jsontext.AppendUnquote(nil, quoted)
	return err == nil && schema.KindDateTime.Fits(string(text))
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
