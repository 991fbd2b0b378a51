package record

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/outcome"
)

// Finding is what a check found wrong, as values. Sentence makes the sentence of it that people
// read; no program does.
type Finding struct {
	// what was sent or looked at: "creation without email"
	Subject         string          `json:"subject,omitempty"`
	Outcome         outcome.Outcome `json:"outcome,omitempty"` // of it; empty: Got says all
	ExpectedOutcome outcome.Outcome `json:"due,omitempty"`     // what should have become of it
	// of the answer that shows it; 0: there was none
	Status int    `json:"status,omitempty"`
	Got    string `json:"got,omitempty"` // what came, in a few words: "201"
	// what the rule asks for, in a few words: "400 or 422"
	Want      string        `json:"want,omitempty"`
	Condition []FactorValue `json:"condition,omitempty"`
	// what the deployment was proven to do, which explains it
	Cause string `json:"cause,omitempty"`
	// method, path and what of the request matters, in values
	Sent     string `json:"sent,omitempty"`
	Expected string `json:"expected,omitempty"` // Want at length
	Actual   string `json:"actual,omitempty"`   // Got at length
	// of an export, around the bound that it is about
	Rows     []ExportRow `json:"rows,omitempty"`
	Attempts int         `json:"attempts,omitempty"` // judged several times
	Failed   int         `json:"failed,omitempty"`   // of Attempts
	Decisive int         `json:"decisive,omitempty"` // number of the exchange that shows it
	// that of the same request without the defect, which was accepted
	Control int `json:"control,omitempty"`
	// what to send, in this order, to see it again; the last is Decisive
	Repeat []int `json:"repeat,omitempty"`
}

// FactorValue is one choice of what a request carries, such as the header x-lang with the value
// en-US. A finding takes its conditions: without one of them all is as it should be. None: it takes
// none.
type FactorValue struct {
	Factor string `json:"factor"`
	Value  string `json:"value,omitempty"`
}

// String is "factor value".
func (s FactorValue) String() string { return strings.TrimSpace(s.Factor + " " + s.Value) }

// MapTexts is the finding with each of its texts put through a function.
func (f Finding) MapTexts(text func(string) string) Finding {
	for _, s := range []*string{
		&f.Subject, &f.Sent, &f.Got, &f.Want, &f.Cause, &f.Expected, &f.Actual,
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
