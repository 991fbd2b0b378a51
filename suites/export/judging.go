package export

import (
	"github.com/gateassay/gateassay/suites/export/model"
	"github.com/gateassay/gateassay/suites/spec"
)

const (
	mostMore      = 8 // exports that tell explanations apart
	mostConfirmed = 4 // exports that are taken again before they are blamed
)

// judgement is what all exports come to.
type judgement struct {
	*experiment
	found model.Explanation
}

// judge learns from every export and explains them.
func (s *Suite) judge(l spec.Context) *judgement {
	j := &judgement{experiment: s.experiment.Await(l)}
	for i, o := range s.designed[:len(j.queries)] {
		q := j.queries[i]
		if sh, err := o.Get(l); err == nil && (sh.usable() == nil || sh.denied() && refusable(q)) {
			j.learn(o, sh)
		}
	}
	for _, sh := range j.sheets {
		s.unlessShared(l, sh)
	}
	hypotheses := model.Hypotheses(s.rules)
	explain := func() {
		j.Settle()
		j.found = j.Explain(hypotheses)
	}
	if explain(); len(j.found.Wrong) == 0 {
		return j
	}
	// Rows that changed while the run went on must not be taken for a violation.
	changed := 0
	for _, e := range j.Exports {
		if e.Plain {
			changed += s.retake(l, j, e)
		}
	}
	if 4*changed > len(j.Rows) {
		l.Inconclusivef(
			"the quotes of the window changed during the run, or the deployment answers the same export " +
				"differently, so " +
				"exports cannot be compared; choose a window whose quotes no longer change (fixtures.window)",
		)
	}
	if changed > 0 {
		explain()
	}
	for range mostMore {
		q, found := j.Distinguish(j.found.Candidates, j.pool)
		if !found {
			break
		}
		ask := s.ask(q)
		ask.label = "an export that tells explanations apart"
		sh := s.take(l, ask)
		if sh.usable() != nil {
			break
		}
		j.learn(nil, sh)
		explain()
	}
	changed = 0
	for _, c := range j.found.Wrong[:min(len(j.found.Wrong), mostConfirmed)] {
		changed += s.retake(l, j, c.Export)
	}
	if changed > 0 {
		explain()
	}
	return j
}

// retake takes an export once more, and returns how many rows turned out to be unsteady.
func (s *Suite) retake(l spec.Context, j *judgement, e *model.Export) (changed int) {
	again := j.sheets[e].query
	again.label += ", again"
	if now := s.take(l, again); now.usable() == nil {
		changed = j.again(e, now)
	}
	return changed
}
