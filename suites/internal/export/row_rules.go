package export

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// The rules about rows are those of the model. They rest on exports that are designed for just
// that, and on one judgement of all of them: a rule is broken where the simplest explanation of
// what they hold breaks it, and verified where some of them speak against each of the ways in which
// it is broken.

// declareRowRules declares them, but for those that are declared with others of their topic.
func (s *Suite) declareRowRules() {
	s.Rule("export.range.offset.accepted", rules.Should, rules.SectionExport,
		"A bound that is written with an offset is accepted.", func() {
			s.itAccepts(validProbe("a start written with +05:30", withOffset("date_start", 330*time.Minute)),
				s.inconclusiveUnlessControlAccepted)
			s.itAccepts(validProbe("an end written with -03:00", withOffset("date_end", -180*time.Minute)),
				s.inconclusiveUnlessControlAccepted)
		})
	s.declareNotationRule()
	for _, r := range s.rules {
		if r.ID != ruleWalletEmpty && r.ID != ruleLanguageRows && r.ID != ruleProduct {
			s.declareRowRule(r)
		}
	}
}

// declareNotationRule are those of one date-time in RFC 3339. A deployment that refuses fractions
// shows so in what all exports are sent with.
func (s *Suite) declareNotationRule() {
	s.Rule("export.range.notations.accepted", rules.Should, rules.SectionExport,
		"A bound is accepted with a fraction of any length, and with any offset that a place has.",
		func() {
			whole := func(ctx spec.Context, _ target.Answer) {
				if s.t.ExportSpelling.Load().WholeSeconds {
					ctx.NotVerifiedf("", "no export is accepted with fractions of a second")
				}
			}
			tenths := func(digits string) requestEdit {
				return func(r *target.Request) {
					text := fractionPattern.ReplaceAllString(fmt.Sprint(r.Fields["date_start"]), "")
					r.SetField("date_start", strings.TrimSuffix(text, "Z")+digits+"Z")
				}
			}
			for _, p := range []lab.Probe{
				validProbe("a start with a tenth of a second", tenths(".5")),
				validProbe("a start with nanoseconds", tenths(".123456789")),
				validProbe("a start written with +14:00", withOffset("date_start", 14*time.Hour)),
				validProbe("a start written with -12:00", withOffset("date_start", -12*time.Hour)),
				validProbe("an end written with -00:30", withOffset("date_end", -30*time.Minute)),
			} {
				s.itAccepts(sampledProbe(spec.ThoroughOnly(), p), s.inconclusiveUnlessControlAccepted, whole)
			}
		})
}

// withOffset writes a bound as in another place.
func withOffset(field string, ahead time.Duration) requestEdit {
	return func(r *target.Request) {
		if at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(r.Fields[field])); err == nil {
			r.SetField(field,
				at.In(time.FixedZone("", int(ahead.Seconds()))).Format("2006-01-02T15:04:05.999Z07:00"))
		}
	}
}

const (
	ruleWalletEmpty   = "export.header.wallet.empty"
	ruleLanguageRows  = "export.header.language.rows"
	ruleProduct       = "export.header.default_product"
	ruleOwnRows       = "export.range.own_rows"
	rulePartition     = "export.range.partition"
	ruleIsolation     = "export.isolation"
	ruleStartAfterEnd = "export.range.start_after_end"
)

func (s *Suite) modelRule(id string) model.Rule {
	return s.rules[slices.IndexFunc(s.rules, func(r model.Rule) bool { return r.ID == id })]
}

func (s *Suite) declareRowRule(r model.Rule) {
	spec.Helper()
	var ways []string
	for _, h := range r.Hypotheses {
		if !h.IsRounding() {
			ways = append(ways, h.Name)
		}
	}
	args := []any{spec.NeedsKeys(r.Needs...), spec.ViolatedWhen(ways...)}
	if r.Security {
		args = append(args, spec.Security)
	}
	s.Rule(r.ID, r.Level, rules.SectionExport, r.Statement, append(args, func() {
		if r.ID == ruleIsolation {
			s.itKeepsFilesApart()
		}
		s.declareRowCases(r)
	})...)
}

