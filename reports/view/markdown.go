package view

import (
	_ "embed"
	"strings"
	"text/template"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/markdown"
)

//go:embed report.gotmpl
var markdownLayout string

// Bounds that keep Markdown within what code hosts accept as a comment.
const (
	maxMarkdownChars = 55_000 // bytes after which lists and tables end
	maxRows          = 200
	maxWholeItems    = 5 // findings that are not folded
	maxRefs          = 6
	cellLimit        = 600 // characters
)

// WriteMarkdown is the report as a comment for a pull request, or as summary.md. Texts of runs are
// shown literally.
func WriteMarkdown(r Report) []byte {
	r = r.in(FormMarkdown)
	return markdown.FillTemplate(markdownLayout, 1200, template.FuncMap{
		"sentence": func(s string) string { return strings.TrimRight(s, ".") + "." },
		"icon":     func(t Tone) string { return map[Tone]string{ToneGood: "✅", ToneBad: "❌", ToneUnsure: "⚠️"}[t] },
		"rule": func(c Column) string {
			if c.Number {
				return "--:"
			}
			return "---"
		},
		"full": func(written, i int) bool { return written > maxMarkdownChars || i >= maxRows },
		"cell": cell, "whole": Item.whole, "unfolded": func() int { return maxWholeItems },
		"cells": func(line []Cell) string {
			var parts []string
			for _, c := range line {
				parts = append(parts, cell(c))
			}
			return strings.Join(parts, " ")
		},
		"several": func(s string) string { // lines
			var lines []string
			for line := range strings.SplitSeq(printable.Truncate(s, 2*cellLimit), "\n") {
				lines = append(lines, markdown.Text(line, cellLimit))
			}
			return strings.Join(lines, "<br>")
		},
		"fence": func(s string) string { return markdown.Fence("sh", s, 4000) },
	}, r)
}

func cell(c Cell) string {
	text := markdown.Text(c.Text, cellLimit)
	switch {
	case c.Text == "":
	case c.Code:
		text = markdown.Code(c.Text, cellLimit)
	case c.Tone == ToneBad || c.Tone == ToneUnsure && c.Badge:
		text = "**" + text + "**"
	}
	if c.Quiet != "" {
		text = strings.TrimSpace(text + " " + markdown.Text(c.Quiet, cellLimit))
	}
	if len(c.Refs) > 0 {
		var names []string
		for _, r := range c.Refs {
			names = append(names, r.Text)
		}
		text = strings.TrimSpace(text + " " + markdown.Codes(names, maxRefs))
	}
	return text
}
