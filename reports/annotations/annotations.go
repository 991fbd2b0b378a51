// Package annotations writes what was found as workflow commands, which GitHub shows beside the job.
package annotations

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// Level of an annotation, in the words of GitHub.
type Level string

// The levels.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// Annotation is one message. Its texts may hold anything.
type Annotation struct {
	Level Level
	Title string
	Text  string // may have several lines
}

// GitHub shows at most ten annotations of a level of a step; the last one says how many are left.
const most = 10

const (
	titleLimit = 200  // characters
	textLimit  = 3000 // characters
	factLimit  = 500  // characters of what was expected, and of what came
	nameLimit  = 5    // rules or keys named in one annotation
)

// Write gives a line for each annotation, errors first, at most ten of a level. Every text is escaped: none can start a
// command of its own.
func Write(list []Annotation) string {
	var b strings.Builder
	for _, level := range []Level{Error, Warning, Notice} {
		var same []Annotation
		for _, a := range list {
			if a.Level == level {
				same = append(same, a)
			}
		}
		if left := len(same) - most + 1; left > 1 {
			same = append(same[:most-1], Annotation{
				level, fmt.Sprintf("%d more", left), "GitHub shows ten; the summary and the report have them all",
			})
		}
		for _, a := range same {
			fmt.Fprintf(&b, "::%s title=%s::%s\n", level, property(printable.Clip(a.Title, titleLimit)),
				data(printable.Clip(a.Text, textLimit)))
		}
	}
	return b.String()
}

// GitHub returns an error for each violation, or for those that one defect may explain, and for a run that gives no
// verdict or was interrupted, a warning for each should rule that failed (an error in a strict run), for each group of
// inconclusive rules, for must rules that stayed unverified and for each waiver that needs attention, and a notice with
// any other verdict.
func GitHub(run record.Run) string {
	level := Notice
	if run.Run.Partial || run.Verdict != record.Conformant && run.Verdict != record.Violations &&
		run.Verdict != record.Partial {
		level = Error
	}
	list := []Annotation{{level, "gateassay " + run.Run.Deployment, digest.Headline(run) + ": " + run.Reason}}
	violated, warned := digest.Defects(run)
	for _, d := range violated {
		list = append(list, failures(run, d, Error, "violated"))
	}
	warning := Warning
	if run.Run.Strict {
		warning = Error
	}
	for _, d := range warned {
		list = append(list, failures(run, d, warning, "failed"))
	}
	for _, g := range digest.ByReason(digest.With(run, record.Inconclusive)) {
		list = append(list, Annotation{
			Warning, digest.Quantity(len(g.Rules), "rule") + " inconclusive", g.Cause + "\n" + some(g.IDs()),
		})
	}
	if a, found := unverified(run); found {
		list = append(list, a)
	}
	for _, w := range digest.Attention(run) {
		list = append(list, Annotation{Warning, "waiver " + w.Rule, digest.WaiverState(w)})
	}
	return Write(list)
}

// failures says what is wrong, and names the rules that show it: GitHub shows few annotations.
func failures(run record.Run, d digest.Defect, level Level, word string) Annotation {
	first := d.Failed[0]
	lines := []string{fmt.Sprintf("%s (%s) %s", first.ID, digest.Level(first), word)}
	if others := d.Others(); len(others) > 0 {
		lines = append(lines, word+" as well: "+some(others))
	}
	if len(d.Unjudged) > 0 {
		lines = append(lines, digest.Quantity(len(d.Unjudged),
			"rule")+" could not be judged because of it: "+some(d.Unjudged))
	}
	title := d.Headline
	if strings.TrimSpace(title) == "" {
		title = lines[0]
	}
	return Annotation{level, title, strings.Join(append(lines, violation(run, first)), "\n")}
}

// violation says what a rule demands, what came instead in its first check that failed, and how to see it again.
func violation(run record.Run, r record.Rule) string {
	lines := []string{r.Statement}
	failed, _ := digest.Failing(r)
	if failed > 0 {
		for _, fact := range digest.Facts(digest.Deciding(r)[0]) {
			if fact.Name == digest.Expected || fact.Name == digest.Actual {
				lines = append(lines, fact.Name+": "+printable.Clip(fact.Value, factLimit))
			}
		}
	}
	if failed > 1 {
		lines = append(lines, "and in "+digest.Quantity(failed-1, "more check"))
	}
	return strings.Join(append(lines, "rerun: "+digest.Rerun(run.Run.File, r.ID)), "\n")
}

// unverified names the must rules that nothing is known of, by the keys to add.
func unverified(run record.Run) (Annotation, bool) {
	var open []record.Rule
	for _, r := range digest.With(run, record.NotVerified) {
		if r.Level == "must" {
			open = append(open, r)
		}
	}
	if len(open) == 0 {
		return Annotation{}, false
	}
	var lines []string
	needs, others := digest.ByNeed(open)
	for _, g := range needs {
		lines = append(lines, fmt.Sprintf("add %s to verify %d", printable.Clip(g.Cause, factLimit), len(g.Rules)))
	}
	for _, g := range others {
		lines = append(lines, printable.Clip(g.Cause, factLimit)+": "+some(g.IDs()))
	}
	if left := len(lines) - nameLimit; left > 0 {
		lines = append(lines[:nameLimit], fmt.Sprintf("and %d more, see the summary", left))
	}
	return Annotation{
		Warning, digest.Quantity(len(open), "must rule") + " not verified", strings.Join(lines, "\n"),
	}, true
}

func some(ids []string) string { return digest.First(ids, nameLimit, ", ") }

// data escapes what follows the second double colon.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(printable.CleanLines(s))
}

// property escapes the value of a property, where colon and comma end it.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(printable.Clean(s)))
}
