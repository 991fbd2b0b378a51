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
	rows   []Row
	labels []Labels // of each, one
	space  Space
	unit   time.Duration
	rng    *rand.Rand
}

const clientA = "CLIENT-12"

var january = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// newWorld makes the quotes of three users, some of which share their dates, or lie a millisecond
// apart.
func newWorld(seed uint64) *world {
	w := &world{rng: rand.New(rand.NewPCG(seed, 7)), unit: time.Millisecond}
	w.space = Space{
		Window: [2]time.Time{january, january.AddDate(0, 1, 0)}, Foreign: true,
		Values: map[string][]string{
			Extension: {"", "CSV"},
			Client:    {"", string(WholeID), string(TypeOnly)},
			WalletOf: {
				"",
				string(DefaultWallet),
				string(OtherWallet),
				string(EmptyWallet),
				string(ForeignWallet),
			},
			Product: {"", NamedProduct}, User: {"", TargetUser, AnotherUser},
			Language: {"", "pt-BR", "en-US"},
			Replay:   {"nonce", "x-transaction-uuid", "x-transaction-uuid&nonce"}, Method: {"", APIKey},
		},
	}
	w.space.Texts = FewNoClients()
	clients := []string{clientA, clientA + "7", "client-12", "ACME"}
	for owner := range 3 {
		for wallet := range 2 {
			for i := range 70 {
				at := january.Add(time.Duration(w.rng.IntN(31*24*3600*1000)) * time.Millisecond)
				switch {
				case i%5 == 1:
					at = time.Unix(0, w.rows[len(w.rows)-1].Dates[Created].From)
				case i%11 == 2:
					at = time.Unix(0, w.rows[len(w.rows)-1].Dates[Created].From).Add(time.Millisecond)
				}
				settled := at.Add(time.Hour + time.Duration(w.rng.IntN(72*3600*1000))*time.Millisecond)
				r := Row{ID: fmt.Sprintf("%08x-%d", w.rng.Uint32(), len(w.rows)), Client: clients[i%4]}
				r.Dates[Created], r.Dates[Settled] = w.date(at), w.date(settled)
				if i%9 == 4 {
					r.Dates[Settled] = Date{None: true}
				}
				product := 0
				if i > 64 {
					product = 1
				}
				w.rows = append(w.rows, r)
				w.labels = append(w.labels, ofOwner[owner]&ofWallet[wallet]&ofProduct[product]&^marked)
			}
		}
	}
	return w
}

func (w *world) date(at time.Time) Date {
	from := floor(at.UnixNano(), int64(w.unit))
	return Date{From: from, Until: from + int64(w.unit)}
}

// answer is the file of an export that is read in some way.
func (w *world) answer(q Query, r Reading) []Row {
	u := Universe{Unit: [2]time.Duration{time.Nanosecond, time.Nanosecond}}
	p := r.plan(u.plan(&q))
	var rows []Row
	for i := range w.rows {
		label := w.labels[i]
		if w.labels[i]&ofOwner[Stranger] != 0 || i%3 == 0 {
			label = label << 12 // marked, where that says anything
		}
		exact := w.rows[i]
		for k := range exact.Dates {
			exact.Dates[k].Until = exact.Dates[k].From + 1
		}
		if p.holds(&exact) > 0 && label&p.in != 0 {
			rows = append(rows, w.rows[i])
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		if p.written != "" {
			text := func(r Row) string {
				return strings.Replace(time.Unix(0, r.Dates[p.sort].From).UTC().Format(p.written), "ID", r.ID,
					1)
			}
			return strings.Compare(text(a), text(b)) * []int{rising: 1, falling: -1}[p.order]
		}
		x, y := a.Dates[p.sort], b.Dates[p.sort]
		switch {
		case x.None != y.None:
			return map[bool]int{true: 1, false: -1}[x.None]
		case p.order == falling:
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
			return slices.CompactFunc(rows,
				func(a, b Row) bool { return a.Dates[p.sort] == b.Dates[p.sort] && !a.Dates[p.sort].None })
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
		window(Query{}), window(Query{Sort: "settled_date"}), window(Query{Wallet: DefaultWallet}),
		window(Query{Wallet: OtherWallet}),
		window(Query{User: Target, Product: true}), window(Query{User: Stranger}),
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
	spoil func(q Query, rows []Row) []Row,
) judged {
	u := &Universe{Unit: [2]time.Duration{w.unit, w.unit}}
	send := func(q Query) {
		rows := w.answer(q, r)
		if spoil != nil {
			rows = spoil(q, rows)
		}
		u.Learn(&Export{Query: q}, rows)
	}
	for _, q := range plainQueries() {
		send(q)
	}
	u.Settle()
	texts := u.Texts(w.space, w.rng)
	pool := u.Pool(w.space, w.rng)
	for _, q := range append(texts, u.Design(pool, hypotheses, exports-len(texts), 1)...) {
		send(q)
	}
	u.Settle()
	j := judged{u: u, x: u.Explain(hypotheses)}
	for ; j.extra < 8 && len(j.x.Candidates) > 1; j.extra++ {
		q, found := u.Distinguish(j.x.Candidates, pool)
		if !found {
			break
		}
		send(q)
		u.Settle()
		j.x = u.Explain(hypotheses)
	}
	return j
}
