// Package rules is the catalogue: every statement of the API document that a deployment can be held to, as data.
package rules

// Level says how binding a rule is.
type Level string

const (
	// Must rules are stated by the document.
	Must Level = "must"
	// Should rules follow from the document, which does not say what a violation gets.
	Should Level = "should"
	// Observe marks what the document does not show: recorded, never judged.
	Observe Level = "observe"
)

// Rule is one statement.
type Rule struct {
	ID        string   `json:"id"` // operation.topic.detail, stable: waivers name it
	Level     Level    `json:"level"`
	Security  bool     `json:"security"`  // it protects data or money: a failure is a violation whatever the level
	Section   string   `json:"section"`   // heading of the API document that the rule comes from
	Statement string   `json:"statement"` // in our own words
	Needs     []string `json:"needs"`     // deployment file keys without which it cannot be verified; "a|b": either
}

// Operation is the first part of the ID: create, export, replay or auth.
func (r Rule) Operation() string {
	for i := range r.ID {
		if r.ID[i] == '.' {
			return r.ID[:i]
		}
	}
	return r.ID
}

// Topic is the second part of the ID, or the first where there is no second.
func (r Rule) Topic() string {
	op := r.Operation()
	if len(op) == len(r.ID) {
		return op
	}
	rest := r.ID[len(op)+1:]
	for i := range rest {
		if rest[i] == '.' {
			return rest[:i]
		}
	}
	return rest
}
