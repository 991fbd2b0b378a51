package client

import (
	"encoding/json"
	"slices"
)

// HasErrorBody reports whether an answer is a JSON object that reports a failure: an error, errors,
// or a status of an error, or a code and a message, in place of what an accepted request gets.
func (x *Exchange) HasErrorBody() bool {
	var parts map[string]any
	if json.Unmarshal(x.Body, &parts) != nil {
		return false
	}
	_, hasCode := parts["code"].(string)
	_, hasMessage := parts["message"].(string)
	isResult := parts["id"] != nil || parts["file_id"] != nil
	return parts["error"] != nil || parts["errors"] != nil || parts["success"] == false ||
		!isResult && (hasCode && hasMessage || hasErrorStatus(parts))
}

// hasErrorStatus reports whether a body holds the status that its answer should have had.
func hasErrorStatus(parts map[string]any) bool {
	return slices.ContainsFunc([]string{"statusCode", "status", "code"}, func(name string) bool {
		status, isNumber := parts[name].(float64)
		return isNumber && status >= 400 && status < 600
	})
}
