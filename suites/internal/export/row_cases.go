package export

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Rules about rows share a set of designed exports and one judgement of them. Each rule declares
// hypotheses: ways in which deployments are known to deviate. It is broken where the simplest
// explanation of all exports is one of its hypotheses, and verified where some export refutes
// each.

// Rules that others refer to.
const (
	ruleStart         = "export.range.start_inclusive"
	ruleEnd           = "export.range.end_exclusive"
	ruleOffset        = "export.range.offset"
	ruleEmpty         = "export.range.empty"
	ruleStartAfterEnd = "export.range.start_after_end"
	ruleOwnRows       = "export.range.own_rows"
	rulePartition     = "export.range.partition"
	ruleAsc           = "export.order.asc"
	ruleDesc          = "export.order.desc"
	ruleDefaultOrder  = "export.default.order"
	ruleClient        = "export.filter.client_id"
	rulePrefix        = "export.filter.prefix"
	ruleProduct       = "export.header.default_product"
	ruleIsolation     = "export.isolation"
)

// exportPlan is how an export is carried out. Hypotheses change it.
type exportPlan = model.ExportPlan

// needsWindow returns the keys that a rule about rows needs, and more.
func needsWindow(more ...string) spec.Option {
	return spec.NeedsKeys(append([]string{"export.file", "fixtures.window"}, more...)...)
}

// hypothesis adds a hypothesis to the rule being declared. does completes "the deployment ...",
// and edit changes the plan of an export accordingly. The likeliest come first.
func (s *Suite) hypothesis(does string, edit func(*exportPlan)) *model.Hypothesis {
	h := &model.Hypothesis{Rule: &s.CurrentRule().Rule, Name: does, Edit: edit}
	s.hypotheses = append(s.hypotheses, h)
	return h
}

// itNever declares a case that the deployment does not deviate as described.
func (s *Suite) itNever(does string, edit func(*exportPlan)) *model.Hypothesis {
	spec.Helper()
	h := s.hypothesis(does, edit)
	s.itRefutes("never "+does, h)
	return h
}

// itRefutes declares a case that the deployment does not deviate as any of the hypotheses.
func (s *Suite) itRefutes(text string, all ...*model.Hypothesis) {
	spec.Helper()
	s.UseObservations(s.judgement)
	for _, o := range s.plain.all {
		s.UseObservations(o.exportObservation)
	}
	for _, o := range s.designed { // declareDesignedExports sends them
		s.UseObservations(o)
	}
	r := s.CurrentRule()
	first := len(r.ViolatedWhen) == 0
	for _, h := range all {
		r.ViolatedWhen = append(r.ViolatedWhen, h.Name)
	}
	s.It(text, func(ctx spec.Context) {
		j, err := s.judgement.Get(ctx)
		if err != nil {
			s.plain.window.TryGet(ctx)
			if spec.NotVerifiedReason(err) == nil {
				s.inconclusiveIfFilesAreShared(ctx)
			}
			ctx.StopOnError(err)
		}
		s.judgeHypotheses(ctx, j, r, all, first)
	}, spec.AtEveryDepth())
}

// equalBoundsRefused says why ranges that end where they start show nothing.
const equalBoundsRefused = "a range that ends where it starts is refused"

// Defects where no hypothesis explains the rows.
const (
	unexplainedCause = "gives rows that no reading of the bounds explains"
	sharedRowsCause  = "gives exports of different ranges the same rows"
	lostRowsCause    = "leaves out quotes that other exports of the same range hold"
)

