package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/suites/record"
)

func all() []*Hypothesis { return Hypotheses(Rules()) }

// Every hypothesis is found where it is what a deployment does, and breaks the rule that is named.
func TestEveryHypothesisIsFound(t *testing.T) {
	hypotheses := all()
	named := 0
	for i, h := range hypotheses {
		if h.fallback == fallbackZone && i%7 != 0 || h.fallback > fallbackZone ||
			testing.Short() && i%23 != 0 {
			continue
		}
		w := newWorld(uint64(i))
		j := w.run(Reading{{Hypothesis: h}}, hypotheses, 45, nil)
		r := j.x.Reading()
		switch {
		case len(j.x.Wrong) == 0 && h.optional:
		case len(j.x.Wrong) == 0:
			t.Errorf("%s: shows nowhere", h.Name)
		case len(j.x.Left) > 0:
			t.Errorf("%s: not explained (%d of %d left)", h.Name, len(j.x.Left), len(j.x.Wrong))
		case !slices.Contains(r[0].BrokenRules(), h.rule):
			t.Errorf("%s: taken for %s %v (%s), %d exports more", h.Name, r[0].Name, r[0].Condition,
				r[0].rule, j.extra)
		case r[0].Hypothesis != h:
			t.Logf("%s: named %s %v", h.Name, r[0].Name, r[0].Condition)
		default:
			named++
		}
	}
	t.Logf("%d named exactly", named)
}

// Beside a setting as well: nearly all are found, and most get the rule and the setting right.
func TestHypothesesBesideSettings(t *testing.T) {
	hypotheses := all()
	settings := []record.FactorValue{
		{Factor: FactorOrder, Value: "asc"},
		{Factor: FactorSort, Value: "settled_date"},
		{Factor: "filter_text"},
		{Factor: FactorWallet},
		{Factor: FactorProduct, Value: ValueNamedProduct},
		{Factor: FactorLanguage, Value: "pt-BR"},
		{Factor: FactorLanguage, Value: "en-US"},
		{Factor: FactorAuthMethod, Value: ValueAPIKey},
		{Factor: FactorExtension, Value: "CSV"},
		{Factor: FactorReplay, Value: "x-transaction-uuid"},
		{Factor: FactorReplay, Value: "x-transaction-uuid&nonce"},
		{Factor: FactorUser, Value: ValueTargetUser},
	}
	meaningful, seen, right, beside := 0, 0, 0, 0
	for i, h := range hypotheses {
		if h.fallback != fallbackNone || i%10 != 0 || testing.Short() && i != 0 {
			continue
		}
		for k, s := range settings {
			w := newWorld(uint64(100*i + k))
			truth := Reading{{h, []record.FactorValue{s}}}
			if !w.matters(truth) {
				continue
			}
			meaningful++
			x := w.run(truth, hypotheses, 45, nil).x
			if len(x.Wrong) > 0 {
				seen++
			}
			switch r := x.Reading(); {
			case r == nil:
				t.Logf("%s | %s: not explained", h.Name, s)
			case !slices.Contains(r[0].BrokenRules(), h.rule):
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
	if 100*seen < 85*meaningful || 100*right < 80*seen {
		t.Error("too few are seen, or explained by the right rule")
	}
}

// matters reports a reading that changes any of many exports.
func (w *world) matters(r Reading) bool {
	u := &Universe{Unit: [2]time.Duration{w.unit, w.unit}}
	for _, q := range plainQueries() {
		u.AddExport(&SeenExport{Query: q}, w.answer(q, nil))
	}
	u.Prepare()
	for _, q := range u.DrawPool(w.space, w.rng) {
		a, b := w.answer(q, nil), w.answer(q, r)
		if !slices.EqualFunc(a, b, func(a, b ObservedQuote) bool { return a.ID == b.ID }) {
			return true
		}
	}
	return false
}

// Nothing is said about a deployment that does what the document says, whatever files show of its
// quotes.
func TestNothingIsSaidOfTheDocumentedReading(t *testing.T) {
	hypotheses := all()
	for name, change := range map[string]func(w *world, rows []ObservedQuote) []ObservedQuote{
		"plain": func(_ *world, rows []ObservedQuote) []ObservedQuote { return rows },
		"no IDs": func(_ *world, rows []ObservedQuote) []ObservedQuote {
			for i := range rows {
				rows[i].ID = fmt.Sprint(rows[i].Dates, rows[i].Client)
			}
			return rows
		},
		"days": func(_ *world, rows []ObservedQuote) []ObservedQuote {
			for i := range rows {
				for k := range rows[i].Dates {
					if d := &rows[i].Dates[k]; !d.None {
						d.From = floorTo(d.From, int64(24*time.Hour))
						d.Until = d.From + int64(24*time.Hour)
					}
				}
			}
			return rows
		},
		"ambiguous": func(_ *world, rows []ObservedQuote) []ObservedQuote {
			for i := range rows {
				if d := &rows[i].Dates[DateCreated]; len(rows[i].ID)%3 == 0 {
					d.Later = int64(time.Hour)
				}
			}
			return rows
		},
		"unreadable": func(_ *world, rows []ObservedQuote) []ObservedQuote {
			for i := range rows {
				rows[i].Dates[DateSettled] = RowDate{From: unknownTime}
			}
			return rows
		},
	} {
		for seed := range uint64(3) {
			if testing.Short() && seed > 0 {
				break
			}
			w := newWorld(seed)
			j := w.run(
				nil,
				hypotheses,
				45,
				func(_ Query, rows []ObservedQuote) []ObservedQuote { return change(w, rows) },
			)
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

// Rows that come in while the run goes on speak against no reading once they are known to.
func TestRowsThatComeMeanwhileAreLeftOut(t *testing.T) {
	w := newWorld(3)
	hypotheses := all()
	late := func(r ObservedQuote) bool { return strings.HasSuffix(r.ID, "7") }
	sent := 0
	j := w.run(nil, hypotheses, 45, func(_ Query, rows []ObservedQuote) []ObservedQuote {
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

// An export that is refused speaks against what a deployment would give, and explains nothing.
func TestRefusalsExplainNothing(t *testing.T) {
	w := newWorld(4)
	u := &Universe{Unit: [2]time.Duration{w.unit, w.unit}}
	for _, q := range plainQueries() {
		u.AddExport(&SeenExport{Query: q}, w.answer(q, nil))
	}
	q := plainQueries()[0]
	q.Wallet, q.User = WalletForeign, OwnerStranger
	u.AddExport(&SeenExport{Query: q, Refused: true}, nil)
	u.Prepare()
	for _, r := range Rules() {
		if r.ID != "export.wallet.foreign" {
			continue
		}
		if against, open := u.Refute(nil, Hypotheses([]Rule{r})); len(against) != 1 || len(open) > 0 {
			t.Errorf("%d against, open: %v", len(against), open)
		}
		if !u.FitsAllExports(Reading{{Hypothesis: &r.Hypotheses[0]}}) {
			t.Error("a refusal contradicts a reading")
		}
	}
}
