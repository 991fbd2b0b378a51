package model_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/target"
)

// world is a deployment with a few hundred quotes.
type world struct {
	rows   []model.ObservedQuote
	labels []model.Origins // the origin of each row
	space  model.QuerySpace
	unit   time.Duration
	rng    *rand.Rand
}

const clientA = "CLIENT-12"

var january = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// newWorld makes the quotes of three users. Some share their dates, or lie a millisecond apart.
func newWorld(seed uint64) *world {
	w := &world{rng: rand.New(rand.NewPCG(seed, 7)), unit: time.Millisecond}
	w.space = model.QuerySpace{
		Window: [2]time.Time{january, january.AddDate(0, 1, 0)}, Foreign: true,
		Values: map[string][]string{
			model.FactorExtension: {"", "CSV"},
			model.FactorFilter:    {"", string(model.FilterWholeID), string(model.FilterTypeOnly)},
			target.HeaderWallet: {
				"", string(model.WalletDefault), string(model.WalletOther),
				string(model.WalletEmpty), string(model.WalletForeign),
			},
			target.HeaderProduct:    {"", model.ValueNamedProduct},
			target.HeaderTargetUser: {"", model.ValueTargetUser, model.ValueAnotherUser},
			target.HeaderLanguage:   {"", "pt-BR", "en-US"},
			target.HeaderReplay:     {"nonce", "x-transaction-uuid", "x-transaction-uuid&nonce"},
			model.FactorAuthMethod:  {"", model.ValueAPIKey},
		},
	}
	w.space.Texts, _ = model.NonClientFilters()
	clients := []string{clientA, clientA + "7", "client-12", "ACME"}
	for owner := range 3 {
		for wallet := range 2 {
			for i := range 70 {
				at := january.Add(time.Duration(w.rng.IntN(31*24*3600*1000)) * time.Millisecond)
				switch {
				case i%5 == 1:
					at = time.Unix(0, w.rows[len(w.rows)-1].Dates[model.DateCreated].From)
				case i%11 == 2:
					at = time.Unix(0, w.rows[len(w.rows)-1].Dates[model.DateCreated].From).Add(time.Millisecond)
				}
				settled := at.Add(time.Hour + time.Duration(w.rng.IntN(72*3600*1000))*time.Millisecond)
				r := model.ObservedQuote{
					ID:     fmt.Sprintf("%08x-%d", w.rng.Uint32(), len(w.rows)),
					Client: clients[i%4],
				}
				r.Dates[model.DateCreated], r.Dates[model.DateSettled] = w.date(at), w.date(settled)
				if i%9 == 4 {
					r.Dates[model.DateSettled] = model.RowDate{None: true}
				}
				product := 0
				if i > 64 {
					product = 1
				}
				w.rows = append(w.rows, r)
				w.labels = append(w.labels, model.OriginOf(model.Owner(owner), wallet, product))
			}
		}
	}
	return w
}

func (w *world) date(at time.Time) model.RowDate {
	from := model.FloorTo(at.UnixNano(), int64(w.unit))
	return model.RowDate{From: from, Until: from + int64(w.unit)}
}

