package judge

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

// Defect is what is wrong with the answer of an accepted export.
type Defect uint8

// The defects; of several, the first in this order is given.
const (
	Sound       Defect = iota
	NotObject          // not one JSON object
	NoFileID           // file_id absent, no string, or empty
	NoFileState        // file_state absent or no object
	NoCreatedAt        // created_at absent or no RFC 3339 date-time with its zone
)

var defectRules = [...]string{"", "export.response.json", "export.response.file_id", "export.response.file_state", "export.response.created_at"}

// Rule is the ID of the rule that the defect violates; empty for Sound.
func (d Defect) Rule() string { return defectRules[d] }

// Inspect judges the body of a 2xx answer.
func Inspect(body []byte) Defect {
	if d, ok := scan(body); ok {
		return d
	}
	return inspectSlowly(body)
}

var dateTime = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$`)

// inspectSlowly is Inspect by encoding/json: for what the scanner leaves to it, and the measure of the scanner in tests.
func inspectSlowly(body []byte) Defect {
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) != nil || object == nil {
		return NotObject
	}
	if id, ok := text(object["file_id"]); !ok || id == "" {
		return NoFileID
	}
	if state := bytes.TrimSpace(object["file_state"]); len(state) == 0 || state[0] != '{' {
		return NoFileState
	}
	created, ok := text(object["created_at"])
	if !ok || !dateTime.MatchString(created) {
		return NoCreatedAt
	}
	if _, err := time.Parse(time.RFC3339, strings.ToUpper(created)); err != nil {
		return NoCreatedAt
	}
	return Sound
}

// text reads a JSON string.
func text(raw json.RawMessage) (string, bool) {
	var s *string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// FileID reads the file_id of an accepted export; ok is false where there is none.
func FileID(body []byte) (id string, ok bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) != nil {
		return "", false
	}
	id, ok = text(object["file_id"])
	return id, ok && id != ""
}
