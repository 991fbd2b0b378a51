package conformance

import (
	_ "embed"
	"encoding/json"
	"html/template"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

var (
	//go:embed report.css
	styles string
	//go:embed report.js
	reportJS string
	//go:embed exchanges.js
	exchangesJS string
	//go:embed plot.js
	plotJS string
	//go:embed matrix.gohtml
	layouts string
)

// wholeOnPage findings are shown whole on a page.
const wholeOnPage = 400

// Page is report.html of a run from what its folder holds. It works without JavaScript; what is
// drawn over time needs it.
func Page(dir string, run record.Run) ([]byte, error) {
	exchanges, err := readFolder(dir)
	if err != nil {
		return nil, err
	}
	return write(run, exchanges)
}

func write(run record.Run, exchanges archive) (data []byte, err error) {
	b := builder{
		run:     run,
		form:    view.Page,
		full:    wholeOnPage,
		archive: exchanges,
		shown:   map[string]bool{},
	}
	r := b.report()
	r.Own = view.Own{
		// one function, so that its parts see each other and nothing else does
		Styles: styles,
		Script: "(function () {\n\"use strict\";\n" + reportJS + plotJS + exchangesJS + "})();\n",
		Layout: layouts,
		Functions: template.FuncMap{
			"anchor":    digest.Anchor,
			"word":      digest.Word,
			"ended":     digest.Ended,
			"exchanges": digest.Exchanges,
		},
		Keys: []view.Fact{
			{Name: "j k", Value: "next and previous card"},
			{Name: "/", Value: "search"},
			{Name: "Esc", Value: "show all rules again"},
			{Name: "?", Value: "these keys"},
		},
	}
	if len(exchanges.all) > 0 {
		if r.Own.Data, err = json.Marshal(exchanges.listed()); err != nil {
			return nil, err
		}
	}
	return view.WritePage(r)
}

// topic is a part of an operation's rules.
type topic struct {
	Operation, Name, Sum string
	Rules                []row
}

// row is a rule of the table of all. Elsewhere: the page shows it in another place, with what was
// found.
type row struct {
	record.RuleResult
	Elsewhere bool
}

// rules are all rules, as a map of dots and as a table that can be searched.
func (b *builder) rules() view.Part {
	type operation struct {
		Name   string
		N      int
		Topics []topic
	}
	var operations []operation
	for _, op := range digest.Operations(b.run) {
		one := operation{Name: op.Name, N: len(op.Rules)}
		for _, part := range digest.By(op.Rules,
			func(r record.RuleResult) string { return digest.Topic(r.ID) }) {
			t := topic{
				Operation: op.Name,
				Name:      part.Key,
				Sum:       digest.InWords(digest.Tallies(record.CountVerdicts(part.Items))),
			}
			for _, r := range part.Items {
				t.Rules = append(t.Rules, row{r, b.shown[r.ID] || r.Verdict == record.Inconclusive})
			}
			one.Topics = append(one.Topics, t)
		}
		operations = append(operations, one)
	}
	return view.Part{
		ID:     "rules",
		Title:  "All rules",
		Blocks: []view.Block{{Own: &view.Filled{Template: "matrix", Data: operations}}},
	}
}

// timeline is the exchanges over time, which the page's script draws and lists.
func (b *builder) timeline() view.Part {
	part := view.Part{Title: "Timeline", In: view.Page}
	if len(b.archive.all) > 0 {
		part.Blocks = []view.Block{
			{Note: b.archive.happened()},
			{Own: &view.Filled{Template: "timeline"}},
		}
	}
	return part
}
