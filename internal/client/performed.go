package client

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/internal/representative"
)

// Members of an answer that only a request which was carried out gets.
const (
	memberOfRecord = "person_type"
	memberOfExport = "file_id"
)

// PerformedMember returns the name of a member of a refusal's body which shows that the request was
// carried out all the same, as by a handler that goes on after it wrote an error: the person_type
// of a new record, or the file_id of an export. It is empty where there is none, and for a 409,
// which may show what exists already.
func (x *Exchange) PerformedMember() string {
	if !x.IsClientError() || x.Status == http.StatusConflict {
		return ""
	}
	for _, document := range x.jsonObjects() {
		inner, _ := representative.Unwrap(document, memberOfRecord, memberOfExport)
		switch id, _ := inner["id"].(string); {
		case x.Operation == OperationExport && isText(inner[memberOfExport]) && inner["file_state"] != nil:
			return memberOfExport
		case x.Operation == OperationCreate && id != "" && isText(inner[memberOfRecord]):
			return memberOfRecord
		}
	}
	return ""
}

// jsonObjects reads the JSON objects that a body holds one after the other, as far as it is JSON.
func (x *Exchange) jsonObjects() (objects []map[string]any) {
	d := json.NewDecoder(bytes.NewReader(x.Body))
	for {
		var document any
		if d.Decode(&document) != nil {
			return objects
		}
		if object, is := document.(map[string]any); is {
			objects = append(objects, object)
		}
	}
}

func isText(v any) bool { text, _ := v.(string); return strings.TrimSpace(text) != "" }
