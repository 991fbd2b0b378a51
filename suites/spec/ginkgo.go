package spec

import (
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// Register makes containers and specs of Ginkgo's of the selected rules, in one container. The specs are serial: under ginkgo -p
// one process runs them all, and leaves one run. begin is called ahead of the first of them.
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
			if !item.chosen() {
				continue
			}
			ginkgo.Describe(item.title(), item.Place, ginkgo.Label(item.Labels()...), func() {
				for _, k := range item.Cases {
					ginkgo.It(k.Text, k.Place, func(ctx ginkgo.SpecContext) { p.judge(ctx, k, true) })
				}
			})
		}
	}
}

func (r *Rule) title() string { return r.ID + ": " + r.Statement }

// Labels are the operation, the ID, the level, and "security" where it applies.
func (r *Rule) Labels() []string {
	labels := []string{r.Operation(), r.ID, string(r.Level)}
	if r.Security {
		labels = append(labels, "security")
	}
	return labels
}

// Follow leaves out of the run what Ginkgo will not run, by the preview of the suite that the plan is registered with.
func (p *Plan) Follow(preview ginkgo.Report) {
	runs := map[[2]string]bool{}
	for _, s := range preview.SpecReports {
		if within := s.ContainerHierarchyTexts; len(within) > 0 {
			runs[[2]string{within[len(within)-1], s.LeafNodeText}] = WillRun(s)
		}
	}
	for _, r := range p.rules {
		for _, k := range r.Cases {
			k.left = k.left || !runs[[2]string{r.title(), k.Text}]
		}
	}
}

// WillRun reports whether a preview has Ginkgo run a spec.
func WillRun(s ginkgo.SpecReport) bool {
	return s.LeafNodeType == types.NodeTypeIt && !s.State.Is(types.SpecStateSkipped|types.SpecStatePending)
}
