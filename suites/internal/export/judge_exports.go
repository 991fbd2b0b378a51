package export

import (
	"slices"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/spec"
)

const (
	maxDistinguishingExports = 8 // exports sent to tell explanations apart
	maxConfirmedExports      = 4 // exports repeated at a time before they are blamed
	maxConfirmations         = 3 // times that exports are repeated
)

// judgeAllExports adds every export to a model and explains them.
func (s *Suite) judgeAllExports(ctx spec.Context) *judgement {
	j := s.newJudgement(ctx, s.experiment.Await(ctx))
	for i, o := range s.designed[:len(j.queries)] {
		q := j.queries[i]
		if done, err := o.Get(ctx); err == nil &&
			(done.unusableReason() == nil || done.isDenied() && mayBeRefused(q)) {
			j.addExport(o, done)
		}
	}
	for _, done := range j.completed {
		s.inconclusiveIfIDShared(ctx, done)
	}
	s.explain(j)
	if len(j.found.Wrong) == 0 {
		return j
	}
	inconclusiveIfRedated(ctx, j)
	s.excludeChangedRows(ctx, j)
	s.tellExplanationsApart(ctx, j)
	s.confirmBlamedExports(ctx, j)
	return j
}

// confirmBlamedExports repeats the exports that are to be blamed, and those that they contradict,
// until none of them answers differently than before.
func (s *Suite) confirmBlamedExports(ctx spec.Context, j *judgement) {
	retaken := map[*model.SeenExport]bool{}
	for range maxConfirmations {
		changed := 0
		for _, c := range j.found.Wrong[:min(len(j.found.Wrong), maxConfirmedExports)] {
			both := []*model.SeenExport{c.Export}
			if rows := slices.Concat(c.Extra, c.Missing); len(rows) > 0 {
				both = append(both, j.Counterpart(c.Export, rows[0]))
			}
			for _, e := range both {
				if e != nil && !retaken[e] {
					retaken[e] = true
					changed += s.retakeExport(ctx, j, e)
				}
			}
		}
		if changed == 0 {
			return
		}
		s.explain(j)
	}
	if len(j.found.Wrong) > 0 {
		ctx.Inconclusivef("the deployment answers the same export differently each time, so exports " +
			"cannot be compared")
	}
}

// inconclusiveIfRedated ends the act where many quotes have other dates in one file than in another:
// nothing then shows which of them are in a range.
func inconclusiveIfRedated(ctx spec.Context, j *judgement) {
	n := len(j.Redated)
	if 4*n <= len(j.Rows) {
		return
	}
	one := j.Redated[0]
	ctx.Inconclusivef("%s have other dates in one file than in another, so rows cannot be compared: "+
		"quote %s has %s %s, and %s in exchange %d", printable.Quantity(n, "quote"), one.ID, one.Key,
		one.Was, one.Is, one.Seq)
}

// explain finds the simplest explanation of the exports so far.
func (s *Suite) explain(j *judgement) {
	j.Prepare()
	j.found = j.Explain(s.hypotheses)
}

// excludeChangedRows repeats the plain exports, so that rows that changed during the run are not
// taken for a violation. It ends the act where many did.
func (s *Suite) excludeChangedRows(ctx spec.Context, j *judgement) {
	changed := 0
	for _, e := range j.Exports {
		if e.Plain {
			changed += s.retakeExport(ctx, j, e)
		}
	}
	if 4*changed > len(j.Rows) {
		ctx.Inconclusivef(
			"choose a fixtures.window whose quotes no longer change: they changed during the run, or the " +
				"deployment answers the same export differently, so exports cannot be compared")
	}
	if changed > 0 {
		s.explain(j)
	}
}

// tellExplanationsApart sends exports that the candidates explain differently.
func (s *Suite) tellExplanationsApart(ctx spec.Context, j *judgement) {
	for range maxDistinguishingExports {
		q, found := j.Distinguish(j.found.Candidates, j.pool)
		if !found {
			return
		}
		done := s.takeExport(ctx,
			exportQuery{label: "an export that tells explanations apart", asked: q})
		if done.unusableReason() != nil {
			return
		}
		j.addExport(nil, done)
		s.explain(j)
	}
}

// retakeExport repeats an export. It returns how many rows turned out to be unsteady.
func (s *Suite) retakeExport(ctx spec.Context, j *judgement, e *model.SeenExport) (changed int) {
	again := j.completed[e].query
	again.label += ", again"
	if now := s.takeExport(ctx, again); now.unusableReason() == nil {
		changed = j.compareWithRetake(e, now)
	}
	return changed
}
