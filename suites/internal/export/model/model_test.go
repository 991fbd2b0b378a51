package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/internal/export"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// all returns the hypotheses of all rules.
func all() []*model.Hypothesis {
	dep := &deployment.File{}
	dep.Fixtures.Window, dep.Export.File = &deployment.Window{}, &deployment.Retrieval{}
	p, t := spec.New(spec.Options{}), target.New(dep, nil, 1)
	s := export.New(p, t, lab.New(p, t))
	s.Declare()
	return s.Hypotheses()
}

// A deployment that deviates as one hypothesis says is explained by it, or by one that shares a
// broken rule: with dates to the millisecond, some are the same.
func TestEveryHypothesisIsFound(t *testing.T) {
	hypotheses := all()
	named := 0
	for i, h := range hypotheses {
		if h.Fallback() == model.FallbackZone && i%7 != 0 || h.Fallback() > model.FallbackZone ||
			testing.Short() && i%23 != 0 {
			continue
		}
		w := newWorld(uint64(i))
		j := w.run(model.Reading{{Hypothesis: h}}, hypotheses, nil)
		r := j.x.Reading()
		switch {
		case len(j.x.Wrong) == 0 && (h.IsOptional() || h.IsRounding()): // it may show nowhere by chance
		case len(j.x.Wrong) == 0:
			t.Errorf("%s: shows nowhere", h.Name)
		case len(j.x.Left) > 0:
			t.Errorf("%s: not explained (%d of %d left)", h.Name, len(j.x.Left), len(j.x.Wrong))
		case !slices.Contains(r[0].BrokenRules(), h.Rule.ID) &&
			!slices.Contains(h.BrokenRules(), r[0].Rule.ID):
			t.Errorf("%s: taken for %s %v (%s), %d exports more", h.Name, r[0].Name, r[0].Condition,
				r[0].Rule.ID, j.extra)
		case r[0].Hypothesis != h:
			t.Logf("%s: named %s %v", h.Name, r[0].Name, r[0].Condition)
		default:
			named++
		}
	}
	t.Logf("%d named exactly", named)
}

// Most hypotheses under one setting are found, and most of these with the right rule.
func TestHypothesesBesideSettings(t *testing.T) {
	hypotheses := all()
	settings := []record.FactorValue{
		{Factor: model.FactorOrder, Value: "asc"},
		{Factor: model.FactorSort, Value: "settled_date"},
		{Factor: "filter_text"},
		{Factor: target.HeaderWallet},
		{Factor: target.HeaderProduct, Value: model.ValueNamedProduct},
		{Factor: target.HeaderLanguage, Value: "pt-BR"},
		{Factor: target.HeaderLanguage, Value: "en-US"},
		{Factor: model.FactorAuthMethod, Value: model.ValueAPIKey},
		{Factor: model.FactorExtension, Value: "CSV"},
		{Factor: target.HeaderReplay, Value: "x-transaction-uuid"},
		{Factor: target.HeaderReplay, Value: "x-transaction-uuid&nonce"},
		{Factor: target.HeaderTargetUser, Value: model.ValueTargetUser},
	}
	meaningful, seen, right, beside := 0, 0, 0, 0
	for i, h := range hypotheses {
		if h.Fallback() != model.FallbackNone || i%10 != 0 || testing.Short() && i != 0 {
			continue
		}
		for k, s := range settings {
			w := newWorld(uint64(100*i + k))
			truth := model.Reading{{h, []record.FactorValue{s}}}
			if !w.matters(truth) {
				continue
			}
			meaningful++
			x := w.run(truth, hypotheses, nil).x
			if len(x.Wrong) > 0 {
				seen++
			}
			switch r := x.Reading(); {
			case r == nil:
				t.Logf("%s | %s: not explained", h.Name, s)
			case !slices.Contains(r[0].BrokenRules(), h.Rule.ID):
				t.Logf("%s | %s: taken for %s %v (%d left)", h.Name, s, r[0].Name, r[0].Condition, len(x.Left))
			case slices.Contains(r[0].Condition, s):
				beside++
				fallthrough
			default:
				right++
			}
		}
	}
	t.Logf("%d meaningful, %d seen, %d by the right rule, %d of them by the right setting", meaningful,
		seen, right, beside)
	if 100*seen < 80*meaningful || 100*right < 80*seen {
		t.Error("too few are seen, or explained by the right rule")
	}
}

// matters reports whether a reading changes any export of the pool.
func (w *world) matters(r model.Reading) bool {
	u := w.universe()
	u.Prepare()
	for _, q := range u.DrawPool(w.space, w.rng) {
		a, b := w.answer(q, nil), w.answer(q, r)
		if !slices.EqualFunc(a, b, func(a, b model.ObservedQuote) bool { return a.ID == b.ID }) {
			return true
		}
	}
	return false
}

