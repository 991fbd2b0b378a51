// Package console says what commands show beside reports: how far a run is, what a dry run would do, and what an examination of
// a deployment found.
package console

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/doctor"
)

// Examination is what the doctor found, how many rules a run would verify, and what to do next. file is the deployment file;
// empty: the embedded gateway.
func Examination(dep *deployment.File, found suites.Examination, file string) view.Report {
	tones := map[doctor.State]view.Tone{doctor.OK: view.Good, doctor.Warning: view.Unsure, doctor.Broken: view.Bad}
	r := view.Report{Rests: []string{dep.Name + " at " + dep.BaseURL}}
	looked := view.Table{Columns: view.Columns("", "", "*")}
	verified, about := len(found.Plans), ""
	for _, f := range found.Findings {
		text := view.Cell{Text: f.Text}
		if f.Do != "" {
			text.Quiet = "→ " + f.Do
		}
		looked.Add(view.Cell{Text: string(f.State), Tone: tones[f.State]}, f.Name, text)
		if f.State != doctor.OK { // what is in doubt may leave some of a rule's requests
			about = "About "
		}
	}
	gaps := view.Table{Columns: view.Columns("", "", "*")}
	for _, g := range gapsOf(found.Plans) {
		verified -= len(g.Items)
		gaps.Add(g.Key.do, g.Key.name, "to verify "+digest.Quantity(len(g.Items), "rule"))
	}
	if !found.Reachable {
		verified, about, gaps.Rows = 0, "", nil
	}
	for _, t := range []struct {
		title string
		*view.Table
	}{{"examined", &looked}, {"gaps", &gaps}} {
		r.Parts = append(r.Parts, view.Part{Title: t.title, Blocks: []view.Block{{Table: t.Table}}})
	}
	r.Headline = fmt.Sprintf("%s%d of %s would be verified", about, verified, digest.Quantity(len(found.Plans), "rule"))
	if found.Created > 0 {
		r.Below = append(r.Below, "The examination created "+digest.Quantity(found.Created, "legal representative")+".")
	}
	verb := "conform"
	switch {
	case found.Obstacle != nil:
		r.Below = append(r.Below, lines(found.Obstacle)...)
		return r
	case !found.Reachable:
		verb = "doctor"
		r.Below = append(r.Below, "This deployment cannot be tested: fix what is broken first.")
	}
	next := "Next: gateassay " + verb
	if file != "" {
		next += " -d " + digest.Quote(file)
	}
	r.Below = append(r.Below, next)
	return r
}

// Obstructed says why a run ended before anything could be judged: the cause, the answer, the next step.
func Obstructed(o *doctor.Obstacle) view.Report {
	return view.Report{Rests: lines(o), Headline: "INCONCLUSIVE", Tone: view.Unsure, Why: []string{"nothing could be judged"}}
}

func lines(o *doctor.Obstacle) []string { return strings.Split(strings.TrimSpace(o.Lines()), "\n") }
