package model

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/statement"
)

// Space is what exports of a deployment can ask for.
type Space struct {
	Window  [2]time.Time
	Whole   bool                // bounds with a fraction are refused
	Values  map[string][]string // of each factor that takes values of the deployment
	Texts   []FilterKind        // that name no client
	Foreign bool                // a wallet of another user is known
	// Only the target user's exports name a product: that of the fixtures is not the default one.
	ForTarget bool
}

// Values of factors that say who asks, for what.
const (
	TargetUser   = "the target user"
	AnotherUser  = "another user"
	NamedProduct = "the product"
	APIKey       = "the key"
)

const (
	mostDrawn = 400
	tries     = 8 // of each text: not every client's ID has a part that is no other's
)

// Pool draws queries, with bounds at the dates of rows that were seen.
func (u *Universe) Pool(s Space, rng *rand.Rand) []Query {
	s.Values = maps.Clone(s.Values)
	s.Values[Sort], s.Values[Order] = []string{
		"",
		Created.String(),
		Settled.String(),
	}, []string{
		"",
		"asc",
		"desc",
	}
	pool, homes := []Query{
		{},
		{Order: "asc"},
		{Sort: Settled.String()},
		{Sort: Settled.String(), Order: "asc"},
	}, u.homes(nil)
	for range mostDrawn {
		if q, ok := u.draw(s, homes, rng); ok {
			pool = append(pool, q)
		}
	}
	return pool
}

// Texts are queries of the window by each kind of text that names no client: one of each is enough,
// as an export without rows says nothing else.
func (u *Universe) Texts(s Space, rng *rand.Rand) (queries []Query) {
	for _, kind := range s.Texts {
		s.Values = map[string][]string{Client: {string(kind)}}
		for range tries {
			if q, ok := u.draw(s, u.homes(nil), rng); ok {
				q.Start, q.End = statement.FormatInstant(s.Window[0], 0, time.UTC), statement.FormatInstant(
					s.Window[1],
					0,
					time.UTC,
				)
				queries = append(queries, q)
				break
			}
		}
	}
	return queries
}

// draw makes a query of chosen values; false: they do not go together, or there are no rows for it.
func (u *Universe) draw(s Space, homes []Labels, rng *rand.Rand) (q Query, ok bool) {
	value := func(factor string) string {
		if values := s.Values[factor]; len(values) > 0 {
			return values[rng.IntN(len(values))]
		}
		return ""
	}
	q = Query{
		Sort: value(Sort), Order: value(Order), Extension: value(Extension), Language: value(Language),
		Replay:  value(Replay),
		Product: value(Product) != "", Key: value(Method) != "", Wallet: Wallet(value(WalletOf)),
	}
	kind := FilterKind(value(Client))
	switch value(User) {
	case TargetUser:
		q.User, q.Product, q.Wallet = Target, true, NoWallet
	case AnotherUser:
		q.User, q.Product, q.Key = Stranger, false, false
		if q.Wallet != ForeignWallet {
			q.Wallet = NoWallet
		}
	}
	if kind == TypeOnly {
		q.User, q.Wallet = Caller, NoWallet
	}
	if q.Wallet == ForeignWallet && q.User == Caller && !s.Foreign ||
		s.ForTarget && q.Product && q.User != Target {
		return q, false
	}
	p := u.plan(&q)
	whose := p.in | p.may
	if q.Wallet == ForeignWallet {
		whose = ofOwner[map[Owner]Owner{Caller: Stranger, Stranger: Caller}[q.User]]
	}
	var rows []int
	for row := range u.Rows {
		if homes[row]&whose != 0 && !u.Rows[row].Unsteady && s.within(u.Rows[row].Dates[p.sort]) {
			rows = append(rows, row)
		}
	}
	if q.Filter, ok = u.filter(kind, rows, rng); !ok {
		return q, false
	}
	var dates []int64
	ofClient := q.Filter.Kind == WholeID && rng.IntN(2) == 0 // bounds at the rows of the client
	for _, row := range rows {
		if !ofClient || u.Rows[row].Client == q.Filter.Text {
			dates = append(dates, u.Rows[row].Dates[p.sort].From)
		}
	}
	slices.Sort(dates)
	q.Start, q.End = s.bounds(dates, int64(max(u.Unit[p.sort], 1)), rng)
	return q, true
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

// bounds draws a range among dates: with both bounds or one or none, equal ones, or a start after
// the end.
func (s Space) bounds(dates []int64, unit int64, rng *rand.Rand) (start, end string) {
	low, high := dates[:len(dates)/2], dates[len(dates)/2:]
	zone, digits := s.notation(rng)
	at := func(of []int64, exactly bool, own time.Time) int64 {
		if len(of) == 0 || !exactly && rng.IntN(5) == 0 {
			return own.UnixNano()
		}
		i := rng.IntN(len(of))
		at := of[i]
		switch kind := rng.IntN(5); {
		case exactly:
		case kind == 0: // just behind it
			at += unit
		case kind == 1 && i+1 < len(of): // between two dates
			at = floor(at+(of[i+1]-at)/2, unit)
		}
		if digits == tenth {
			at = floor(at, tenth) + tenth
		}
		if s.Whole {
			at = floor(at, int64(time.Second))
		}
		return at
	}
	write := func(at int64, zone *time.Location) string {
		t := time.Unix(0, at).UTC()
		if zone == farAway && t.Hour() < 11 { // on the day before instead of the day after
			zone = time.FixedZone("", -11*3600)
		}
		return statement.FormatInstant(t, time.Duration(digits), zone)
	}
	from, until := at(low, false, s.Window[0]), at(high, false, s.Window[1])
	if until <= from {
		until = s.Window[1].UnixNano()
	}
	switch rng.IntN(10) {
	case 0:
		return write(at(dates, false, s.Window[0]), zone), ""
	case 1:
		return "", write(at(dates, false, s.Window[1]), zone)
	case 2:
		return "", ""
	case 3:
		start = write(at(dates, true, s.Window[1]), zone)
		return start, start
	case 4:
		return write(at(high, true, s.Window[1]), zone), write(at(low, true, s.Window[0]), zone)
	case 5, 6: // each bound with another offset
		other := time.UTC
		if zone == other {
			other = farAway
		}
		return write(from, zone), write(until, other)
	}
	return write(from, zone), write(until, zone)
}

var farAway = time.FixedZone("", 13*3600)

const tenth = int64(100 * time.Millisecond)

// notation draws how bounds are written: in UTC or with an offset, in as many digits as they need
// or in others.
func (s Space) notation(rng *rand.Rand) (zone *time.Location, digits int64) {
	zones := []*time.Location{time.FixedZone("", 19800), time.FixedZone("", -10800), farAway}
	switch at := rng.IntN(8); {
	case at < len(zones):
		return zones[at], 0
	case s.Whole:
		return time.UTC, 0
	case at == 3:
		return time.UTC, tenth
	}
	return time.UTC, []int64{0, int64(time.Millisecond), int64(time.Microsecond)}[rng.IntN(3)]
}
