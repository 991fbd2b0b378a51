package proofpage

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/suites/proof"
)

// CoverageTable is what the runs of a cycle put together, for a terminal: what none of them does first.
func CoverageTable(c proof.Coverage) string {
	var b strings.Builder
	for _, cell := range c.Cells {
		if cell.Seed == 0 && cell.Meaningless == "" {
			fmt.Fprintf(&b, "%-44s %-6s %-18s %s\n", cell.Rule, cell.Operation, words(cell.Partner), cell.LeftOut)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", covered(c.Score))
	return b.String()
}

// covered is a coverage in one line.
func covered(s proof.CoverageScore) string {
	var runs []string
	for i, n := range s.Cumulative {
		if i > 0 && n == s.Cumulative[i-1] {
			break
		}
		runs = append(runs, fmt.Sprintf("%d by %s", n, seeds(i+1)))
	}
	return fmt.Sprintf("of %d pairs of a rule and a partner that have a meaning, %s; %d are left out; "+
		"%d requests a run at most",
		s.Pairs, strings.Join(runs, ", "), s.LeftOut, s.Requests)
}

func seeds(n int) string {
	if n == 1 {
		return "seed 1"
	}
	return fmt.Sprintf("seeds 1 to %d", n)
}

func words(partner string) string { return strings.ReplaceAll(partner, "_", " ") }

//go:embed coverage.gotmpl
var coverageLayout string

// CoverageMarkdown is the coverage as a section of a page.
func CoverageMarkdown(c proof.Coverage) string {
	var reasons []string
	for _, cell := range c.Cells {
		if why := reason(cell); why != "" && !slices.Contains(reasons, why) {
			reasons = append(reasons, why)
		}
	}
	return string(markdown.Fill(coverageLayout, 0, template.FuncMap{
		"covered": covered, "reasons": func() []string { return reasons },
		"number": func(i int) int { return i + 1 },
		"table":  func(op string) string { return coverageOf(c, client.Operation(op), reasons) },
	}, c))
}

// reason is why not every run puts a pair together; empty: each does.
func reason(cell proof.Cell) string {
	if cell.Seed > 0 {
		return cell.InTurn
	}
	return cell.Meaningless + cell.LeftOut
}

// coverageOf is the table of an operation: the first seed that puts a pair together, and why not each does, or none.
func coverageOf(c proof.Coverage, op client.Operation, reasons []string) string {
	partners := proof.Partners(op)
	var b strings.Builder
	b.WriteString(words(markdown.Row(append([]string{"rule"}, partners...)...)))
	b.WriteString("|---|" + strings.Repeat("---|", len(partners)) + "\n")
	var line []string
	for _, cell := range c.Cells {
		if cell.Operation != op {
			continue
		}
		if len(line) == 0 {
			line = []string{"`" + cell.Rule + "`"}
		}
		text := fmt.Sprint(cell.Seed)
		switch why := slices.Index(reasons, reason(cell)) + 1; {
		case cell.Meaningless != "":
			text = fmt.Sprintf("– (%d)", why)
		case cell.Seed == 0:
			text = fmt.Sprintf("**no** (%d)", why)
		case why > 0:
			text = fmt.Sprintf("%d (%d)", cell.Seed, why)
		}
		if line = append(line, text); len(line) > len(partners) {
			b.WriteString(markdown.Row(line...))
			line = nil
		}
	}
	return b.String()
}
