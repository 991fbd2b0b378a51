// Package rules defines what a rule is: a statement of the API document that a deployment can
// be checked against. The rules themselves are declared in suites, next to the specs that
// verify them.
package rules

import "strings"

// Level is how binding a rule is.
type Level string

const (
	// Must rules are stated by the document.
	Must Level = "must"
	// Should rules are implied by the document, which does not say what happens otherwise.
	Should Level = "should"
	// Observe marks behavior that the document does not specify: it is recorded, never judged.
	Observe Level = "observe"
)

// Section is a heading of the API document.
type Section string

// Sections of the API document that contain rules.
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

// Rule is one statement of the API document.
type Rule struct {
	ID        string  `json:"id"` // operation.topic.detail; stable, because waivers name it
	Level     Level   `json:"level"`
	Section   Section `json:"section"`   // that the rule comes from
	Statement string  `json:"statement"` // in our own words
	// protects data or money: a violation counts at any level
	Security bool     `json:"security"`
	Needs    []string `json:"needs"` // deployment file keys without which it cannot be verified

	Asks []string `json:"-"` // operations whose answers it needs, if not just that of its ID
}

// Operations returns the operations whose answers the rule needs. Otherwise it stays unverified.
func (r Rule) Operations() []string {
	switch operation := r.Operation(); {
	case len(r.Asks) > 0:
		return r.Asks
	case FindOperation(operation).Method != "":
		return []string{operation}
	case operation == "replay" && r.Level != Observe: // an observation may be a refusal
		return []string{"export"}
	}
	return nil
}

// Operation returns the first part of the ID: an operation, replay or auth.
func (r Rule) Operation() string {
	operation, _, _ := strings.Cut(r.ID, ".")
	return operation
}

// Topic returns the second part of the ID, or the first if there is only one.
func (r Rule) Topic() string {
	parts := strings.SplitN(r.ID, ".", 3)
	return parts[min(1, len(parts)-1)]
}
