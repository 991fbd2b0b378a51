// Package annotations writes what a run found as workflow commands, which GitHub shows beside the job.
package annotations

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

// GitHub shows at most ten errors and ten warnings of a step; the last one of each says how many are left.
const most = 10

// GitHub returns one line for each violation (error), each group of inconclusive rules and each waiver that needs
// attention (warning), and one for the verdict (notice). Every text is escaped: none can start a command of its own.
func GitHub(run record.Run) string {
	var errors, warnings [][2]string
	for _, r := range digest.With(run, record.Fail) {
		text := r.Statement
		for _, c := range digest.Deciding(r) {
			if c.Expected != "" || c.Actual != "" {
				text += "\nexpected: " + digest.Clip(c.Expected, 500) + "\nactual: " + digest.Clip(c.Actual, 500)
			} else {
				text += "\n" + digest.Clip(c.Message, 500)
			}
		}
		errors = append(errors, [2]string{r.ID + " violated", text + "\nrerun: " + digest.Rerun(r.ID, run.Run.File)})
	}
	for _, g := range digest.ByReason(digest.With(run, record.Inconclusive)) {
		ids := g.IDs()
		if len(ids) > 5 {
			ids = append(ids[:5:5], fmt.Sprintf("and %d more", len(g.Rules)-5))
		}
		warnings = append(warnings, [2]string{digest.Quantity(len(g.Rules), "rule") + " inconclusive", g.Cause + "\n" + strings.Join(ids, ", ")})
	}
	for _, w := range digest.Attention(run) {
		warnings = append(warnings, [2]string{"waiver " + w.Rule, digest.WaiverState(w)})
	}
	var b strings.Builder
	write(&b, "error", errors)
	write(&b, "warning", warnings)
	line(&b, "notice", "gateassay "+run.Run.Deployment, digest.Headline(run)+": "+digest.Why(run))
	return b.String()
}

func write(b *strings.Builder, command string, found [][2]string) {
	for i, f := range found {
		if i == most-1 && len(found) > most {
			line(b, command, fmt.Sprintf("%d more", len(found)-i), "see the summary of the run")
			return
		}
		line(b, command, f[0], f[1])
	}
}

func line(b *strings.Builder, command, title, text string) {
	fmt.Fprintf(b, "::%s title=%s::%s\n", command, property(digest.Clip(title, 200)), data(digest.Clip(text, 3000)))
}

// data escapes what follows the second double colon.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(digest.CleanLines(s))
}

// property escapes the value of a property, where colon and comma end it.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(digest.Clean(s)))
}