// declareRowCases declares the cases of a rule that the judgement decides: one for each way in
// which it is broken.
func (s *Suite) declareRowCases(r model.Rule) {
	spec.Helper()
	s.UseObservations(s.judgement)
	for _, o := range s.plain.all {
		s.UseObservations(o.exportObservation)
	}
	for _, o := range s.designed {
		s.UseObservations(o)
	}
	for i, ways := range r.Cases() {
		s.It(ways[0].Case, func(ctx spec.Context) {
			j, err := s.judgement.Get(ctx)
			if err != nil {
				s.plain.window.TryGet(ctx)
				if spec.NotVerifiedReason(err) == nil {
					s.inconclusiveIfFilesAreShared(ctx)
				}
				ctx.StopOnError(err)
			}
			s.judgeHypotheses(ctx, j, r, ways, i == 0)
		}, ways[0].Place, spec.AtEveryDepth())
	}
}

// unexplainedCause is what a deployment does whose rows no hypothesis explains.
const unexplainedCause = "gives rows that no reading of the bounds explains"

// judgeHypotheses judges a rule by some of the ways in which it is broken. What it breaks by none
// of its own is for the first case.
func (s *Suite) judgeHypotheses(
	ctx spec.Context,
	j *judgement,
	r model.Rule,
	ways []*model.Hypothesis,
	first bool,
) {
	own := func(h *model.Hypothesis) bool { return slices.Contains(ways, h) || first && h.BrokenRules()[0] != r.ID }
	for _, o := range s.designed { // a server error is neither a file without rows nor a refusal
		if sh, ok := o.TryGet(ctx); ok && r.ID == ruleStartAfterEnd && sh.query.asked.StartsAfterEnd() {
			ctx.Expect(target.Answer{Exchange: sh.answer, Subject: "export"}).To(matchers.BeAnswered())
		}
	}
	reading := j.found.Reading()
	for _, one := range reading {
		if own(one.Hypothesis) && one.Breaks(r.ID, j.found.Wrong) {
			if one.IsZoneMistake() && j.Zoneless {
				j.restOn(ctx, j.found.Wrong[0].Export)
				ctx.NotVerifiedf("export.csv.time_zone",
					"the dates of the file carry no offset of their own, and the deployment %s", one.Name)
			}
			if one.IsRounding() {
				j.restOn(ctx, j.found.Wrong[0].Export)
				ctx.NotVerifiedf("", "the deployment %s", one.Name)
			}
			s.failForHypothesis(ctx, j, one, r)
			return
		}
	}
	left := j.found.Left
	if len(left) > 0 {
		if first && j.ruleOfUnexplained(left) == r.ID {
			s.failForContradiction(
				ctx,
				j,
				left[0],
				unexplainedCause,
				nil,
				"the rows that other exports show in the same range",
			)
			return
		}
		j.restOn(ctx, left[0].Export)
		ctx.Inconclusivef("some exports hold rows that nothing explains; see %s",
			j.ruleOfUnexplained(left),
		)
	}
	if err := j.doubts[r.ID]; err != nil {
		s.plain.window.TryGet(ctx)
		ctx.StopOnError(err)
	}
	against, open := j.Refute(reading, ways)
	for _, e := range against[:min(len(against), 3)] {
		j.restOn(ctx, e)
	}
	if len(open) > 0 && len(reading) > 0 {
		j.restOn(ctx, j.found.Wrong[0].Export)
		const why = "the deployment %s, so no export can show whether it %s; see %s"
		see := strings.Join(reading[0].BrokenRules(), " and ")
		if reading[0].IsRounding() {
			ctx.NotVerifiedf("", why, reading[0].Name, open[0].Name, see)
		}
		ctx.Inconclusivef(why, reading[0].Name, open[0].Name, see)
	}
	if len(open) > 0 {
		s.plain.window.TryGet(ctx)
		for _, o := range s.designed { // a file that failed might have shown it
			if sh, ok := o.TryGet(ctx); ok && sh.endedInFailedState() {
				ctx.NotVerifiedf("", "%v", sh.unusableReason())
			}
		}
		const why = "no export of this run could show whether the deployment %s"
		if !first && s.t.Depth == deployment.DepthQuick { // which rests on the likeliest way
			ctx.RecordObservedf(why, open[0].Name)
			return
		}
		ctx.NotVerifiedf(r.Needs[len(r.Needs)-1], why, open[0].Name)
	}
}
