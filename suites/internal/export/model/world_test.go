package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// world is a deployment of a few hundred quotes.
type world struct {
	rows   []ObservedQuote
	labels []Origins // of each, one
	space  QuerySpace
	unit   time.Duration
	rng    *rand.Rand
}

const clientA = "CLIENT-12"

var january = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// newWorld makes the quotes of three users, some of which share their dates, or lie a millisecond
// apart.
func newWorld(seed uint64) *world {
	w := &world{rng: rand.New(rand.NewPCG(seed, 7)), unit: time.Millisecond}
	w.space = QuerySpace{
		Window: [2]time.Time{january, january.AddDate(0, 1, 0)}, Foreign: true,
		Values: map[string][]string{
			FactorExtension: {"", "CSV"},
			FactorFilter:    {"", string(FilterWholeID), string(FilterTypeOnly)},
			FactorWallet: {
				"",
				string(WalletDefault),
				string(WalletOther),
				string(WalletEmpty),
				string(WalletForeign),
			},
			FactorProduct: {"", ValueNamedProduct}, FactorUser: {"", ValueTargetUser, ValueAnotherUser},
			FactorLanguage: {"", "pt-BR", "en-US"},
			FactorReplay: {
				"nonce",
				"x-transaction-uuid",
				"x-transaction-uuid&nonce",
			}, FactorAuthMethod: {"", ValueAPIKey},
		},
	}
	w.space.Texts = CommonNonClientFilters()
	clients := []string{clientA, clientA + "7", "client-12", "ACME"}
	for owner := range 3 {
		for wallet := range 2 {
			for i := range 70 {
				at := january.Add(time.Duration(w.rng.IntN(31*24*3600*1000)) * time.Millisecond)
				switch {
				case i%5 == 1:
					at = time.Unix(0, w.rows[len(w.rows)-1].Dates[DateCreated].From)
				case i%11 == 2:
					at = time.Unix(0, w.rows[len(w.rows)-1].Dates[DateCreated].From).Add(time.Millisecond)
				}
				settled := at.Add(time.Hour + time.Duration(w.rng.IntN(72*3600*1000))*time.Millisecond)
				r := ObservedQuote{
					ID:     fmt.Sprintf("%08x-%d", w.rng.Uint32(), len(w.rows)),
					Client: clients[i%4],
				}
				r.Dates[DateCreated], r.Dates[DateSettled] = w.date(at), w.date(settled)
				if i%9 == 4 {
					r.Dates[DateSettled] = RowDate{None: true}
				}
				product := 0
				if i > 64 {
					product = 1
				}
				w.rows = append(w.rows, r)
				w.labels = append(
					w.labels,
					originsOfOwner[owner]&originsInWallet[wallet]&originsOfProduct[product]&^originsUnexplained,
				)
			}
		}
	}
	return w
}

func (w *world) date(at time.Time) RowDate {
	from := floorTo(at.UnixNano(), int64(w.unit))
	return RowDate{From: from, Until: from + int64(w.unit)}
}

// answer is the file of an export that is read in some way.
func (w *world) answer(q Query, r Reading) []ObservedQuote {
	u := Universe{Unit: [2]time.Duration{time.Nanosecond, time.Nanosecond}}
	p := r.apply(u.documentedPlan(&q))
	var rows []ObservedQuote
	for i := range w.rows {
		label := w.labels[i]
		if w.labels[i]&originsOfOwner[OwnerStranger] != 0 || i%3 == 0 {
			label = label << 12 // marked, where that says anything
		}
		exact := w.rows[i]
		for k := range exact.Dates {
			exact.Dates[k].Until = exact.Dates[k].From + 1
		}
		if p.holdsRow(&exact) > 0 && label&p.in != 0 {
			rows = append(rows, w.rows[i])
		}
	}
	slices.SortStableFunc(rows, func(a, b ObservedQuote) int {
		if p.written != "" {
			text := func(r ObservedQuote) string {
				return strings.Replace(time.Unix(0, r.Dates[p.sort].From).UTC().Format(p.written), "ID", r.ID,
					1)
			}
			return strings.Compare(
				text(a),
				text(b),
			) * []int{directionRising: 1, directionFalling: -1}[p.order]
		}
		x, y := a.Dates[p.sort], b.Dates[p.sort]
		switch {
		case x.None != y.None:
			return map[bool]int{true: 1, false: -1}[x.None]
		case p.order == directionFalling:
			return int(y.From/1e6 - x.From/1e6)
		}
		return int(x.From/1e6 - y.From/1e6)
	})
	if p.trim != nil && len(rows) > 0 {
		switch name := r[len(r)-1].Name; {
		case strings.Contains(name, "last"):
			return rows[:len(rows)-1]
		case strings.Contains(name, "first"):
			return rows[1:]
		case strings.Contains(name, "cuts"):
			return rows[:min(30, len(rows))]
		default:
			return slices.CompactFunc(
				rows,
				func(a, b ObservedQuote) bool { return a.Dates[p.sort] == b.Dates[p.sort] && !a.Dates[p.sort].None },
			)
		}
	}
	return rows
}

// plain are the exports that are sent first.
func plainQueries() []Query {
	window := func(q Query) Query {
		q.Start, q.End = "2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z"
		q.Extension, q.Replay = "CSV", "nonce"
		return q
	}
	return []Query{
		window(Query{}), window(Query{Sort: "settled_date"}), window(Query{Wallet: WalletDefault}),
		window(Query{Wallet: WalletOther}),
		window(Query{User: OwnerTarget, Product: true}), window(Query{User: OwnerStranger}),
		window(Query{Product: true}), window(Query{Key: true}),
		{Replay: "nonce"},
	}
}

// judged is what a run comes to.
type judged struct {
	u     *Universe
	x     Explanation
	extra int
}

func (w *world) run(
	r Reading,
	hypotheses []*Hypothesis,
	exports int,
	spoil func(q Query, rows []ObservedQuote) []ObservedQuote,
) judged {
	u := &Universe{Unit: [2]time.Duration{w.unit, w.unit}}
	send := func(q Query) {
		rows := w.answer(q, r)
		if spoil != nil {
			rows = spoil(q, rows)
		}
		u.AddExport(&SeenExport{Query: q}, rows)
	}
	for _, q := range plainQueries() {
		send(q)
	}
	u.Prepare()
	texts := u.DrawFilterTexts(w.space, w.rng)
	pool := u.DrawPool(w.space, w.rng)
	for _, q := range append(texts, u.DesignQueries(pool, hypotheses, exports-len(texts), 1)...) {
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
