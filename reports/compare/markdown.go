package compare

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"text/template"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/markdown"
)

//go:embed comment.gotmpl
var comment string

const (
	mostRows  = 200 // of a Markdown table: a comment of a pull request has its limits
	mostCodes = 30  // rules in one of its cells
)

// Markdown is the result as a comment for a pull request.
func Markdown(r Result) string {
	functions := template.FuncMap{
		"brief": brief, "lower": strings.ToLower,
		"codes": func(list []string) string { return markdown.Codes(list, mostCodes) },
		"few": func(list any) any {
			all := reflect.ValueOf(list)
			return all.Slice(0, min(mostRows, all.Len())).Interface()
		},
		"more": func(list any) string {
			if n := reflect.ValueOf(list).Len() - mostRows; n > 0 {
				return fmt.Sprintf("\nand %d more\n", n)
			}
			return ""
		},
		"strong": func(v Verdict, word string) string {
			if v == Regression || v == Improvement {
				return "**" + word + "**"
			}
			return word
		},
		"bundles": bundles, "driftRows": driftRows, "figure": Metric.value, "rated": rated, "inMS": inMS,
		"point":      orNone,
		"thresholds": func(s Search) string { return listed(sorted(s.Thresholds)) },
	}
	maps.Copy(functions, shared(r))
	return string(markdown.Fill(comment, longestShown, functions, contents(r)))
}

// driftRows are what drifted: the observation, what of it, before and after.
func driftRows(list []Drift) (rows [][4]string) {
	bundled, others := lacks(list)
	for _, l := range bundled {
		rows = append(rows, [4]string{markdown.Codes(l.IDs, mostCodes), brief(l.Reason)})
	}
	for _, d := range others {
		name := markdown.Code(d.ID, longestShown)
		for _, p := range d.lines() {
			row := [4]string{name, brief(cmp.Or(d.Reason, p.What)), brief(p.Before), brief(p.After)}
			if p.Before == "" {
				row[2] = "*not there*"
			}
			if p.After == "" {
				row[3] = "*gone*"
			}
			rows, name = append(rows, row), ""
		}
	}
	return rows
}

func brief(s string) string { return markdown.Text(printable.Clip(s, textLimit), longestShown) }