// answer returns the file of an export under a reading.
func (w *world) answer(q model.Query, r model.Reading) []model.ObservedQuote {
	u := model.Universe{Unit: [2]time.Duration{time.Nanosecond, time.Nanosecond}}
	p := u.PlanOf(&q, r)
	var rows []model.ObservedQuote
	for i := range w.rows {
		label := w.labels[i]
		if w.labels[i]&model.OriginsOf(model.OwnerStranger) != 0 || i%3 == 0 {
			label = label << model.FirstUnexplainedOrigin // marked, where marks matter
		}
		exact := w.rows[i]
		for k := range exact.Dates {
			exact.Dates[k].Until = exact.Dates[k].From + 1
		}
		if p.HoldsRow(&exact) && label&p.Origins() != 0 {
			rows = append(rows, w.rows[i])
		}
	}
	slices.SortStableFunc(rows, func(a, b model.ObservedQuote) int {
		if p.OrderLayout != "" {
			text := func(r model.ObservedQuote) string {
				date := time.Unix(0, r.Dates[p.Sort].From).UTC().Format(p.OrderLayout)
				return strings.Replace(date, "ID", r.ID, 1)
			}
			return strings.Compare(text(a), text(b)) * []int{model.Rising: 1, model.Falling: -1}[p.Order]
		}
		x, y := a.Dates[p.Sort], b.Dates[p.Sort]
		switch {
		case x.None != y.None:
			if x.None {
				return 1
			}
			return -1
		case p.Order == model.Falling:
			return int(y.From/1e6 - x.From/1e6)
		}
		return int(x.From/1e6 - y.From/1e6)
	})
	if p.LosesExactly != nil && len(rows) > 0 {
		switch name := r[len(r)-1].Name; {
		case strings.Contains(name, "last"):
			return rows[:len(rows)-1]
		case strings.Contains(name, "first"):
			return rows[1:]
		case strings.Contains(name, "cuts"):
			return rows[:min(30, len(rows))]
		default:
			return slices.CompactFunc(rows, func(a, b model.ObservedQuote) bool {
				return a.Dates[p.Sort] == b.Dates[p.Sort] && !a.Dates[p.Sort].None
			})
		}
	}
	return rows
}

// plainQueries returns the exports that are sent first.
func plainQueries() []model.Query {
	window := func(q model.Query) model.Query {
		q.Start, q.End = "2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z"
		q.Extension, q.Replay = "CSV", "nonce"
		return q
	}
	return []model.Query{
		window(model.Query{}), window(model.Query{Sort: "settled_date"}),
		window(model.Query{Wallet: model.WalletDefault}), window(model.Query{Wallet: model.WalletOther}),
		window(model.Query{User: model.OwnerTarget, Product: true}),
		window(model.Query{User: model.OwnerStranger}),
		window(model.Query{Product: true}), window(model.Query{Key: true}),
		{Replay: "nonce"},
	}
}

// judged is the result of a run.
type judged struct {
	u     *model.Universe
	x     model.Explanation
	extra int
}

// universe returns what the plain exports show of a deployment that follows the document.
func (w *world) universe() *model.Universe {
	u := &model.Universe{Unit: [2]time.Duration{w.unit, w.unit}}
	for _, q := range plainQueries() {
		u.AddExport(&model.SeenExport{Query: q}, w.answer(q, nil))
	}
	return u
}

// run sends 45 exports, and more while several readings explain them. spoil changes the rows of
// their files; nil: nothing does.
func (w *world) run(
	r model.Reading, hypotheses []*model.Hypothesis,
	spoil func(rows []model.ObservedQuote) []model.ObservedQuote,
) judged {
	u := &model.Universe{Unit: [2]time.Duration{w.unit, w.unit}}
	send := func(q model.Query) {
		rows := w.answer(q, r)
		if spoil != nil {
			rows = spoil(rows)
		}
		u.AddExport(&model.SeenExport{Query: q}, rows)
	}
	for _, q := range plainQueries() {
		send(q)
	}
	u.Prepare()
	texts := u.DrawFilterTexts(w.space, w.rng)
	pool := u.DrawPool(w.space, w.rng)
	for _, q := range append(texts, u.DesignQueries(pool, hypotheses, 45-len(texts), 1)...) {
		send(q)
	}
	u.Prepare()
	j := judged{u: u, x: u.Explain(hypotheses)}
	for ; j.extra < 8 && len(j.x.Candidates) > 1; j.extra++ {
		q, found := u.Distinguish(j.x.Candidates, pool)
		if !found {
			break
		}
		send(q)
		u.Prepare()
		j.x = u.Explain(hypotheses)
	}
	return j
}
