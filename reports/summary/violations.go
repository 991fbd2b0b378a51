package summary

import (
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/suites/record"
)

// violations shows what each violated rule expected and what came. The first ones are unfolded; of each the other
// checks and the curl commands are folded, so that a run with a few violations fits a screen or two.
func (p *page) violations() {
	var failed []record.Rule // those that one defect may explain stand together
	for _, c := range digest.Clusters(digest.With(p.run, record.Fail)) {
		failed = append(failed, c.Rules...)
	}
	if len(failed) == 0 {
		return
	}
	p.printf("### Violated\n\n")
	entries(p, failed, 300_000, func(i int, r record.Rule) {
		if i < openRules {
			p.printf("#### %s (%s)\n\n", code(r.ID), text(digest.Level(r)))
			p.rule(r)
			return
		}
		p.folded(r)
	})
	if len(failed) > 1 && len(failed) <= rerunRules {
		ids := make([]string, len(failed))
		for i, r := range failed {
			ids[i] = r.ID
		}
		p.printf("Rerun all of them:\n\n%s\n", markdown.Fence("sh", digest.RerunAll(ids, p.run.Run.File), curlLimit))
	}
}

// warnings are the should rules that failed, each folded.
func (p *page) warnings() {
	warned := digest.With(p.run, record.Warned)
	if len(warned) == 0 {
		return
	}
	p.printf("### Warnings\n\n")
	entries(p, warned, 280_000, func(_ int, r record.Rule) { p.folded(r) })
}

// folded is a rule in one line until it is opened; that line says what was seen.
func (p *page) folded(r record.Rule) {
	p.printf("<details><summary>%s (%s): %s</summary>\n\n", code(r.ID), text(digest.Level(r)), text(digest.Finding(r)))
	p.rule(r)
	p.printf("</details>\n\n")
}

func (p *page) rule(r record.Rule) {
	p.printf("%s", text(r.Statement))
	if r.Section != "" {
		p.printf(" Section: %s.", text(r.Section))
	}
	p.printf("\n\n")
	checks := digest.Deciding(r)
	if len(checks) == 0 {
		p.printf("- %s\n\n", text(r.Reason))
	} else {
		worst := decisive(r, checks)
		p.check(checks[worst])
		p.printf("\n")
		p.more(append(append([]record.Check{checks[worst]}, checks[:worst]...), checks[worst+1:]...))
	}
	p.printf("Rerun: %s\n\n", code(digest.Rerun(r.ID, p.run.Run.File)))
}

// decisive is the first check that is as bad as the rule.
func decisive(r record.Rule, checks []record.Check) int {
	for i, c := range checks {
		if c.Verdict == r.Verdict {
			return i
		}
	}
	return 0
}

func (p *page) check(c record.Check) {
	p.printf("- %s: **%s**", text(c.Name), digest.Ended(c.Verdict))
	if c.Message != "" {
		p.printf(", %s", text(c.Message))
	}
	p.printf("\n")
	for _, line := range [][2]string{{"expected", c.Expected}, {"actual", c.Actual}, {"repeats", digest.Repeats(c)}, {"exchanges", digest.Exchanges(c.Exchanges)}} {
		if line[1] != "" {
			p.printf("  - %s: %s\n", line[0], text(line[1]))
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
