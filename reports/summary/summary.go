// Package summary writes a recorded run as Markdown for a pull request or the step summary of a CI job.
package summary

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

// Bounds that keep the summary readable and below the 1 MiB that a step summary may have.
const (
	textLimit  = 2000    // characters of one text
	sizeLimit  = 900_000 // bytes of the whole
	idLimit    = 40      // rules named in one line
	noteLimit  = 20      // notes at the top
	checkLimit = 5       // checks of one rule
)

// Markdown renders a run: verdict, counts, violations, inconclusive rules, what was not verified by the key to add,
// waivers, observations, how to repeat it. Every text of the run is escaped. It never exceeds 1 MiB: what does not
// fit is counted, and run.json has it.
func Markdown(run record.Run) []byte {
	p := &page{run: run}
	p.head()
	p.counts()
	p.violations()
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

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// full tells that the limit is near; reserve leaves room for the closing sections.
func (p *page) full(reserve int) bool { return p.b.Len() > sizeLimit-reserve }

// entries writes entries of a list while there is room and says how many were left out.
func entries[T any](p *page, list []T, reserve int, write func(T)) {
	for i, e := range list {
		if p.full(reserve) {
			p.printf("\n%d more are left out here; %s has them all.\n\n", len(list)-i, code(record.RunName))
			return
		}
		write(e)
	}
}

func (p *page) head() {
	info := p.run.Run
	p.printf("## gateassay: %s\n\n", text(digest.Headline(p.run)))
	p.printf("**%s** on %s, %s.\n\n", text(digest.Why(p.run)), text(info.Deployment), code(info.BaseURL))
	p.printf("%s sent from %s to %s UTC. Created: %s.\n\n", digest.Quantity(info.Requests, "request"),
		info.StartedAt.UTC().Format("2006-01-02 15:04:05"), info.FinishedAt.UTC().Format("15:04:05"), digest.Created(p.run))
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

func (p *page) counts() {
	p.printf("| operation | violated | inconclusive | not verified | waived | passed | observed |\n|---|--:|--:|--:|--:|--:|--:|\n")
	row := func(name string, c record.Counts) {
		p.printf("| %s | %d | %d | %d | %d | %d | %d |\n", name, c.Fail, c.Inconclusive, c.NotVerified, c.Waived, c.Pass, c.Observed)
	}
	entries(p, digest.Operations(p.run), sizeLimit/2, func(op digest.Operation) { row(text(op.Name), op.Counts) })
	row("**all**", p.run.Counts)
	p.printf("\n")
}

func (p *page) violations() {
	failed := digest.With(p.run, record.Fail)
	if len(failed) == 0 {
		return
	}
	p.printf("### Violated\n\n")
	entries(p, failed, 300_000, func(r record.Rule) {
		p.printf("#### %s (%s)\n\n%s", code(r.ID), text(r.Level), text(r.Statement))
		if r.Section != "" {
			p.printf(" Section: %s.", text(r.Section))
		}
		p.printf("\n\n")
		for i, c := range digest.Deciding(r) {
			if i == checkLimit {
				p.printf("- %d more checks\n\n", len(digest.Deciding(r))-i)
				break
			}
			p.check(c)
		}
		p.printf("Rerun: %s\n\n", code(digest.Rerun(r.ID, p.run.Run.File)))
	})
}

func (p *page) check(c record.Check) {
	p.printf("- %s: **%s**", text(c.Name), digest.Word(c.Verdict))
	if c.Message != "" {
		p.printf(", %s", text(c.Message))
	}
	p.printf("\n")
	for _, line := range [][2]string{{"expected", c.Expected}, {"actual", c.Actual}, {"repeats", digest.Repeats(c)}, {"exchanges", digest.Exchanges(c.Exchanges)}} {
		if line[1] != "" {
			p.printf("  - %s: %s\n", line[0], text(line[1]))
		}
	}
	p.printf("\n")
	if c.Curl != "" && !p.full(250_000) {
		p.printf("<details><summary>curl</summary>\n\n%s\n</details>\n\n", fence("sh", c.Curl))
	}
}

func (p *page) inconclusive() {
	groups := digest.ByReason(digest.With(p.run, record.Inconclusive))
	if len(groups) == 0 {
		return
	}
	p.printf("### Inconclusive\n\n")
	entries(p, groups, 250_000, func(g digest.Group) {
		p.printf("- %s: %s\n", text(g.Cause), codes(g.IDs(), idLimit))
	})
	p.printf("\n")
}

func (p *page) notVerified() {
	needs, others := digest.ByNeed(digest.With(p.run, record.NotVerified))
	if len(needs)+len(others) == 0 {
		return
	}
	p.printf("### Not verified\n\n")
	entries(p, needs, 200_000, func(g digest.Group) {
		p.printf("- add %s to verify %s\n", code(g.Cause), codes(g.IDs(), idLimit))
	})
	entries(p, others, 200_000, func(g digest.Group) {
		p.printf("- %s: %s\n", text(g.Cause), codes(g.IDs(), idLimit))
	})
	p.printf("\n")
}

func (p *page) waivers() {
	if len(p.run.Waivers) == 0 {
		return
	}
	p.printf("### Waivers\n\n| waiver | reason | state |\n|---|---|---|\n")
	entries(p, p.run.Waivers, 150_000, func(w record.WaiverNote) {
		p.printf("| %s | %s | %s |\n", code(w.Rule), text(w.Reason), text(digest.WaiverState(w)))
	})
	p.printf("\n")
}

func (p *page) observations() {
	if len(p.run.Observations) == 0 {
		return
	}
	p.printf("### Observed\n\n<details><summary>%s</summary>\n\n| what | seen | exchanges |\n|---|---|---|\n", digest.Quantity(len(p.run.Observations), "observation"))
	entries(p, p.run.Observations, 50_000, func(o record.Observation) {
		p.printf("| %s | %s | %s |\n", code(o.ID), text(o.Observed), text(digest.Exchanges(o.Exchanges)))
	})
	p.printf("\n</details>\n\n")
}

func (p *page) repeat() {
	info := p.run.Run
	p.printf("### How to repeat\n\n")
	if info.Command != "" {
		p.printf("%s\n", fence("sh", info.Command))
	}
	p.printf("Run %s, seed %d", code(info.ID), info.Seed)
	if info.Version != "" {
		p.printf(", gateassay %s", text(info.Version))
	}
	p.printf(".\n")
}
