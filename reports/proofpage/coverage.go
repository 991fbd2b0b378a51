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

// CoverageTable is what the runs of a cycle put together, for a terminal: what one of them does not first.
func CoverageTable(c proof.Coverage) string {
	var b strings.Builder
	for _, cell := range c.Cells {
		if len(cell.Missed) > 0 {
			fmt.Fprintf(&b, "%-44s %-6s %-18s not by seeds %v\n", cell.Rule, cell.Operation, words(cell.Partner), cell.Missed)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", covered(c.Score))
	return b.String()
}

// covered is a coverage in one line.
func covered(s proof.CoverageScore) string {
	if len(s.EachRun) == 0 {
		return "no run"
	}
	least := fmt.Sprint("at least ", slices.Min(s.EachRun))
	if slices.Min(s.EachRun) == s.Pairs {
		least = "all"
	}
	return fmt.Sprintf("of %d meaningful pairs of a rule and a partner, each of %d runs sends %s; "+
		"%d requests a run at most", s.Pairs, len(s.EachRun), least, s.Requests)
}

func words(partner string) string { return strings.ReplaceAll(partner, "_", " ") }

//go:embed coverage.gotmpl
var coverageLayout string

// CoverageMarkdown is the coverage as a section of a page.
func CoverageMarkdown(c proof.Coverage) string {
	var reasons []string
	for _, cell := range c.Cells {
		if why := cell.Meaningless; why != "" && !slices.Contains(reasons, why) {
			reasons = append(reasons, why)
		}
	}
	return string(markdown.Fill(coverageLayout, 0, template.FuncMap{
		"covered": covered, "reasons": func() []string { return reasons },
		"number": func(i int) int { return i + 1 },
		"table":  func(op string) string { return coverageOf(c, client.Operation(op), reasons) },
	}, c))
}

// coverageOf is the table of an operation: whether each run puts a pair together, and why that would say nothing.
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
		text := "yes"
		switch {
		case cell.Meaningless != "":
			text = fmt.Sprintf("– (%d)", slices.Index(reasons, cell.Meaningless)+1)
		case len(cell.Missed) > 0:
			text = "**no**"
		}
		if line = append(line, text); len(line) > len(partners) {
			b.WriteString(markdown.Row(line...))
			line = nil
		}
	}
	return b.String()
}
