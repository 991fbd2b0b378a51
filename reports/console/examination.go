// Package console renders what commands show besides reports: the progress of a run, dry runs, and
// examinations of a deployment.
package console

import (
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/junit"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/doctor"
)

// ExaminationReport is the JSON of doctor: the findings, and what a run would do.
type ExaminationReport struct {
	Schema     string           `json:"schema"`
	Deployment string           `json:"deployment"`
	BaseURL    string           `json:"base_url"`
	Testable   bool             `json:"testable"`
	Findings   []doctor.Finding `json:"findings"`
	Rules      int              `json:"rules"`
	Verified   int              `json:"verified"` // rules that a run would verify
	Gaps       []MissingKeyGap  `json:"gaps"`
	Depths     []DepthSummary   `json:"depths"`
	Created    int              `json:"created"` // created representatives

	file     string
	forecast suites.Forecast
	obstacle *doctor.Obstacle
}

// DepthSummary is the estimate of a run at one depth.
type DepthSummary struct {
	suites.DepthEstimate
	Seconds int `json:"seconds"` // at the deployment's rate; 0: unknown
}

// MissingKeyGap is a key of the deployment file that leaves rules unverified.
type MissingKeyGap struct {
	Do    string   `json:"do"` // add or correct
	Key   string   `json:"key"`
	Rules []string `json:"rules"`
}

// NewExaminationReport summarises an examination. file is empty for the embedded gateway.
func NewExaminationReport(dep *deployment.File, found suites.Examination,
	file string,
) ExaminationReport {
	x := ExaminationReport{
		Schema: "gateassay/examination/v1", Deployment: dep.Name, BaseURL: dep.BaseURL,
		Testable: found.Reachable, Findings: append([]doctor.Finding{}, found.Findings...),
		Rules: len(found.Rules), Gaps: []MissingKeyGap{}, Depths: []DepthSummary{},
		Created: found.Created, file: file, obstacle: found.Obstacle,
	}
	if !found.Reachable {
		return x
	}
	for _, p := range found.Depths {
		x.Depths = append(x.Depths,
			DepthSummary{p, int(p.EstimatedDuration.Round(time.Second).Seconds())})
	}
	x.forecast, x.Verified, x.Gaps = found.Forecast, x.Rules, missingKeyGaps(found.Rules)
	for _, gap := range x.Gaps {
		x.Verified -= len(gap.Rules)
	}
	return x
}

func (x ExaminationReport) hasFinding(state doctor.FindingState) bool {
	return slices.ContainsFunc(x.Findings, func(f doctor.Finding) bool { return f.State == state })
}

var findingTones = map[doctor.FindingState]view.Tone{
	doctor.StateOK:      view.ToneGood,
	doctor.StateWarning: view.ToneUnsure,
	doctor.StateBroken:  view.ToneBad,
}

// Report returns each finding, the number of rules that a run would verify, and the next step.
func (x ExaminationReport) Report() view.Report {
	r := view.Report{Rests: []string{x.Deployment + " at " + x.BaseURL}}
	looked := &view.Table{Columns: view.Columns("State", "Examined", "*Found")}
	gaps := &view.Table{Columns: view.Columns("", "Key", "To verify")}
	for _, f := range x.Findings {
		text := view.Cell{Text: f.Text}
		if f.Advice != "" {
			text.Quiet = "→ " + f.Advice
		}
		looked.Add(view.Cell{Text: string(f.State), Tone: findingTones[f.State]}, f.Name, text)
	}
	for _, g := range x.Gaps {
		gaps.Add(g.Do, g.Key, printable.Quantity(len(g.Rules), "rule"))
	}
	for _, t := range []*view.Table{looked, gaps, depthTable(x.forecast)} {
		r.Parts = append(r.Parts, view.Part{Blocks: []view.Block{{Table: t}}})
	}
	r.Headline = verifiedText(x.Verified, x.Rules)
	if x.Testable && (x.hasFinding(doctor.StateBroken) || x.hasFinding(doctor.StateWarning)) {
		r.Headline = "About " + r.Headline // a doubtful key may affect some requests of a rule only
	}
	if x.Created > 0 {
		r.Below = append(r.Below,
			"The examination created "+printable.Quantity(x.Created, "legal representative")+".")
	}
	verb := "conform"
	switch {
	case x.obstacle != nil && !x.hasFinding(doctor.StateBroken):
		r.Below = append(r.Below, strings.Split(strings.TrimSpace(x.obstacle.Lines()), "\n")...)
		return r
	case !x.Testable:
		verb = "doctor"
		r.Below = append(r.Below, "This deployment cannot be tested: fix what is broken first.")
	}
	next := "Next: gateassay " + verb
	if x.file != "" {
		next += " -d " + digest.ShellQuote(x.file)
	}
	r.Below = append(r.Below, next)
	return r
}

// Annotations returns the findings that need action, for GitHub.
func (x ExaminationReport) Annotations() string {
	r := view.Report{
		Kind: "Examination of", About: x.Deployment, Headline: x.Report().Headline, Tone: view.ToneGood,
		Why: []string{x.BaseURL},
	}
	if !x.Testable {
		r.Tone = view.ToneBad
	}
	var block view.Block
	for _, f := range x.Findings {
		if f.State != doctor.StateOK {
			block.Items = append(block.Items, view.Item{
				Tone: findingTones[f.State], Title: f.Name + ": " + f.Text,
				Lines: [][]view.Cell{view.Cells(f.Advice)},
			})
		}
	}
	r.Parts = []view.Part{{Blocks: []view.Block{block}}}
	return view.WriteAnnotations(r)
}

// JUnit returns a test case for each finding: a broken one fails, a warning is skipped.
func (x ExaminationReport) JUnit() ([]byte, error) {
	suite := junit.TestSuite{Name: "doctor"}
	for _, f := range x.Findings {
		c, why := junit.TestCase{Class: "doctor", Name: f.Name}, &junit.CaseResult{
			Type: string(f.State), Message: f.Text, Text: f.Text + "\n" + f.Advice,
		}
		switch f.State {
		case doctor.StateBroken:
			c.Failure = why
		case doctor.StateWarning:
			c.Skipped = why
		}
		suite.Cases = append(suite.Cases, c)
	}
	if !x.Testable && !x.hasFinding(doctor.StateBroken) {
		suite.Cases = append(suite.Cases, junit.TestCase{
			Class: "doctor", Name: "verdict",
			Error: &junit.CaseResult{Type: "no_verdict", Message: "nothing could be tested"},
		})
	}
	return junit.Document{
		Name: "gateassay doctor", Host: x.Deployment, At: time.Now(), Suites: []junit.TestSuite{suite},
	}.MarshalXMLFile()
}

// ObstacleReport returns why nothing could be judged: the answer, the next step, the cause.
func ObstacleReport(o *doctor.Obstacle) view.Report {
	return view.Report{
		Rests: o.DetailLines(), Headline: "INCONCLUSIVE", Tone: view.ToneUnsure, Why: []string{o.Cause},
	}
}
