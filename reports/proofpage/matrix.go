// Package proofpage renders the kill matrix of the proof for a terminal and as docs/proof.md.
package proofpage

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/suites/proof"
)

var (
	//go:embed table.gotmpl
	tableLayout string
	//go:embed matrix.gotmpl
	pageLayout string
)

// RenderText returns the matrix for a terminal: surviving and imprecise faults first.
func RenderText(m proof.Matrix) string {
	rank := func(r proof.MatrixRow) int {
		switch {
		case !r.Killed:
			return 0
		case len(r.Unrelated) > 0:
			return 1
		}
		return 2
	}
	m.Rows = slices.Clone(m.Rows)
	slices.SortStableFunc(m.Rows, func(a, b proof.MatrixRow) int { return rank(a) - rank(b) })
	return string(markdown.FillTemplate(tableLayout, template.FuncMap{
		"score": FormatScore, "share": shareText,
		"failed": func(r proof.MatrixRow) string {
			list := otherFailedRules(r, "+%s", "!%s")
			if r.Killed {
				list = append([]string{r.Rule}, list...)
			}
			return strings.Join(list, " ")
		},
	}, m))
}

// otherFailedRules returns the failed rules other than the fault's own, formatted with related or
// unrelated.
func otherFailedRules(r proof.MatrixRow, related, unrelated string) (list []string) {
	for _, id := range r.Failed {
		switch {
		case id == r.Rule:
		case slices.Contains(r.Unrelated, id):
			list = append(list, fmt.Sprintf(unrelated, id))
		default:
			list = append(list, fmt.Sprintf(related, id))
		}
	}
	return list
}

// FormatScore returns the score of a matrix in one line.
func FormatScore(s proof.MatrixScore) string {
	text := fmt.Sprintf("killed %s, precise %s, alone %s, repeated by a script %s; %.2f rules "+
		"failed for a fault on average", shareText(s.Killed, s.Faults), shareText(s.Precise, s.Faults),
		shareText(s.Exact, s.Faults), shareText(s.Repeated, s.Faults), s.FailedMean)
	const most = 12 // a few chosen faults leave nearly all rules unproven
	switch n := len(s.Unproven); {
	case n > most:
		text += fmt.Sprintf("; %d rules are broken by none of these faults", n)
	case n > 0:
		text += fmt.Sprintf("; %d rules without a fault that breaks them: %s", n,
			strings.Join(s.Unproven, ", "))
	}
	return text
}

func shareText(n, of int) string {
	if of == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", n, of, 100*float64(n)/float64(of))
}

// RenderMarkdown returns the matrix as a page.
func RenderMarkdown(m proof.Matrix) string {
	return string(markdown.FillTemplate(pageLayout, template.FuncMap{
		"score":        FormatScore,
		"matrixSchema": func() string { return proof.MatrixSchema },
		"row": func(r proof.MatrixRow) string {
			said := map[bool]string{true: "yes", false: "**no**"}
			return markdown.Row("`"+r.Fault+"`", r.Statement, "`"+r.Rule+"`", said[r.Killed],
				said[r.ScriptResult == proof.ScriptConfirmed],
				strings.Join(otherFailedRules(r, "`%s`", "**`%s`**"), " "))
		},
	}, m))
}
