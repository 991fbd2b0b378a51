package export

import (
	"slices"

	"github.com/gateassay/gateassay/suites/export/model"
	"github.com/gateassay/gateassay/suites/spec"
)

// judge learns from every export and explains them.
func (s *Suite) judge(l look) *judgement {
	d, err := s.experiment.Get(l)
	l.end(err)
	j := &judgement{learning: d.learning, downloads: d.downloads, doubts: d.doubts}
	for sh := range d.downloads {
		s.unlessShared(l, sh)
	}
	for i, o := range s.designed {
		if i >= len(d.queries) {
			break
		}
		sh, err := o.Get(l)
		if err == nil && (sh.usable() == nil || sh.denied() && mayBeRefused(d.queries[i])) {
			s.unlessShared(l, sh)
			j.downloads[sh] = o
			j.learn(sh)
		}
	}
	hypotheses := model.Hypotheses(s.rules)
	explain := func() {
		j.Settle()
		j.found = j.Explain(hypotheses)
	}
	if explain(); len(j.found.Wrong) == 0 {
		return j
	}
	if s.swaps(l) {
		l.end(spec.Explained(othersRows, "the files of two users are swapped, which explains these rows; see %s", spec.Ref(isolationRule)))
	}
	if s.rewatch(l, j) > 0 {
		explain()
	}
	for range mostMore {
		q, found := j.Distinguish(j.found.Candidates, d.pool)
		if !found {
			break
		}
		ask := s.ask(q)
		ask.label = "an export that tells explanations apart"
		sh := s.take(l, ask)
		if sh.usable() != nil {
			break
		}
		j.learn(sh)
		explain()
	}
	if s.confirm(l, j) > 0 {
		explain()
	}
	return j
}

const (
	mostMore      = 8 // exports that tell explanations apart
	mostConfirmed = 4 // exports that are taken again before they are blamed
)

// mayBeRefused reports a query that a deployment refuses with the same right as it gives no row for it.
func mayBeRefused(q model.Query) bool {
	return q.Wallet == model.ForeignWallet || q.Filter.Nobody() || q.Turned()
}

// rewatch takes the plain exports again: rows that changed while the run went on must not be taken for a violation.
func (s *Suite) rewatch(l look, j *judgement) (changed int) {
	for _, e := range j.Exports {
		if slices.Contains(s.plain.all(), j.downloads[j.sheets[e]]) {
			changed += s.retake(l, j, e)
		}
	}
	if 4*changed > len(j.Rows) {
		l.unclear("the quotes of the window changed during the run, or the deployment answers the same export differently, so " +
			"exports cannot be compared; choose a window whose quotes no longer change (fixtures.window)")
	}
	return changed
}

// confirm takes exports again that are about to be blamed.
func (s *Suite) confirm(l look, j *judgement) (changed int) {
	for _, c := range j.found.Wrong[:min(len(j.found.Wrong), mostConfirmed)] {
		changed += s.retake(l, j, c.Export)
	}
	return changed
}

// retake takes an export once more, and returns how many rows turned out to be unsteady.
func (s *Suite) retake(l look, j *judgement, e *model.Export) (changed int) {
	again := j.sheets[e].query
	again.label += ", again"
	if now := s.take(l, again); now.usable() == nil {
		changed = j.again(e, now)
	}
	return changed
}
