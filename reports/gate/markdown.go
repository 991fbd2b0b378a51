package gate

import (
	_ "embed"
	"slices"
	"text/template"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/markdown"
)

//go:embed comment.gotmpl
var comment string

// commentLimit keeps the Markdown within what code hosts accept as a comment, in bytes.
const commentLimit = 60_000

// Markdown writes a decision as a comment for a pull request. Texts of runs are shown literally.
func Markdown(d Decision) []byte {
	against := ordered(d)
	if i := slices.IndexFunc(against, func(f Finding) bool { return f.State == Held }); i >= 0 {
		against = against[:i]
	}
	return markdown.Fill(comment, 1200, template.FuncMap{
		"limit":    func(share float64) int { return int(share * commentLimit) },
		"check":    func(s string) string { return markdown.Code(s, 200) },
		"name":     func(s string) string { return markdown.Text(s, 200) },
		"age":      func(finished time.Time) string { return span(max(0, d.At.Sub(finished))) },
		"quantity": digest.Quantity,
	}, struct {
		Decision
		Headline, Conclusion string
		Against, Held        []Finding
		Icons, Words         map[State]string
		Most                 int
	}{
		d, headline(d), conclusion(d), against,
		slices.DeleteFunc(slices.Clone(d.Findings), func(f Finding) bool { return f.State != Held }),
		map[State]string{Held: "✅", Blocked: "❌", Undecided: "⚠️"},
		words, detailsShown,
	})
}