// judgeHypotheses judges a rule by some of its hypotheses. A violation that none of its
// hypotheses explains counts for the first case of the rule.
func (s *Suite) judgeHypotheses(
	ctx spec.Context, j *judgement, r *spec.Rule, all []*model.Hypothesis, first bool,
) {
	for _, o := range s.designed { // a server error is neither a file without rows nor a refusal
		done, ok := o.TryGet(ctx)
		if !ok {
			continue
		}
		asked := done.query.asked
		isJudgedHere := r.ID == ruleStartAfterEnd && asked.StartsAfterEnd() ||
			r.ID == ruleEmpty && asked.StartsAtEnd()
		if isJudgedHere && s.answersFilter(asked.Filter) {
			ctx.Expect(target.Answer{Exchange: done.answer, Subject: "export"}).To(matchers.BeAnswered())
		}
	}
	reading := j.found.Reading()
	for _, one := range reading {
		elsewhere := one.Rule != &r.Rule || one.IsRounding()
		switch judgedHere := slices.Contains(all, one.Hypothesis) || first && elsewhere; {
		case !judgedHere || !j.showsBroken(one, r.ID):
		case one.IsZoneMistake() && j.Zoneless:
			j.restOn(ctx, j.found.Wrong[0].Export)
			ctx.NotVerifiedf("export.csv.time_zone",
				"the dates of the file carry no offset of their own, and the deployment %s", one.Name)
		case one.IsRounding():
			j.restOn(ctx, j.found.Wrong[0].Export)
			ctx.NotVerifiedf("", "the deployment %s", one.Name)
		default:
			s.failForHypothesis(ctx, j, one, r)
			return
		}
	}
	if left := j.unexplained(); len(left) > 0 {
		blamed, cause := j.blameUnexplained(left)
		if first && blamed == r.ID {
			s.failForContradiction(ctx, j, left[0], cause, nil,
				"the rows that other exports show in the same range")
			return
		}
		j.restOn(ctx, left[0].Export)
		ctx.Inconclusivef("some exports hold rows that nothing explains; see %s", blamed)
	}
	if err := j.doubts[r.ID]; err != nil {
		s.plain.window.TryGet(ctx)
		ctx.StopOnError(err)
	}
	against, open := j.Refute(reading, all)
	for _, e := range against[:min(len(against), 3)] {
		j.restOn(ctx, e)
	}
	if len(open) > 0 {
		s.stopForOpenHypothesis(ctx, j, r, open[0], first)
	}
}

// answersFilter reports whether some export with this filter text got an answer other than a
// server error. Otherwise an error may be that of the text. It is true without a text.
func (s *Suite) answersFilter(f model.Filter) bool {
	return f.Text == "" || slices.ContainsFunc(s.takenExports(), func(done *completedExport) bool {
		return done.query.asked.Filter.Text == f.Text && !done.answer.IsServerError()
	})
}

// stopForOpenHypothesis ends the case where no export refutes a hypothesis. A quick run relies
// on the first case of a rule.
func (s *Suite) stopForOpenHypothesis(
	ctx spec.Context, j *judgement, r *spec.Rule, open *model.Hypothesis, first bool,
) {
	if reading := j.found.Reading(); len(reading) > 0 {
		j.restOn(ctx, j.found.Wrong[0].Export)
		const why = "the deployment %s, so no export can show whether it %s; see %s"
		see := strings.Join(reading[0].BrokenRules(), " and ")
		switch {
		case reading[0].IsRounding():
			ctx.NotVerifiedf("", why, reading[0].Name, open.Name, see)
		case reading[0].IsZoneMistake() && j.Zoneless:
			ctx.NotVerifiedf("export.csv.time_zone", why, reading[0].Name, open.Name, see)
		case r.ID == ruleDefaultOrder &&
			slices.Contains([]string{ruleAsc, ruleDesc}, reading[0].Rule.ID):
			ctx.NotVerifiedf("", why, reading[0].Name, open.Name, see) // an order may be that of pages only
		}
		ctx.Inconclusivef(why, reading[0].Name, open.Name, see)
	}
	s.plain.window.TryGet(ctx)
	denied := 0
	for _, o := range s.designed { // a file that failed or did not come might have shown it
		done, ok := o.TryGet(ctx)
		if ok && done.isDenied() {
			denied++
			if r.ID == ruleEmpty && done.query.asked.StartsAtEnd() {
				ctx.NotVerifiedf("", equalBoundsRefused)
			}
		}
		if ok && (done.endedInFailedState() || done.isInProgress() || 2*denied > len(s.designed)) {
			ctx.NotVerifiedf("", "%v", done.unusableReason())
		}
	}
	const why = "no export of this run could show whether the deployment %s"
	if !first && s.t.Depth == deployment.DepthQuick {
		ctx.RecordObservedf(why, open.Name)
		return
	}
	if j.Zoneless { // another window would show no more
		ctx.NotVerifiedf("export.csv.time_zone", why+": dates of the file carry no offset", open.Name)
	}
	needs := append([]string{"fixtures.window"}, r.Needs...)
	ctx.NotVerifiedf(needs[len(needs)-1], why, open.Name)
}
