// Package catalogue renders the catalogue of rules for people and programs.
package catalogue

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	"go.yaml.in/yaml/v4"

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

// WithNeedsLists returns the rules for JSON: without needs they have an empty list.
func WithNeedsLists(list []rules.Rule) []rules.Rule {
	list = slices.Clone(list)
	for i := range list {
		list[i].Needs = append([]string{}, list[i].Needs...)
	}
	return list
}

//go:embed catalogue.gotmpl
var pageTemplate string

// Markdown returns the rules as a page: a table for each topic, and the basis of its rules.
func Markdown(list []rules.Rule) string {
	return string(markdown.FillTemplate(pageTemplate, template.FuncMap{
		"count": countLevel,
		"bases": basesFor,
		"operations": func(list []rules.Rule) []digest.Group[string, rules.Rule] {
			return digest.GroupByOperation(list, func(r rules.Rule) string { return r.ID })
		},
		"topics": func(list []rules.Rule) []digest.Group[string, rules.Rule] {
			return digest.GroupBy(list, rules.Rule.Topic)
		},
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

func levelText(r rules.Rule) string { return digest.FormatLevel(string(r.Level), r.Security) }

func countLevel(list []rules.Rule, level rules.Level) (n int) {
	for _, r := range list {
		if r.Level == level {
			n++
		}
	}
	return n
}

//go:embed explain.gotmpl
var explanation string

// Explain describes a rule: its statement, how a run verifies it, what it needs, how to run it
// alone and how to waive it. cases are the texts of its cases, ways the behaviours that break it,
// columns the width of the terminal.
func Explain(r rules.Rule, cases, ways []string, columns int) string {
	wrap := func(text string, room int, margin string) string {
		return strings.Join(printable.Wrap(text, room), "\n"+margin)
	}
	return string(markdown.FillTemplate(explanation, template.FuncMap{
		"level": levelText, "join": strings.Join, "quantity": printable.Quantity[int],
		"statement":   func() string { return wrap(r.Statement, columns, "") },
		"line":        func(text string) string { return "  " + wrap(text, columns-4, "    ") + "\n" },
		"requirement": func() docs.Requirement { s, _ := docs.RequirementOf(r.ID); return s },
		"bases":       func() []basis { return basesFor([]rules.Rule{r}) },
	}, struct {
		rules.Rule
		Cases, Ways []string
	}{r, cases, ways}))
}

//go:embed basis.yaml
var basisYAML []byte

// basis is what rules assume besides the statement that they verify.
type basis struct {
	Rules   []string // patterns of their IDs
	Granted string   // further assumptions
	Doubt   string   // how a conforming deployment could still fail them, and what prevents that
}

// ruleBases returns the bases of all must rules and security rules, by operation.
var ruleBases = sync.OnceValue(func() (all []basis) {
	if err := yaml.Unmarshal(basisYAML, &all); err != nil {
		panic(fmt.Errorf("basis.yaml: %w", err)) // a test finds this
	}
	return all
})

// basesFor returns the bases of the must and security rules in list, each with the patterns that
// match one of them. Other rules accuse nobody and have no basis.
func basesFor(list []rules.Rule) (all []basis) {
	for _, b := range ruleBases() {
		b.Rules = slices.DeleteFunc(slices.Clone(b.Rules), func(pattern string) bool {
			return !slices.ContainsFunc(list, func(r rules.Rule) bool {
				return (r.Level == rules.Must || r.Security) && rules.MatchesPattern(pattern, r.ID)
			})
		})
		if len(b.Rules) > 0 {
			all = append(all, b)
		}
	}
	return all
}
