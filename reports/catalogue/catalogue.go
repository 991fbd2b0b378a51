// Package catalogue shows the catalogue of rules to people and to programs.
package catalogue

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/markdown"
	"github.com/gateassay/gateassay/reports/view"
)

// TextTable lists the rules for a terminal.
func TextTable(list []rules.Rule) view.Report {
	t := &view.Table{Columns: view.Columns("Rule", "Level", "*Statement")}
	for _, r := range list {
		t.Add(r.ID, levelText(r), r.Statement)
	}
	return view.Report{
		Parts: []view.Part{{Blocks: []view.Block{{Table: t}}}},
		Headline: fmt.Sprintf("%s: %d must, %d should, %d observe", printable.Quantity(len(list), "rule"),
			countLevel(list, rules.Must), countLevel(list, rules.Should), countLevel(list, rules.Observe)),
	}
}

// WithNeedsLists are the rules as programs read them: their needs are a list, even an empty one.
func WithNeedsLists(list []rules.Rule) []rules.Rule {
	list = slices.Clone(list)
	for i := range list {
		list[i].Needs = append([]string{}, list[i].Needs...)
	}
	return list
}

//go:embed catalogue.gotmpl
var pageTemplate string

// Markdown is the rules as a page, with a table for each operation and topic, and what its rules
// rest on.
func Markdown(list []rules.Rule) string {
	return string(markdown.FillTemplate(pageTemplate, 0, template.FuncMap{
		"count":  countLevel,
		"topics": groupByTopic,
		"bases":  basesFor,
		"row": func(r rules.Rule) string {
			section := string(r.Section)
			if s, known := docs.RequirementOf(r.ID); known {
				section = fmt.Sprintf("%s, [%s](api.md#%s)", section, s.Number, strings.ToLower(s.Number))
			}
			return markdown.Row("`"+r.ID+"`", levelText(r), r.Statement, section,
				strings.Join(r.Needs, ", "))
		},
	}, list))
}

// groupByTopic are the rules of each operation and topic, by operation.
func groupByTopic(list []rules.Rule) (all [][]rules.Rule) {
	by := digest.GroupBy(list, func(r rules.Rule) string { return r.Operation() + " · " + r.Topic() })
	slices.SortStableFunc(by, func(a, b digest.Group[string, rules.Rule]) int {
		return digest.CompareOperations(a.Items[0].Operation(), b.Items[0].Operation())
	})
	for _, topic := range by {
		all = append(all, topic.Items)
	}
	return all
}

// levelText is the level of a rule, with its mark.
func levelText(r rules.Rule) string {
	if r.Security {
		return string(r.Level) + ", security"
	}
	return string(r.Level)
}

func countLevel(list []rules.Rule, level rules.Level) (n int) {
	for _, r := range list {
		if r.Level == level {
			n++
		}
	}
	return n
}
