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

// Limits that code hosts set for comments.
const (
	maxMarkdownChars = 55_000 // bytes after which lists and tables end
	maxRows          = 200
	maxRefs          = 6
	maxCellChars     = 600 // characters
)

// WriteMarkdown returns the report as a comment for a pull request, or as summary.md.
func WriteMarkdown(r Report) []byte {
	r = r.only(FormMarkdown)
	return markdown.FillTemplate(markdownLayout, template.FuncMap{
		"text":     func(s string) string { return markdown.Text(s, 1200) },
		"sentence": func(s string) string { return strings.TrimRight(s, ".") + "." },
		"full":     func(written, i int) bool { return written > maxMarkdownChars || i >= maxRows },
		"cell":     markdownCell, "whole": Item.hasDetails,
		"several": func(s string) string { // lines
			var lines []string
			for line := range strings.SplitSeq(printable.Truncate(s, 2*maxCellChars), "\n") {
				lines = append(lines, markdown.Text(line, maxCellChars))
			}
			return strings.Join(lines, "<br>")
		},
		"fence": func(s string) string { return markdown.Fence("sh", s, 4000) },
	}, r)
}

func markdownCell(c Cell) string {
	text := markdown.Text(c.Text, maxCellChars)
	switch {
	case c.Text == "":
	case c.Code:
		text = markdown.Code(c.Text, maxCellChars)
	case c.Tone == ToneBad || c.Tone == ToneUnsure && c.Badge:
		text = "**" + text + "**"
	}
	if c.Quiet != "" {
		text = strings.TrimSpace(text + " " + markdown.Text(c.Quiet, maxCellChars))
	}
	if len(c.Refs) > 0 {
		var names []string
		for _, r := range c.Refs {
			names = append(names, markdown.Code(r.Text, 200))
		}
		text = strings.TrimSpace(text + " " + printable.JoinFirst(names, maxRefs, ", "))
	}
	return text
}
