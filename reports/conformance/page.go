package conformance

import (
	_ "embed"
	"encoding/json"
	"html/template"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/frame"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

//go:embed report.css
var styles string

//go:embed report.js
var reportJS string

//go:embed exchanges.js
var exchangesJS string

//go:embed plot.js
var plotJS string

//go:embed matrix.gohtml
var layouts string

// Page is report.html of a run from what its folder holds, at most 5 MB of it: texts and exchanges are shortened until it
// fits. It works without JavaScript; what is drawn over time needs it.
func Page(dir string, run record.Run) ([]byte, error) {
	exchanges, err := readFolder(dir)
	if err != nil {
		return nil, err
	}
	return write(run, exchanges)
}

func write(run record.Run, exchanges *archive) (data []byte, err error) {
	for share := 1; share <= 64; share *= 4 {
		b := builder{
			run: run, form: view.Page, full: max(250, 1000/share), archive: exchanges, budget: newBudget(share), share: share,
			shown: map[string]bool{},
		}
		r := b.report()
		if b.err != nil {
			return nil, b.err
		}
		// one text, so that its parts see each other and nothing else does
		r.Own.Styles, r.Own.Script = styles, "(function () {\n\"use strict\";\n"+reportJS+plotJS+exchangesJS+"})();\n"
		r.Own.Keys = []view.Fact{
			{Name: "j k", Value: "next and previous card"},
			{Name: "/", Value: "search"},
			{Name: "Esc", Value: "show all rules again"},
			{Name: "?", Value: "these keys"},
		}
		if exchanges != nil && len(exchanges.all) > 0 {
			if r.Own.Data, err = json.Marshal(b.data()); err != nil {
				return nil, err
			}
		}
		if data, err = view.WritePage(r); err != nil || len(data) <= frame.SizeLimit {
			return data, err
		}
	}
	return data, nil
}

// topic is a part of an operation's rules.
type topic struct {
	Operation, Name, Sum string
	Rules                []row
}

// row is a rule of the table of all. Elsewhere: the page shows it in another place, with what was found.
type row struct {
	record.Rule
	Elsewhere bool
}

// rules are all rules, as a map of dots and as a table that can be searched.
func (b *builder) rules() view.Part {
	if b.form != view.Page {
		return view.Part{}
	}
	type operation struct {
		Name   string
		N      int
		Topics []topic
	}
	var operations []operation
	for _, op := range digest.Operations(b.run) {
		one := operation{Name: op.Name, N: len(op.Rules)}
		for _, part := range digest.By(op.Rules, func(r record.Rule) string { return digest.Topic(r.ID) }) {
			t := topic{Operation: op.Name, Name: part.Key, Sum: digest.InWords(digest.Tallies(record.Count(part.Items)))}
			for _, r := range part.Items {
				t.Rules = append(t.Rules, row{r, b.shown[r.ID] || r.Verdict == record.Inconclusive})
			}
			one.Topics = append(one.Topics, t)
		}
		operations = append(operations, one)
	}
	return view.Part{ID: "rules", Title: "All rules", Folds: true, Blocks: []view.Block{{HTML: b.filled("matrix", operations)}}}
}

// timeline is the exchanges over time, which the page's script draws and lists.
func (b *builder) timeline() view.Part {
	part := view.Part{Title: "Timeline", Folds: true, In: view.Page}
	if b.form == view.Page && b.archive != nil && len(b.archive.all) > 0 {
		part.Blocks = []view.Block{{Note: b.archive.happened()}, {HTML: b.filled("timeline", nil)}}
	}
	return part
}

// filled is a piece that only this page has.
func (b *builder) filled(name string, data any) template.HTML {
	html, err := frame.Piece(layouts, name, template.FuncMap{
		"anchor": digest.Anchor, "word": digest.Word, "ended": digest.Ended, "exchanges": digest.Exchanges,
	}, 4000/b.share, data)
	if err != nil {
		b.err = err
	}
	return html
}
