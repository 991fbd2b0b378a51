// Package catalogue shows the catalogue of rules to people and to programs.
package catalogue

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/reports/view"
)

// Table lists the rules for a terminal.
func Table(list []rules.Rule) view.Report {
	t := &view.Table{Columns: view.Columns("Rule", "Level", "*Statement")}
	for _, r := range list {
		t.Add(r.ID, binding(r), r.Statement)
	}
	return view.Report{
		Parts: []view.Part{{Blocks: []view.Block{{Table: t}}}},
		Headline: fmt.Sprintf("%s: %d must, %d should, %d observe", printable.Quantity(len(list), "rule"),
			count(list, rules.Must), count(list, rules.Should), count(list, rules.Observe)),
	}
}

// Entries are the rules as programs read them: their needs are a list, even an empty one.
func Entries(list []rules.Rule) []rules.Rule {
	list = slices.Clone(list)
	for i := range list {
		list[i].Needs = append([]string{}, list[i].Needs...)
	}
	return list
}

//go:embed catalogue.gotmpl
var layout string

// Markdown is the rules as a page, with a table for each operation and topic.
func Markdown(list []rules.Rule) string {
	topics := digest.By(list, func(r rules.Rule) string { return r.Operation() + " · " + r.Topic() })
	slices.SortStableFunc(topics, func(a, b digest.Bucket[string, rules.Rule]) int {
		return digest.InOrder(a.Items[0].Operation(), b.Items[0].Operation())
	})
	list = nil
	for _, topic := range topics {
		list = append(list, topic.Items...)
	}
	return string(markdown.Fill(layout, 0, template.FuncMap{
		"count": count,
		"row": func(r rules.Rule) string {
			return markdown.Row("`"+r.ID+"`", binding(r), r.Statement, string(r.Section), strings.Join(r.Needs, ", "))
		},
	}, list))
}

// binding is the level of a rule, with its mark.
func binding(r rules.Rule) string {
	if r.Security {
		return string(r.Level) + ", security"
	}
	return string(r.Level)
}

func count(list []rules.Rule, level rules.Level) (n int) {
	for _, r := range list {
		if r.Level == level {
			n++
		}
	}
	return n
}
