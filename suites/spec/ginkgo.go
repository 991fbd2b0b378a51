package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// DeclareGinkgoSpecs makes containers and specs of Ginkgo's of the selected rules, in one
// container, and has judge judge the case of each spec. The specs are serial: under ginkgo -p one
// process runs them all, and leaves one run.
func (p *Plan) DeclareGinkgoSpecs(text string, judge func(ginkgo.SpecContext, *Case)) {
	ginkgo.Describe(text, ginkgo.Serial,
		func() { p.declareGinkgoContainer(p.root.items, judge, false) })
}

func (p *Plan) declareGinkgoContainer(
	items []any, judge func(ginkgo.SpecContext, *Case), focused bool,
) {
	for _, item := range items {
		switch item := item.(type) {
		case *describedTopic:
			ginkgo.Describe(item.text, append(item.decorators, item.location, func() {
				p.declareGinkgoContainer(item.items, judge, focused || item.decorators.contains(ginkgo.Focus))
			})...)
		case *Rule:
			if !item.isSelected() {
				continue
			}
			container, specs := item.decorators.splitForContainer()
			ginkgo.Describe(item.title(),
				append(container, item.Location, ginkgo.Label(item.labels()...), func() {
					within := ginkgo.CurrentTreeConstructionNodeReport()
					for _, k := range item.Cases {
						k.ginkgoNode = ginkgoNode{within, focused || item.decorators.contains(ginkgo.Focus) ||
							k.decorators.contains(ginkgo.Focus)}
						ginkgo.It(k.Text, slices.Concat(specs, k.decorators, decorators{
							k.Location, func(ctx ginkgo.SpecContext) { judge(ctx, k) },
						})...)
					}
				})...)
		}
	}
}

// JudgeSpec judges a case for the spec of Ginkgo's that calls it.
func (p *Plan) JudgeSpec(ctx ginkgo.SpecContext, k *Case) { p.judgeCase(ctx, k, true) }

func (r *Rule) title() string { return r.ID + ": " + r.Statement }

// labels are the operation, the ID, the level, and "security" where it applies.
func (r *Rule) labels() []string {
	labels := []string{r.Operation(), r.ID, string(r.Level)}
	if r.Security {
		labels = append(labels, "security")
	}
	return labels
}

// ginkgoNode is where a spec stands in Ginkgo's tree.
type ginkgoNode struct {
	container ginkgo.ConstructionNodeReport
	focused   bool
}

// GinkgoFilter tells which specs Ginkgo's flags and Focus leave in a run. Ginkgo says so before
// RunSpecs only, and a spec may begin without that: of a focus on other specs of the process, and
// of a filter that names the suite, it knows nothing.
func (p *Plan) GinkgoFilter(config types.SuiteConfig) func(*Case) bool {
	anyFocused := slices.ContainsFunc(p.Cases(), func(k *Case) bool { return k.ginkgoNode.focused })
	// what is wrong with a filter Ginkgo says before any spec runs
	labels, _ := types.ParseLabelFilter(config.LabelFilter)
	inFiles, _ := types.ParseFileFilters(config.FocusFiles)
	outOfFiles, _ := types.ParseFileFilters(config.SkipFiles)
	focus, skip := joinPatterns(config.FocusStrings), joinPatterns(config.SkipStrings)
	return func(k *Case) bool {
		text := " " + strings.TrimSpace(
			strings.Join(append(slices.Clone(k.ginkgoNode.container.ContainerHierarchyTexts), k.Text), " "),
		)
		places := append(slices.Clone(k.ginkgoNode.container.ContainerHierarchyLocations), k.Location)
		return (k.ginkgoNode.focused || !anyFocused) &&
			(config.LabelFilter == "" || labels(k.labels())) &&
			(len(inFiles) == 0 || inFiles.Matches(places)) &&
			(len(outOfFiles) == 0 || !outOfFiles.Matches(places)) &&
			(focus == nil || focus.MatchString(text)) && (skip == nil || !skip.MatchString(text))
	}
}

// labels are those of the spec, and of the containers that it is in.
func (k *Case) labels() []string {
	all := slices.Concat(k.ginkgoNode.container.ContainerHierarchyLabels...)
	for _, a := range k.decorators {
		if labels, is := a.(ginkgo.Labels); is {
			all = append(all, labels...)
		}
	}
	return all
}

// joinPatterns is one pattern for several; nil: none is given.
func joinPatterns(patterns []string) *regexp.Regexp {
	if len(patterns) == 0 {
		return nil
	}
	pattern, err := regexp.Compile(strings.Join(patterns, "|"))
	if err != nil {
		return nil // as with labels
	}
	return pattern
}
