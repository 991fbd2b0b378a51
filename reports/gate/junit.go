package gate

import (
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/junit"
)

// JUnit writes a decision as JUnit XML: a suite for each deployment and for each run, a case for
// each requirement. One that does not hold is a failure, one that could not be decided an error,
// and nothing is skipped.
func JUnit(d Decision) ([]byte, error) {
	doc := junit.Document{Name: "gateassay report gate"}
	for _, b := range digest.GroupBy(d.Findings,
		func(f RequirementFinding) string { return f.Subject }) {
		suite := junit.TestSuite{
			Name: b.Key, Host: "localhost", At: junit.FormatTimestamp(d.At),
			Properties: []junit.Property{
				{Name: "policy", Value: d.Policy.File}, {Name: "decision", Value: string(d.Verdict)},
			},
		}
		for _, f := range b.Items {
			kind, _, _ := strings.Cut(f.Check, " ")
			c := junit.TestCase{Class: "gate." + kind, Name: f.name()} // what CI follows
			switch result := (&junit.CaseResult{Type: string(f.State), Message: f.Message, Text: f.text()}); f.State {
			case StateBlocked:
				c.Failure = result
			case StateUndecided:
				c.Error = result
			}
			suite.Cases = append(suite.Cases, c)
		}
		doc.Suites = append(doc.Suites, suite)
	}
	return doc.MarshalXMLFile()
}
