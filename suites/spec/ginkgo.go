package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// Register makes containers and specs of Ginkgo's of the selected rules, in one container. The specs are serial: under
// ginkgo -p one process runs them all, and leaves one run. begin is called ahead of the first of them.
func (p *Plan) Register(text string, begin func()) {
	ginkgo.Describe(text, ginkgo.Serial, func() {
		ginkgo.BeforeEach(begin)
		p.contain(p.all.items)
	})
}

func (p *Plan) contain(items []any) {
	for _, item := range items {
		switch item := item.(type) {
		case *group:
			ginkgo.Describe(item.text, item.place, func() { p.contain(item.items) })
		case *Rule:
			if item.unwanted {
				continue
			}
			ginkgo.Describe(item.ID+": "+item.Statement, item.Place, ginkgo.Label(item.Labels()...), func() {
				for _, k := range item.Cases {
					ginkgo.It(k.Text, k.Place, func(ctx ginkgo.SpecContext) { p.judge(ctx, k, inGinkgo) })
				}
			})
		}
	}
}

// Labels are the ID, the level, "security" where it applies, and those that its topics have.
func (r *Rule) Labels() []string {
	labels := append(slices.Clone(r.labels), r.ID, string(r.Level))
	if r.Security {
		labels = append(labels, "security")
	}
	return labels
}

// inGinkgo ends a spec of Ginkgo's.
var inGinkgo = ending{fail: ginkgo.Fail, skip: ginkgo.Skip, outside: true}

// Filter leaves out of the run what Ginkgo will not run under a configuration, given the descriptions of the suite and of
// the container that Register makes. It reads the flags as Ginkgo does.
func (p *Plan) Filter(suite types.SuiteConfig, descriptions ...string) error {
	var wanted []func(k *Case, texts []string, places []Place) bool
	if suite.LabelFilter != "" {
		filter, err := types.ParseLabelFilter(suite.LabelFilter)
		if err != nil {
			return err
		}
		wanted = append(wanted, func(k *Case, _ []string, _ []Place) bool { return filter(k.Rule.Labels()) })
	}
	for _, files := range []struct {
		flags []string
		keep  bool
	}{{suite.FocusFiles, true}, {suite.SkipFiles, false}} {
		filter, err := types.ParseFileFilters(files.flags)
		if err != nil {
			return err
		}
		if len(files.flags) > 0 {
			wanted = append(wanted, func(_ *Case, _ []string, places []Place) bool {
				return filter.Matches(places) == files.keep
			})
		}
	}
	for _, texts := range []struct {
		flags []string
		keep  bool
	}{{suite.FocusStrings, true}, {suite.SkipStrings, false}} {
		pattern := strings.Join(texts.flags, "|")
		re, err := regexp.Compile(pattern)
		if err != nil {
			return fmt.Errorf("--focus and --skip take regular expressions: %w", err)
		}
		if pattern != "" {
			wanted = append(wanted, func(_ *Case, all []string, _ []Place) bool {
				return re.MatchString(strings.Join(all, " ")) == texts.keep
			})
		}
	}
	p.all.walk(descriptions, nil, func(k *Case, texts []string, places []Place) {
		for _, w := range wanted {
			k.left = k.left || !w(k, texts, places)
		}
	})
	return nil
}

// walk visits the cases with the texts and the places of all that they stand in.
func (g *group) walk(texts []string, places []Place, visit func(*Case, []string, []Place)) {
	for _, item := range g.items {
		switch item := item.(type) {
		case *group:
			item.walk(with(texts, item.text), with(places, item.place), visit)
		case *Rule:
			texts, places := with(texts, item.ID+": "+item.Statement), with(places, item.Place)
			for _, k := range item.Cases {
				visit(k, with(texts, k.Text), with(places, k.Place))
			}
		}
	}
}

func with[T any](list []T, more T) []T { return append(slices.Clip(list), more) }
