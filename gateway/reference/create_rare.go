package reference

import (
	"encoding/json"
	"strings"
)

// checkRare refuses, where the choice is to do so, what is sound and rare.
func checkRare(rd *reading) {
	if !rd.narrow {
		return
	}
	if email, _ := rd.values["email"].(string); strings.Contains(email, "+") {
		rd.add("email.plus", "email", "expected an address without a plus sign")
	}
	if share, ok := rd.values["participation_percentage"].(json.Number); ok {
		if _, decimals, _ := strings.Cut(share.String(), "."); len(decimals) > 2 {
			rd.add("participation_percentage.fine", "participation_percentage", "expected at most two decimals")
		}
	}
	updated, _ := rd.values["registration_update_date"].(string)
	if start, _ := rd.values["relationship_start_date"].(string); updated != "" && updated < start {
		rd.add("registration_update_date.early", "registration_update_date", "expected a date from the start of the relationship on")
	}
}
