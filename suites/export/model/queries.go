package model

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/record"
)

// Where a bound is set, and how it is written.
const (
	onWindow = "on the window's"
	onRow    = "on a row's date"
	onShared = "on a shared date"
	after    = "just after a row's date"
	onSecond = "on the second of a row's date"
	between  = "between two dates"
	onStart  = "on the start" // of the end
	turnedBy = "before the start"
	none     = ""

	// Written is the factor of how both bounds are written.
	Written = "written"
	half    = "+05:30"
	west    = "-03:00"
	farAway = "+13:00 or -11:00"
	tenths  = "one digit"
	micros  = "six digits"
)

// Notations are how both bounds can be written, the plain one first.
func Notations() []string { return []string{"", half, west, farAway, tenths, micros} }

// Space is what exports of a deployment can ask for.
type Space struct {
	Window  [2]time.Time
	Whole   bool                // bounds with a fraction are refused
	Values  map[string][]string // of each factor that takes values of the deployment, its default first
	Texts   []FilterKind        // that name no client
	Foreign bool                // a wallet of another user is known
	// Only the target user's exports name a product: that of the fixtures is not the default one.
	ForTarget bool
}

// Design is the factors of exports and the constraints among them.
func (s Space) Design() design.Design {
	set := func(factor, value string) record.Setting { return record.Setting{Factor: factor, Value: value} }
	one := func(when record.Setting, factor string, values ...string) design.Constraint {
		return design.Constraint{When: when, Factor: factor, Values: values}
	}
	d := design.Design{Factors: []design.Factor{
		{Name: Sort, Values: []string{"", Created.String(), Settled.String()}},
		{Name: Order, Values: []string{"", "asc", "desc"}},
		{Name: Start, Values: []string{onWindow, onRow, onRow + ", too", onShared, after, onSecond, between, none}},
		{Name: End, Values: []string{onWindow, onRow, onRow + ", too", onShared, after, onSecond, between, none, onStart, turnedBy}},
	}}
	for _, name := range []string{Written, Client, Extension, WalletOf, Product, User, Language, Replay, Method} {
		if values := s.Values[name]; len(values) > 1 {
			d.Factors = append(d.Factors, design.Factor{Name: name, Values: values})
		}
	}
	d.Constraints = []design.Constraint{
		one(set(Start, none), End, onWindow, onRow, onShared, after, onSecond, between, none),
		one(set(User, TargetUser), Product, NamedProduct), one(set(User, TargetUser), WalletOf, ""),
		one(set(User, AnotherUser), Product, ""), one(set(User, AnotherUser), WalletOf, "", string(ForeignWallet)),
		one(set(User, AnotherUser), Method, ""), one(set(User, AnotherUser), Client, "", string(WholeID)),
		one(set(Client, string(TypeOnly)), User, ""), one(set(Client, string(TypeOnly)), WalletOf, ""),
	}
	return d
}

// Values of factors that say who asks, for what.
const (
	TargetUser   = "the target user"
	AnotherUser  = "another user"
	NamedProduct = "the product"
	APIKey       = "the key"
)

// Pool makes queries out of covering arrays, with bounds at the dates of rows that were seen.
func (u *Universe) Pool(s Space, rng *rand.Rand, arrays int) []Query {
	d, homes := s.Design(), u.homes(nil)
	pool := []Query{{}, {Order: "asc"}, {Sort: Settled.String()}, {Sort: Settled.String(), Order: "asc"}}
	for range arrays {
		for _, c := range d.Cover(rng, 0) {
			if q, ok := u.query(s, c, homes, rng); ok {
				pool = append(pool, q)
			}
		}
	}
	return pool
}

// Texts are queries of the window by each kind of text that names no client: one of each is enough, as an export without rows says
// nothing else.
func (u *Universe) Texts(s Space, rng *rand.Rand) (queries []Query) {
	const tries = 8 // not every client's ID has a part that is no other's
	for _, kind := range s.Texts {
		for range tries {
			if q, ok := u.query(s, design.Context{{Factor: Client, Value: string(kind)}}, u.homes(nil), rng); ok {
				queries = append(queries, q)
				break
			}
		}
	}
	return queries
}

