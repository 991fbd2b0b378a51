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
		run: run, form: view.FormPage, full: maxWholeOnPage, archive: exchanges,
		shown: map[string]bool{},
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

type matrixTopic struct {
	Operation, Name, Sum string
	Rules                []matrixRow
}

// matrixRow is a rule in the table of all rules. Elsewhere: another part shows its finding.
type matrixRow struct {
	record.RuleResult
	Elsewhere bool
}

// rulesPart returns all rules, as a map of dots and as a searchable table.
func (b *reportBuilder) rulesPart() view.Part {
	type operation struct {
		Name   string
		N      int
		Topics []matrixTopic
	}
	var operations []operation
	for _, op := range digest.RulesByOperation(b.run) {
		one := operation{Name: op.Key, N: len(op.Items)}
		for _, part := range digest.GroupBy(op.Items,
			func(r record.RuleResult) string { return digest.TopicOf(r.ID) }) {
			t := matrixTopic{
				Operation: op.Key, Name: part.Key,
				Sum: digest.FormatTallies(digest.VerdictTallies(record.CountVerdicts(part.Items))),
			}
			for _, r := range part.Items {
				t.Rules = append(t.Rules,
					matrixRow{r, b.shown[r.ID] || r.Verdict == record.VerdictInconclusive})
			}
			one.Topics = append(one.Topics, t)
		}
		operations = append(operations, one)
	}
	return view.Part{
		ID: "rules", Title: "All rules",
		Blocks: []view.Block{{Own: &view.CustomBlock{Template: "matrix", Data: operations}}},
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
