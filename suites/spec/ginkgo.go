package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// DeclareGinkgoSpecs declares Ginkgo containers and specs for the selected rules, inside one
// container named text. Each spec calls judge with its case. The specs are serial: under ginkgo -p
// one process runs them all and writes one run.
func (p *Plan) DeclareGinkgoSpecs(text string, judge func(ginkgo.SpecContext, *Case)) {
	ginkgo.Describe(text, ginkgo.Serial,
		func() { p.declareGinkgoContainer(p.root.items, judge, nil, false) })
}

// declareGinkgoContainer declares the items of a topic. given are the topic's decorators for specs.
func (p *Plan) declareGinkgoContainer(
	items []any, judge func(ginkgo.SpecContext, *Case), given decorators, focused bool,
) {
	for _, item := range items {
		switch item := item.(type) {
		case *describedTopic:
			container, specs := item.decorators.splitForContainer()
			ginkgo.Describe(item.text, append(container, item.location, func() {
				p.declareGinkgoContainer(item.items, judge, slices.Concat(given, specs),
					focused || item.decorators.contains(ginkgo.Focus) && !hasFocus(item.items))
			})...)
		case *Rule:
			if !item.isSelected() {
				continue
			}
			container, specs := item.decorators.splitForContainer()
			ginkgo.Describe(item.title(),
				append(container, item.Location, ginkgo.Label(item.labels()...), func() {
					within := ginkgo.CurrentTreeConstructionNodeReport()
					all := focused ||
						item.decorators.contains(ginkgo.Focus) && !slices.ContainsFunc(item.Cases, (*Case).hasFocus)
					for _, k := range item.Cases {
						k.ginkgoNode = ginkgoNode{within, !k.pending && (all || k.hasFocus())}
						ginkgo.It(k.Text, slices.Concat(given, specs, k.decorators, decorators{
							k.Location, func(ctx ginkgo.SpecContext) { judge(ctx, k) },
						})...)
					}
				})...)
		}
	}
}

// hasFocus reports whether a topic, a rule or a case among the items has Ginkgo's Focus. The focus
// of a container around them then has no effect.
func hasFocus(items []any) bool {
	return slices.ContainsFunc(items, func(item any) bool {
		switch item := item.(type) {
		case *describedTopic:
			return !item.decorators.contains(ginkgo.Pending) &&
				(item.decorators.contains(ginkgo.Focus) || hasFocus(item.items))
		case *Rule:
			return !item.pending && (item.decorators.contains(ginkgo.Focus) ||
				slices.ContainsFunc(item.Cases, (*Case).hasFocus))
		}
		return false
	})
}

func (k *Case) hasFocus() bool { return !k.pending && k.decorators.contains(ginkgo.Focus) }

// JudgeSpec judges a case inside the Ginkgo spec that calls it.
func (p *Plan) JudgeSpec(ctx ginkgo.SpecContext, k *Case) { p.judgeCase(ctx, k, true) }

// failWhereDeclared fails Ginkgo's spec of the case with the line of its declaration, which
// --focus-file finds. Ginkgo takes that line from the stack, so the rules are declared again, up to
// it. It returns if that is not possible.
func (k *Case) failWhereDeclared(p *Plan, message string) {
	if p.options.DeclareAgain != nil {
		p.options.DeclareAgain(Options{failAt: k.Location, failure: message})
	}
}

// callerLocation returns the line that calls the method of the plan that calls it.
func (p *Plan) callerLocation() CodeLocation {
	const caller = 2
	at := types.NewCodeLocation(caller)
	if at == p.options.failAt {
		ginkgo.Fail(p.options.failure, caller)
	}
	return at
}

func (r *Rule) title() string { return r.ID + ": " + r.Statement }

// labels returns the operation, the ID, the level, and "security" for security rules.
func (r *Rule) labels() []string {
	labels := []string{r.Operation(), r.ID, string(r.Level)}
	if r.Security {
		labels = append(labels, "security")
	}
	return labels
}

// ginkgoNode is the position of a spec in Ginkgo's tree.
type ginkgoNode struct {
	container ginkgo.ConstructionNodeReport
	focused   bool
}

// GinkgoFilter returns a function that reports whether the flags of a suite and Focus select a
// case. Ginkgo itself can tell only before RunSpecs. The filter ignores a focus on other specs of
// the process.
func (p *Plan) GinkgoFilter(suite ginkgo.Report) func(*Case) bool {
	config := suite.SuiteConfig
	anyFocused := slices.ContainsFunc(p.Cases(), func(k *Case) bool { return k.ginkgoNode.focused })
	// Ginkgo reports invalid filters before any spec runs
	labels, _ := types.ParseLabelFilter(config.LabelFilter)
	inFiles, _ := types.ParseFileFilters(config.FocusFiles)
	outOfFiles, _ := types.ParseFileFilters(config.SkipFiles)
	focus, skip := joinPatterns(config.FocusStrings), joinPatterns(config.SkipStrings)
	return func(k *Case) bool {
		text := suite.SuiteDescription + " " + strings.TrimSpace(
			strings.Join(append(slices.Clone(k.ginkgoNode.container.ContainerHierarchyTexts), k.Text), " "),
		)
		places := append(slices.Clone(k.ginkgoNode.container.ContainerHierarchyLocations), k.Location)
		return (k.ginkgoNode.focused || !anyFocused) &&
			(config.LabelFilter == "" || labels(slices.Concat(suite.SuiteLabels, k.labels()))) &&
			(len(inFiles) == 0 || inFiles.Matches(places)) &&
			(len(outOfFiles) == 0 || !outOfFiles.Matches(places)) &&
			(focus == nil || focus.MatchString(text)) && (skip == nil || !skip.MatchString(text))
	}
}

// labels returns the labels of the spec and of the containers around it.
func (k *Case) labels() []string {
	all := slices.Concat(k.ginkgoNode.container.ContainerHierarchyLabels...)
	for _, a := range k.decorators {
		if labels, is := a.(ginkgo.Labels); is {
			all = append(all, labels...)
		}
	}
	return all
}

// joinPatterns returns one pattern that matches any of several; nil: none is given.
func joinPatterns(patterns []string) *regexp.Regexp {
	if len(patterns) == 0 {
		return nil
	}
	pattern, err := regexp.Compile(strings.Join(patterns, "|"))
	if err != nil {
		return nil // Ginkgo reports invalid patterns before any spec runs
	}
	return pattern
}
