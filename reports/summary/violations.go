package summary

import (
	"strings"

	"github.com/gateassay/gateassay/gateway/runfolder"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/suites/record"
)

// violations shows what each violated rule expected and what came. The first ones are unfolded; of each the other
// checks and the curl commands are folded, so that a run with a few violations fits a screen or two.
func (p *page) violations() {
	violated, _ := digest.Defects(p.run)
	if len(violated) == 0 {
		return
	}
	p.printf("### Violated: %s\n\n", digest.Quantity(len(violated), "defect"))
	var ids []string
	entries(p, violated, 300_000, func(i int, d digest.Defect) {
		if i < openRules {
			p.printf("#### %s\n\n", text(d.Headline))
			p.defect(d)
			return
		}
		p.folded(d)
	})
	for _, d := range violated {
		ids = append(ids, d.IDs()...)
	}
	if len(ids) > 1 && len(ids) <= rerunRules {
		p.printf("Rerun all of them:\n\n%s\n", markdown.Fence("sh", digest.RerunAll(ids, p.run.Run.File), curlLimit))
	}
}

// warnings are the should rules that failed, each folded.
func (p *page) warnings() {
	_, warned := digest.Defects(p.run)
	if len(warned) == 0 {
		return
	}
	p.printf("### Warnings\n\n")
	entries(p, warned, 280_000, func(_ int, d digest.Defect) { p.folded(d) })
}

// folded is a defect in one line until it is opened.
func (p *page) folded(d digest.Defect) {
	p.printf("<details><summary><strong>%s</strong> %s</summary>\n\n", text(d.Headline), code(d.Failed[0].ID))
	p.defect(d)
	p.printf("</details>\n\n")
}

// defect names the rules behind a headline, and shows the first of them.
func (p *page) defect(d digest.Defect) {
	r := d.Failed[0]
	p.printf("%s (%s)", code(r.ID), text(digest.Level(r)))
	if others := d.Others(); len(others) > 0 {
		p.printf(", also violated: %s", markdown.Codes(others, idLimit))
	}
	if n := len(d.Unjudged); n > 0 {
		p.printf(", %s could not be judged because of it: %s", digest.Quantity(n, "rule"),
			markdown.Codes(d.Unjudged, idLimit))
	}
	p.printf("\n\n%s", text(r.Statement))
	if r.Section != "" {
		p.printf(" Section: %s.", text(r.Section))
	}
	p.printf("\n\n")
	if checks := digest.Deciding(r); len(checks) == 0 {
		p.printf("- %s\n\n", text(r.Reason))
	} else {
		p.check(checks[0])
		p.printf("\n")
		p.more(checks)
	}
	p.printf("Rerun: %s\n\n", code(digest.Rerun(r.ID, p.run.Run.File)))
}

func (p *page) check(c record.Check) {
	p.printf("- %s: **%s**", text(c.Name), digest.Ended(c.Verdict))
	if c.Verdict != record.Fail && c.Message != "" {
		p.printf(", %s", text(c.Message))
	}
	p.printf("\n")
	for _, line := range [][2]string{
		{"expected", c.Expected},
		{"actual", c.Actual},
		{"repeats", digest.Repeats(c)},
		{"exchanges", digest.Exchanges(c.Exchanges)},
	} {
		for fact := range strings.SplitSeq(line[1], "\n") {
			if fact != "" {
				p.printf("  - %s: %s\n", line[0], text(fact))
			}
			line[0] = "and"
		}
	}
}

// more folds the commands that repeat the first check, which is shown already, and the other checks with theirs.
func (p *page) more(checks []record.Check) {
	if len(checks) == 1 && checks[0].Curl == "" || p.full(250_000) {
		return
	}
	title := "curl"
	switch {
	case len(checks) == 1:
	case checks[0].Curl == "":
		title = digest.Quantity(len(checks)-1, "more check")
	default:
		title = "curl, and " + digest.Quantity(len(checks)-1, "more check")
	}
	p.printf("<details><summary>%s</summary>\n\n", title)
	for i, c := range checks {
		if i == checkLimit || p.full(200_000) {
			p.printf("%d more are in %s\n\n", len(checks)-i, code(runfolder.RunName))
			break
		}
		if i > 0 {
			p.check(c)
			p.printf("\n")
		}
		if c.Curl != "" {
			p.printf("%s\n", markdown.Fence("sh", c.Curl, curlLimit))
		}
	}
	p.printf("</details>\n\n")
}
