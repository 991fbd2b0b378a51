// Package rules says what a rule is: a statement of the API document that a deployment can be held
// to. The rules themselves are declared in suites, beside the specs that verify them.
package rules

import "strings"

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

// Section is a heading of the API document.
type Section string

// Sections of the API document that hold rules.
const (
	SectionRecord         Section = "Legal representative (response of creation)"
	SectionRequest        Section = "Legal representative (creation request body)"
	SectionCreate         Section = "Create legal representative"
	SectionExportFile     Section = "Quote export file (response of export)"
	SectionExport         Section = "Generate quote statement export file"
	SectionStates         Section = "States and transitions"
	SectionAuthentication Section = "Authentication"
	SectionErrors         Section = "Errors"
	SectionLimits         Section = "Limits"
)

// Rule is one statement.
type Rule struct {
	ID        string  `json:"id"` // operation.topic.detail, stable: waivers name it
	Level     Level   `json:"level"`
	Section   Section `json:"section"`   // that the rule comes from
	Statement string  `json:"statement"` // in our own words
	// protects data or money: a violation counts whatever the level
	Security bool     `json:"security"`
	Needs    []string `json:"needs"` // deployment file keys without which it cannot be verified

	Asks []string `json:"-"` // operations whose answers it needs, where that is not the one of its ID
}

// Operations names those whose answers the rule needs. Without one of them it stays unverified.
func (r Rule) Operations() []string {
	switch operation := r.Operation(); {
	case len(r.Asks) > 0:
		return r.Asks
	case FindOperation(operation).Method != "":
		return []string{operation}
	case operation == "replay" && r.Level != Observe: // a refusal is something to observe
		return []string{"export"}
	}
	return nil
}

// Operation is the first part of the ID: that of an operation, replay or auth.
func (r Rule) Operation() string {
	operation, _, _ := strings.Cut(r.ID, ".")
	return operation
}

// Topic is the second part of the ID, or the first where there is no second.
func (r Rule) Topic() string {
	parts := strings.SplitN(r.ID, ".", 3)
	return parts[min(1, len(parts)-1)]
}