// A deployment that follows the document has no finding, whatever its files show of the quotes.
func TestNothingIsSaidOfTheDocumentedReading(t *testing.T) {
	hypotheses := all()
	for name, change := range map[string]func(r *model.ObservedQuote){
		"plain":  func(*model.ObservedQuote) {},
		"no IDs": func(r *model.ObservedQuote) { r.ID = fmt.Sprint(r.Dates, r.Client) },
		"days": func(r *model.ObservedQuote) {
			for k := range r.Dates {
				if d := &r.Dates[k]; !d.None {
					d.From = model.FloorTo(d.From, int64(24*time.Hour))
					d.Until = d.From + int64(24*time.Hour)
				}
			}
		},
		"ambiguous": func(r *model.ObservedQuote) {
			if len(r.ID)%3 == 0 {
				r.Dates[model.DateCreated].Later = int64(time.Hour)
			}
		},
		"unreadable": func(r *model.ObservedQuote) {
			r.Dates[model.DateSettled] = model.UnknownDate()
		},
	} {
		for seed := range uint64(3) {
			if testing.Short() && seed > 0 {
				break
			}
			spoil := func(rows []model.ObservedQuote) []model.ObservedQuote {
				for i := range rows {
					change(&rows[i])
				}
				return rows
			}
			j := newWorld(seed).run(nil, hypotheses, spoil)
			if len(j.x.Wrong) > 0 {
				t.Errorf("%s, seed %d: %d exports wrong: %+v", name, seed, len(j.x.Wrong), j.x.Wrong[0])
			}
			if name == "plain" {
				_, open := j.u.Refute(nil, hypotheses)
				for _, h := range open {
					t.Errorf("%s, seed %d: nothing speaks against: %s", name, seed, h.Name)
				}
			}
		}
	}
}

// Rows that appear during the run contradict no reading once they are marked as unsteady.
func TestRowsThatComeMeanwhileAreLeftOut(t *testing.T) {
	w := newWorld(3)
	hypotheses := all()
	late := func(r model.ObservedQuote) bool { return strings.HasSuffix(r.ID, "7") }
	sent := 0
	j := w.run(nil, hypotheses, func(rows []model.ObservedQuote) []model.ObservedQuote {
		if sent++; sent > 20 {
			return rows
		}
		return slices.DeleteFunc(rows, late)
	})
	if len(j.x.Wrong) == 0 {
		t.Fatal("no export shows that rows came in")
	}
	for i := range w.rows {
		if late(w.rows[i]) {
			j.u.MarkUnsteady(w.rows[i].ID)
		}
	}
	if x := j.u.Explain(hypotheses); len(x.Wrong) > 0 {
		t.Errorf("%d exports are wrong: %+v", len(x.Wrong), x.Wrong[0])
	}
}

// A refused export refutes a hypothesis, and contradicts no reading.
func TestRefusalsExplainNothing(t *testing.T) {
	w := newWorld(4)
	u := w.universe()
	q := plainQueries()[0]
	q.Wallet, q.User = model.WalletForeign, model.OwnerStranger
	u.AddExport(&model.SeenExport{Query: q, Refused: true}, nil)
	u.Prepare()
	for _, h := range all() {
		if h.Rule.ID != "export.wallet.foreign" {
			continue
		}
		if against, open := u.Refute(nil, []*model.Hypothesis{h}); len(against) != 1 || len(open) > 0 {
			t.Errorf("%d against, open: %v", len(against), open)
		}
		if !u.FitsAllExports(model.Reading{{Hypothesis: h}}) {
			t.Error("a refusal contradicts a reading")
		}
	}
}

// Rows that files lose by chance are taken for no defect of a filter or a bound, although some
// hypothesis explains one file or another.
func TestRowsLostByChanceHaveNoReading(t *testing.T) {
	for seed := range uint64(5) {
		w := newWorld(seed)
		j := w.run(nil, all(), func(rows []model.ObservedQuote) []model.ObservedQuote {
			return slices.DeleteFunc(rows, func(model.ObservedQuote) bool { return w.rng.IntN(7) == 0 })
		})
		if r := j.x.Reading(); len(j.x.Wrong) == 0 || len(j.x.Left) != len(j.x.Wrong) || r != nil {
			t.Errorf("seed %d: %d of %d exports left by %v", seed, len(j.x.Left), len(j.x.Wrong), r)
		}
	}
}

// Several deviations at once are all named, although hardly a file shows one of them alone, and each
// is shown by the rows that are wrong because of it.
func TestCombinedHypothesesAreFound(t *testing.T) {
	hypotheses := all()
	for seed, names := range [][]string{
		{
			"drops rows dated on the start", "keeps clients whose ID starts with the filter text",
			"orders rows ascending whatever the order",
		},
		{
			"reads bounds 3h off, as in another time zone", "ignores the filter",
			"adds the quotes of the caller to those of a target user",
		},
		{
			"keeps rows dated on the end", "gives the quotes of all wallets when none is given",
			"keeps one row of those that share a date",
		},
		{
			"compares bounds with dates as text",
			"gives the quotes of the default wallet for one that the user does not have",
		},
		{"ignores the start when an end is given", "ignores an end without a start"},
	} {
		var truth model.Reading
		for _, name := range names {
			at := slices.IndexFunc(hypotheses, func(h *model.Hypothesis) bool { return h.Name == name })
			truth = append(truth, model.ConditionalHypothesis{Hypothesis: hypotheses[at]})
		}
		j := newWorld(uint64(seed)).run(truth, hypotheses, nil)
		x := j.x
		for _, h := range truth {
			due := j.u.ContradictionsDueTo(h, truth)
			drops, keeps := strings.HasPrefix(h.Name, "drops rows"), strings.HasPrefix(h.Name, "keeps rows")
			if len(due) == 0 || slices.ContainsFunc(due, func(c *model.Contradiction) bool {
				return drops && len(c.Extra) > 0 || keeps && len(c.Missing) > 0
			}) {
				t.Errorf("%q is shown by other rows, or by none", h.Name)
			}
			if !slices.ContainsFunc(x.Reading(), func(one model.ConditionalHypothesis) bool {
				return one.Hypothesis == h.Hypothesis && len(one.Condition) == 0
			}) {
				t.Errorf("%q is not named, %d exports of %d are left", h.Name, len(x.Left), len(x.Wrong))
			}
		}
	}
}
