package client

import (
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/internal/exactjson"
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
	for _, document := range exactjson.DecodeAll(x.Body) {
		object, isObject := document.(map[string]any)
		if !isObject {
			continue
		}
		inner, _ := representative.Unwrap(object, memberOfRecord, memberOfExport)
		switch id, _ := inner["id"].(string); {
		case x.Operation == OperationExport && isText(inner[memberOfExport]) &&
			inner["file_state"] != nil:
			return memberOfExport
		case x.Operation == OperationCreate && id != "" && isText(inner[memberOfRecord]):
			return memberOfRecord
		}
	}
	return ""
}

func isText(v any) bool { text, _ := v.(string); return strings.TrimSpace(text) != "" }
