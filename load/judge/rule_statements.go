package judge

import "github.com/gateassay/gateassay/gateway/rules"

// RuleStatement returns the statement of a rule that an answer under load can break, as in the
// catalogue, or "" for other rules.
func RuleStatement(rule string) string { return RuleStatements()[rule] }

// RuleStatements lists the rules that an answer under load can break, with their statements.
func RuleStatements() map[string]string {
	all := map[string]string{
		"export.success": "An export is accepted with an empty object, with each optional field " +
			"alone, and with all of them; no filter text breaks it.",
		"export.response.json":       "The answer of an accepted export is one JSON object.",
		"export.response.file_id":    "file_id is present, a string, and not empty.",
		"export.response.file_state": "file_state is present and an object.",
		"export.response.created_at": "created_at is present and a date-time.",
		"replay.blocked_is_4xx":      "A blocked request is answered with a 4xx.",
	}
	for _, m := range rules.ReplayModes() {
		with := "Without a replay protection value, "
		if m.Header != "" {
			with = "With " + m.Header + ", "
		}
		all["replay."+m.Name+".first"] = with + "a request that repeats no earlier one passes."
		all["replay."+m.Name+".same"] = with + "a request that repeats everything is blocked."
	}
	return all
}
