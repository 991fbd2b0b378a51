package record

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/outcome"
)

// Finding is what a check found wrong, as values. People read Sentence; programs read the fields.
type Finding struct {
	// Subject is what was sent or examined: "creation without email".
	Subject string `json:"subject,omitempty"`
	// Outcome is what became of the subject; empty: Got says all.
	Outcome outcome.Outcome `json:"outcome,omitempty"`
	// ExpectedOutcome is what should have become of it. The name in JSON is that of version 1.
	ExpectedOutcome outcome.Outcome `json:"due,omitempty"`
	// Status is that of the decisive answer; 0: there was none.
	Status int `json:"status,omitempty"`
	// Got is what came, in a few words: "201".
	Got string `json:"got,omitempty"`
	// Want is what the rule requires, in a few words: "400 or 422".
	Want string `json:"want,omitempty"`
	// Condition is what the request needs for the finding to show; empty: nothing.
	Condition []FactorValue `json:"condition,omitempty"`
	// Cause is the proven behaviour of the deployment that explains the finding.
	Cause string `json:"cause,omitempty"`
	// Sent has the method, the path and the relevant values of the request.
	Sent     string `json:"sent,omitempty"`
	Expected string `json:"expected,omitempty"` // Want in full
	Actual   string `json:"actual,omitempty"`   // Got in full
	// DaysLate is by how many days a date came back later than it was sent; negative: earlier.
	DaysLate int `json:"days_late,omitempty"`
	// Rows are those of an export near the bound in question.
	Rows []ExportRow `json:"rows,omitempty"`
	// Attempts is how often the subject was judged, if more than once; Failed of these failed.
	Attempts int `json:"attempts,omitempty"`
	Failed   int `json:"failed,omitempty"`
	// Decisive is the number of the exchange that shows the finding.
	Decisive int `json:"decisive,omitempty"`
	// Control is the number of the accepted exchange of the same request without the defect.
	Control int `json:"control,omitempty"`
	// Repeat has the numbers of the exchanges to repeat, in this order. The last is Decisive.
	Repeat []int `json:"repeat,omitempty"`
}

// FactorValue is one factor of a request and its value, such as the header x-lang and en-US. The
// condition of a finding lists the factor values without which the deployment behaves correctly;
// an empty one means always.
type FactorValue struct {
	Factor string `json:"factor"`
	Value  string `json:"value,omitempty"`
}

// String returns "factor value".
func (s FactorValue) String() string { return strings.TrimSpace(s.Factor + " " + s.Value) }

// MapTexts returns a copy of the finding with text applied to each of its texts but the subject,
// which is a name that a rule gives, like that of its check.
func (f Finding) MapTexts(text func(string) string) Finding {
	for _, s := range []*string{
		&f.Sent, &f.Got, &f.Want, &f.Cause, &f.Expected, &f.Actual,
	} {
		*s = text(*s)
	}
	f.Condition, f.Rows = slices.Clone(f.Condition), slices.Clone(f.Rows)
	for i, s := range f.Condition {
		f.Condition[i] = FactorValue{text(s.Factor), text(s.Value)}
	}
	for i, r := range f.Rows {
		f.Rows[i].ID, f.Rows[i].Date = text(r.ID), text(r.Date)
	}
	return f
}