// query gives a context its dates; false: there are none.
func (u *Universe) query(s Space, c design.Context, homes []Labels, rng *rand.Rand) (q Query, ok bool) {
	value := func(factor string) string {
		v, set := c.Value(factor)
		if values := s.Values[factor]; !set && len(values) > 0 {
			return values[0]
		}
		return v
	}
	q = Query{
		Sort: value(Sort), Order: value(Order), Extension: value(Extension), Language: value(Language), Replay: value(Replay),
		Product: value(Product) != "", Key: value(Method) != "", Wallet: Wallet(value(WalletOf)),
	}
	switch value(User) {
	case TargetUser:
		q.User = Target
	case AnotherUser:
		q.User = Stranger
	}
	if q.Key && !u.OwnKey && (q.Wallet != NoWallet || q.Product) ||
		q.Wallet == ForeignWallet && q.User == Caller && !s.Foreign || s.ForTarget && q.Product && q.User != Target {
		return q, false
	}
	p := u.plan(&q)
	whose := p.in | p.may
	if q.Wallet == ForeignWallet {
		whose = ofOwner[map[Owner]Owner{Caller: Stranger, Stranger: Caller}[q.User]]
	}
	rows := slices.DeleteFunc(u.indices(), func(row int) bool {
		return homes[row]&whose == 0 || u.Rows[row].Unsteady || !s.within(u.Rows[row].Dates[p.sort])
	})
	if q.Filter, ok = u.filter(FilterKind(value(Client)), rows, rng); !ok {
		return q, false
	}
	if q.Filter.Kind == WholeID && rng.IntN(2) == 0 { // bounds at the rows of the client
		rows = slices.DeleteFunc(rows, func(row int) bool { return u.Rows[row].Client != q.Filter.Text })
	}
	at := func(factor string) string {
		if v, set := c.Value(factor); set {
			return strings.TrimSuffix(v, ", too")
		}
		return onWindow
	}
	b := bounder{Space: s, u: u, key: p.sort, rng: rng, written: value(Written)}
	for _, row := range rows {
		if d := u.Rows[row].Dates[p.sort]; d.Known() {
			b.dates = append(b.dates, d.From)
		}
	}
	slices.Sort(b.dates)
	q.Start, q.End = b.bounds(at(Start), at(End))
	return q, true
}

func (u *Universe) indices() []int {
	all := make([]int, len(u.Rows))
	for i := range all {
		all[i] = i
	}
	return all
}

// within reports a date inside the window.
func (s Space) within(d Date) bool {
	return d.Known() && d.From >= s.Window[0].UnixNano() && d.Until <= s.Window[1].UnixNano()
}

// filter chooses a text: of a client that some of the rows are of, and others are not.
func (u *Universe) filter(kind FilterKind, rows []int, rng *rand.Rand) (Filter, bool) {
	if kind == NoFilter || kind == TypeOnly {
		return Filter{Kind: kind}, true
	}
	var clients []string
	for _, row := range rows {
		if id := u.Rows[row].Client; id != "" && !slices.Contains(clients, id) {
			clients = append(clients, id)
		}
	}
	if len(clients) < 2 {
		return Filter{}, false
	}
	slices.Sort(clients)
	id := clients[rng.IntN(len(clients))]
	text := kind.text(id, u.Rows[rows[rng.IntN(len(rows))]].ID)
	return Filter{kind, text}, kind == WholeID || !slices.Contains(clients, text)
}

// securityFirst is how much more it counts to show a hypothesis of a security rule than one of another: few exports do.
const securityFirst = 12

// Design chooses queries of the pool, most of them: they show each hypothesis, alone and under each setting, as far as any
// query of the pool does.
func (u *Universe) Design(pool []Query, hypotheses []*Hypothesis, most int) (chosen []Query) {
	type shown struct {
		of    *Hypothesis
		under record.Setting
	}
	homes := u.homes(nil)
	numbers := map[shown]int{}
	shows := make([][]int, len(pool)) // by their numbers
	for i := range pool {
		documented := u.plan(&pool[i])
		settings := append(slices.Clip(documented.settings), record.Setting{})
		outcome := u.outcome(&documented, homes)
		for _, h := range hypotheses {
			if h.zone || !u.changes(documented, h, outcome, homes) {
				continue
			}
			for _, s := range settings {
				if s.Value == LeftOut {
					continue
				}
				n, known := numbers[shown{h, s}]
				if !known {
					n = len(numbers)
					numbers[shown{h, s}] = n
				}
				shows[i] = append(shows[i], n)
			}
		}
	}
	times, worth := make([]int, len(numbers)), []int{4, 1} // to be shown for the first time, and for the second
	grave := make([]bool, len(numbers))
	for s, n := range numbers {
		grave[n] = s.of.security
	}
	gain := func(i int) (sum int) {
		for _, n := range shows[i] {
			switch {
			case times[n] >= len(worth):
			case grave[n]:
				sum += securityFirst * worth[times[n]]
			default:
				sum += worth[times[n]]
			}
		}
		return sum
	}
	for range min(most, len(pool)) {
		best, most := -1, 0
		for i := range pool {
			if sum := gain(i); sum > most {
				best, most = i, sum
			}
		}
		if best < 0 {
			break
		}
		chosen = append(chosen, pool[best])
		for _, n := range shows[best] {
			times[n]++
		}
		shows[best] = nil
	}
	return chosen
}

// changes reports whether a hypothesis would surely show in an export.
func (u *Universe) changes(documented plan, h *Hypothesis, outcome string, homes []Labels) bool {
	p := documented
	if h.edit(&p); p.documented(&documented) {
		return false
	}
	if p.trim != nil {
		return strings.Count(outcome, "+") > 0 && (!h.rare || strings.Count(outcome, "+") > 50)
	}
	for row := range homes {
		if now := u.sure(&p, row, homes); (now == '+') != (outcome[row] == '+') && now != '?' && outcome[row] != '?' {
			return true
		}
	}
	if p.order == anyOrder || p.order == documented.order && p.sort == documented.sort && !p.byID {
		return false
	}
	first := int64(never)
	for row := range homes {
		if d := u.Rows[row].Dates[documented.sort]; outcome[row] == '+' && d.Known() && first != never && d.From != first {
			return true
		} else if outcome[row] == '+' && d.Known() {
			first = d.From
		}
	}
	return false
}
