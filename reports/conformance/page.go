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

// maxWholeOnPage limits the findings shown in full on a page.
const maxWholeOnPage = 400

// Page returns the report.html of a run in the folder dir. Only its timeline needs JavaScript.
func Page(dir string, run record.Run) ([]byte, error) {
	exchanges, err := readExchanges(dir)
	if err != nil {
		return nil, err
	}
	return renderPage(run, exchanges)
}

func renderPage(run record.Run, exchanges exchangeArchive) (data []byte, err error) {
	b := reportBuilder{
		run: run, form: view.FormPage, wholeLeft: maxWholeOnPage, archive: exchanges,
		hasCard: map[string]bool{},
	}
	r := b.build()
	r.Own = view.PageExtras{
		// one function, so that nothing is global
		Styles: styles,
		Script: "(function () {\n\"use strict\";\n" + reportJS + plotJS + exchangesJS + "})();\n",
		Layout: layouts,
		Functions: template.FuncMap{
			"anchor":    digest.RuleAnchor,
			"word":      digest.RuleVerdictWord,
			"ended":     digest.CheckVerdictWord,
			"exchanges": digest.ExchangeNumbers,
			"topics":    digest.RulesByTopic,
			"tallies": func(list []record.RuleResult) string {
				return digest.FormatTallies(record.CountVerdicts(list))
			},
			"elsewhere": func(r record.RuleResult) bool {
				return b.hasCard[r.ID] || r.Verdict == record.VerdictInconclusive
			},
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

// rulesPart returns all rules, as a map of dots and as a searchable table. The table links to the
// rules that another part shows.
func (b *reportBuilder) rulesPart() view.Part {
	return view.Part{
		ID: "rules", Title: "All rules",
		Blocks: []view.Block{{Own: &view.CustomBlock{
			Template: "matrix", Data: digest.RulesByOperation(b.run),
		}}},
	}
}

// timelinePart returns the exchanges over time, which the page's script draws and lists.
func (b *reportBuilder) timelinePart() view.Part {
	part := view.Part{Title: "Timeline", In: view.FormPage}
	if len(b.archive.all) > 0 {
		part.Blocks = []view.Block{
			{Note: b.archive.summary()},
			{Own: &view.CustomBlock{Template: "timeline"}},
		}
	}
	return part
}
