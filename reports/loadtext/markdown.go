package loadtext

import (
	_ "embed"
	"strings"
	"text/template"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/markdown"
)

//go:embed run.gotmpl
var runLayout string

//go:embed capacity.gotmpl
var capacityLayout string

// CapacityMarkdown is summary.md of a search for the capacity.
func CapacityMarkdown(c capacity.File) []byte { return filled(capacityLayout, c) }

// Markdown is summary.md of a load run.
func Markdown(run results.Run) []byte { return filled(runLayout, run) }

func filled(layout string, recorded any) []byte {
	const limit = 1000 // characters of one text
	return markdown.Fill(layout, limit, template.FuncMap{
		"sentence": func(s string) string { return strings.TrimSuffix(markdown.Text(s, limit), ".") + "." },
		"number":   number, "answers": answers, "spaced": spaced, "identity": identity, "classes": judge.Classes,
		"open":    func(t threshold.Result) bool { return t.Observed == threshold.NoData },
		"tried":   func(c capacity.Confidence) int { return c.Held + c.Missed },
		"percent": func(share float64) float64 { return 100 * share },
	}, recorded)
}

func spaced(s string) string { return strings.ReplaceAll(s, "_", " ") }
