// Package summary writes a recorded run as Markdown for the step summary of a CI job.
package summary

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/suites/record"
)

// Bounds that keep the summary readable and below the 1 MiB that a step summary may have.
const (
	textLimit  = 600     // characters of one text; run.json has it whole
	curlLimit  = 4000    // characters
	sizeLimit  = 900_000 // bytes of the whole
	openRules  = 5       // violated rules that are unfolded
	rerunRules = 20      // rules in one command
	idLimit    = 6       // rules named in one line
	noteLimit  = 20      // notes at the top
	checkLimit = 5       // checks of one rule
)

// Markdown renders a run: verdict, a table of counts, violations with what was expected and what came, warnings,
// inconclusive rules, what was not verified by the key to add, waivers, observations, how to repeat it. Every text of
// the run is shown literally. It never exceeds 1 MiB: what does not fit is counted, and run.json has it.
func Markdown(run record.Run) []byte {
	p := &page{run: run}
	p.head()
	p.violations()
	p.warnings()
	p.inconclusive()
	p.notVerified()
	p.waivers()
	p.observations()
	p.repeat()
	return []byte(p.b.String())
}

type page struct {
	b   strings.Builder
	run record.Run
}

func text(s string) string { return markdown.Text(s, textLimit) }

func code(s string) string { return markdown.Code(s, textLimit) }

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// full reports that the limit is near; reserve leaves room for the closing sections.
func (p *page) full(reserve int) bool { return p.b.Len() > sizeLimit-reserve }

// entries writes entries of a list while there is room and says how many were left out.
func entries[T any](p *page, list []T, reserve int, write func(int, T)) {
	for i, e := range list {
		if p.full(reserve) {
			p.printf("\n%d more are left out here; %s has them all.\n\n", len(list)-i, code(runfolder.RunName))
			return
		}
		write(i, e)
	}
}

func (p *page) head() {
	info := p.run.Run
	p.printf("## gateassay: %s\n\n", text(digest.Headline(p.run)))
	p.counts()
	p.printf("**%s** on %s, %s.\n\n", text(digest.Why(p.run)), text(info.Deployment), code(info.BaseURL))
	p.printf("%s sent from %s to %s UTC. Created: %s.\n\n", digest.Quantity(info.Requests, "request"),
		info.StartedAt.UTC().Format("2006-01-02 15:04:05"), info.FinishedAt.UTC().Format("15:04:05"),
		digest.Created(p.run))
	if info.Partial {
		p.printf("The run was interrupted: rules that it did not reach are not verified.\n\n")
	}
	for i, n := range p.run.Notes {
		if i == noteLimit {
			p.printf("- %d more notes\n", len(p.run.Notes)-i)
			break
		}
		p.printf("- %s\n", text(n))
	}
	if len(p.run.Notes) > 0 {
		p.printf("\n")
	}
}

func (p *page) inconclusive() {
	groups := digest.ByReason(digest.With(p.run, record.Inconclusive))
	if len(groups) == 0 {
		return
	}
	p.printf("### Inconclusive\n\n")
	entries(p, groups, 250_000, func(_ int, g digest.Group) {
		p.printf("- %s: %s\n", text(g.Cause), markdown.Codes(g.IDs(), idLimit))
	})
	p.printf("\n")
}

func (p *page) notVerified() {
	needs, others := digest.ByNeed(digest.With(p.run, record.NotVerified))
	if len(needs)+len(others) == 0 {
		return
	}
	p.printf("### Not verified\n\n")
	entries(p, needs, 200_000, func(_ int, g digest.Group) {
		p.printf("- add %s to verify %s: %s\n", code(g.Cause), digest.Quantity(len(g.Rules), "rule"),
			markdown.Codes(g.IDs(), idLimit))
	})
	entries(p, others, 200_000, func(_ int, g digest.Group) {
		p.printf("- %s: %s\n", text(g.Cause), markdown.Codes(g.IDs(), idLimit))
	})
	p.printf("\n")
}

func (p *page) waivers() {
	if len(p.run.Waivers) == 0 {
		return
	}
	p.printf("### Waivers\n\n| waiver | reason | state |\n|---|---|---|\n")
	entries(p, p.run.Waivers, 150_000, func(_ int, w record.WaiverNote) {
		p.printf("| %s | %s | %s |\n", code(w.Rule), text(w.Reason), text(digest.WaiverState(w)))
	})
	p.printf("\n")
}

func (p *page) counts() {
	p.printf("| operation | violated | warnings | inconclusive | not verified | waived | passed | observed " +
		"|\n|---|--:|--:|--:|--:|--:|--:|--:|\n")
	row := func(name string, c record.Counts) {
		p.printf("| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, c.Fail,
			c.Warn, c.Inconclusive, c.NotVerified, c.Waived, c.Pass, c.Observed)
	}
	entries(p, digest.Operations(p.run), 800_000, func(_ int, op digest.Operation) { row(text(op.Name), op.Counts) })
	row("**all**", p.run.Counts)
	p.printf("\n")
}

func (p *page) observations() {
	if len(p.run.Observations) == 0 {
		return
	}
	p.printf("<details><summary>%s</summary>\n\n| what | seen | exchanges |\n|---|---|---|\n",
		digest.Quantity(len(p.run.Observations), "observation"))
	entries(p, p.run.Observations, 50_000, func(_ int, o record.Observation) {
		p.printf("| %s | %s | %s |\n", code(o.ID), text(o.Observed), text(digest.Exchanges(o.Exchanges)))
	})
	p.printf("\n</details>\n\n")
}

func (p *page) repeat() {
	info := p.run.Run
	p.printf("### How to repeat\n\n")
	if info.Command != "" {
		p.printf("%s\n", markdown.Fence("sh", info.Command, curlLimit))
	}
	p.printf("Run %s, seed %d", code(info.ID), info.Seed)
	if info.Version != "" {
		p.printf(", gateassay %s", text(info.Version))
	}
	p.printf(".\n")
}
