package export

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/export/model"
	"github.com/gateassay/gateassay/suites/lab"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// The rules about rows are those of the model. They rest on exports that are designed for just
// that, and on one judgement of all of them: a rule is broken where the simplest explanation of
// what they hold breaks it, and verified where some of them speak against each of the ways in which
// it is broken.

// rowRules declares them, but for those that are declared with others of their topic.
func (s *Suite) rowRules() {
	s.Rule("export.range.offset.accepted", rules.Should, rules.SectionExport,
		"A bound that is written with an offset is accepted.", func() {
			s.accepts(valid("a start written with +05:30", offset("date_start", 330*time.Minute)),
				s.controlled)
			s.accepts(valid("an end written with -03:00", offset("date_end", -180*time.Minute)),
				s.controlled)
		})
	s.notations()
	for _, r := range s.rules {
		if r.ID != walletEmptyRule && r.ID != languageRowsRule && r.ID != productRule {
			s.rowRule(r)
		}
	}
}

// notations are those of one date-time in RFC 3339. A deployment that refuses fractions shows so in
// what all exports are sent with.
func (s *Suite) notations() {
	s.Rule("export.range.notations.accepted", rules.Should, rules.SectionExport,
		"A bound is accepted with a fraction of any length, and with any offset that a place has.",
		func() {
			whole := func(ctx spec.Context, _ target.Answer) {
				if s.t.ExportSpelling.Load().WholeSeconds {
					ctx.NotVerifiedf("", "no export is accepted with fractions of a second")
				}
			}
			tenths := func(digits string) edit {
				return func(r *target.Request) {
					text := fraction.ReplaceAllString(fmt.Sprint(r.Fields["date_start"]), "")
					r.SetField("date_start", strings.TrimSuffix(text, "Z")+digits+"Z")
				}
			}
			for _, p := range []lab.Probe{
				valid("a start with a tenth of a second", tenths(".5")),
				valid("a start with nanoseconds", tenths(".123456789")),
				valid("a start written with +14:00", offset("date_start", 14*time.Hour)),
				valid("a start written with -12:00", offset("date_start", -12*time.Hour)),
				valid("an end written with -00:30", offset("date_end", -30*time.Minute)),
			} {
				s.accepts(inTurn(spec.ThoroughOnly(), p), s.controlled, whole)
			}
		})
}

// offset writes a bound as in another place.
func offset(field string, ahead time.Duration) edit {
	return func(r *target.Request) {
		if at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(r.Fields[field])); err == nil {
			r.SetField(field,
				at.In(time.FixedZone("", int(ahead.Seconds()))).Format("2006-01-02T15:04:05.999Z07:00"))
		}
	}
}

const (
	walletEmptyRule  = "export.header.wallet.empty"
	languageRowsRule = "export.header.language.rows"
	productRule      = "export.header.default_product"
	ownRowsRule      = "export.range.own_rows"
	partitionRule    = "export.range.partition"
	isolationRule    = "export.isolation"
	turnedRule       = "export.range.start_after_end"
)

func (s *Suite) modelled(id string) model.Rule {
	return s.rules[slices.IndexFunc(s.rules, func(r model.Rule) bool { return r.ID == id })]
}

func (s *Suite) rowRule(r model.Rule) {
	spec.Helper()
	var ways []string
	for _, h := range r.Hypotheses {
		if !h.OfRounded() {
			ways = append(ways, h.Name)
		}
	}
	args := []any{spec.NeedsKeys(r.Needs...), spec.ViolatedWhen(ways...)}
	if r.Security {
		args = append(args, spec.Security)
	}
	s.Rule(r.ID, r.Level, rules.SectionExport, r.Statement, append(args, func() {
		if r.ID == isolationRule {
			s.notSwapped()
		}
		s.rowCases(r)
	})...)
}

// rowCases declares the cases of a rule that the judgement decides: one for each way in which it is
// broken.
func (s *Suite) rowCases(r model.Rule) {
	spec.Helper()
	s.UseObservations(s.judgement)
	for _, o := range s.plain.all {
		s.UseObservations(o.download)
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
					s.unlessCarried(ctx)
				}
				ctx.StopOnError(err)
			}
			s.decide(ctx, j, r, ways, i == 0)
		}, ways[0].Place, spec.AtEveryDepth())
	}
}

// unexplained is what a deployment does whose rows no hypothesis explains.
const unexplained = "gives rows that no reading of the bounds explains"

// decide judges a rule by some of the ways in which it is broken. What it breaks by none of its own
// is for the first case.
func (s *Suite) decide(
	ctx spec.Context,
	j *judgement,
	r model.Rule,
	ways []*model.Hypothesis,
	first bool,
) {
	own := func(h *model.Hypothesis) bool { return slices.Contains(ways, h) || first && h.Rules()[0] != r.ID }
	for _, o := range s.designed { // a server error is neither a file without rows nor a refusal
		if sh, ok := o.TryGet(ctx); ok && r.ID == turnedRule && sh.query.asked.Turned() {
			ctx.Expect(target.Answer{Exchange: sh.answer, Subject: "export"}).To(matchers.BeAnswered())
		}
	}
	reading := j.found.Reading()
	for _, one := range reading {
		if own(one.Hypothesis) && one.Breaks(r.ID, j.found.Wrong) {
			if one.OfZone() && j.Zoneless {
				j.rest(ctx, j.found.Wrong[0].Export)
				ctx.NotVerifiedf("export.csv.time_zone",
					"the dates of the file carry no offset of their own, and the deployment %s", one.Name)
			}
			if one.OfRounded() {
				j.rest(ctx, j.found.Wrong[0].Export)
				ctx.NotVerifiedf("", "the deployment %s", one.Name)
			}
			s.report(ctx, j, one, r)
			return
		}
	}
	left := j.found.Left
	if len(left) > 0 {
		if first && j.blames(left) == r.ID {
			s.fail(ctx, j, left[0], unexplained, nil, "the rows that other exports show in the same range")
			return
		}
		j.rest(ctx, left[0].Export)
		ctx.Inconclusivef("some exports hold rows that nothing explains; see %s", j.blames(left))
	}
	if err := j.doubts[r.ID]; err != nil {
		s.plain.window.TryGet(ctx)
		ctx.StopOnError(err)
	}
	against, open := j.Refute(reading, ways)
	for _, e := range against[:min(len(against), 3)] {
		j.rest(ctx, e)
	}
	if len(open) > 0 && len(reading) > 0 {
		j.rest(ctx, j.found.Wrong[0].Export)
		const why = "the deployment %s, so no export can show whether it %s; see %s"
		see := strings.Join(reading[0].Rules(), " and ")
		if reading[0].OfRounded() {
			ctx.NotVerifiedf("", why, reading[0].Name, open[0].Name, see)
		}
		ctx.Inconclusivef(why, reading[0].Name, open[0].Name, see)
	}
	if len(open) > 0 {
		s.plain.window.TryGet(ctx)
		for _, o := range s.designed { // a file that failed might have shown it
			if sh, ok := o.TryGet(ctx); ok && sh.fails() {
				ctx.NotVerifiedf("", "%v", sh.usable())
			}
		}
		const why = "no export of this run could show whether the deployment %s"
		if !first && s.t.Depth == record.Quick { // which rests on the likeliest way
			ctx.RecordObservedf(why, open[0].Name)
			return
		}
		ctx.NotVerifiedf(r.Needs[len(r.Needs)-1], why, open[0].Name)
	}
}
