// Package catalogue shows the catalogue of rules to people and to programs.
package catalogue

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/markdown"
)

// Table lists the rules for a terminal.
func Table(list []rules.Rule) string {
	var b strings.Builder
	tab := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, r := range list {
		fmt.Fprintf(tab, "%s\t%s\t%s\n", r.ID, binding(r), r.Statement)
	}
	fmt.Fprintln(tab)
	_ = tab.Flush() // a Builder takes everything
	fmt.Fprintf(&b, "%d rules: %d must, %d should, %d observe\n", len(list),
		count(list, rules.Must), count(list, rules.Should), count(list, rules.Observe))
	return b.String()
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

// Markdown is the rules as a page, with a table for each operation and topic, and what its rules rest on.
func Markdown(list []rules.Rule) string {
	return string(markdown.Fill(layout, 0, template.FuncMap{
		"count":  count,
		"topics": topics,
		"bases":  bases,
		"row": func(r rules.Rule) string {
			section := string(r.Section)
			if s, known := docs.Of(r.ID); known {
				section = fmt.Sprintf("%s, [%s](api.md#%s)", section, s.Number, strings.ToLower(s.Number))
			}
			return markdown.Row("`"+r.ID+"`", binding(r), r.Statement, section, strings.Join(r.Needs, ", "))
		},
	}, list))
}

// topics are the rules that follow each other and are of one operation and topic.
func topics(list []rules.Rule) (all [][]rules.Rule) {
	for i, r := range list {
		if i == 0 || r.Operation() != list[i-1].Operation() || r.Topic() != list[i-1].Topic() {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], r)
	}
	return all
}

// bases are those of the rules of a topic, each once, with as many of its patterns as are about them.
func bases(topic []rules.Rule) (all []Basis) {
	for _, r := range topic {
		b, has := BasisOf(r)
		patterns := slices.DeleteFunc(strings.Fields(b.Rules), func(p string) bool {
			return !slices.ContainsFunc(topic, func(r rules.Rule) bool { return rules.Match(p, r.ID) })
		})
		b.Rules = "`" + strings.Join(patterns, "`, `") + "`"
		if has && !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	return all
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
