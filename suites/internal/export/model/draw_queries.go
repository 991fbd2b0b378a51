package model

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/target"
)

// QuerySpace is what exports of a deployment can ask for.
type QuerySpace struct {
	Window       [2]time.Time
	WholeSeconds bool                // bounds with a fraction are refused
	Values       map[string][]string // of the factors whose values depend on the deployment
	Texts        []FilterKind        // kinds of texts that name no client
	Foreign      bool                // a wallet of another user is known
	// ForTarget: only exports for the target user name a product, as the fixture's product is not
	// the default one.
	ForTarget bool
}

// Values of factors that say who asks, and for what.
const (
	ValueTargetUser   = "the target user"
	ValueAnotherUser  = "another user"
	ValueNamedProduct = "the product"
	ValueAPIKey       = "the key"
)

const (
	maxDrawnQueries = 400
	maxDrawTries    = 8 // per text: not every client's ID has a distinguishing part
)

// DrawPool draws random queries, with bounds at the dates of rows seen.
func (u *Universe) DrawPool(s QuerySpace, rng *rand.Rand) []Query {
	s.Values = maps.Clone(s.Values)
	s.Values[FactorSort] = []string{"", DateCreated.String(), DateSettled.String()}
	s.Values[FactorOrder] = []string{"", "asc", "desc"}
	settled, origins := DateSettled.String(), u.rowOrigins(nil)
	pool := []Query{{}, {Order: "asc"}, {Sort: settled}, {Sort: settled, Order: "asc"}}
	pool = append(pool, u.queriesInWholeSeconds(s, origins)...)
	for range maxDrawnQueries {
		if q, ok := u.drawQuery(s, origins, rng); ok {
			pool = append(pool, q)
		}
	}
	return pool
}

// DrawFilterTexts returns one query of the window for each kind of text that names no client.
// One is enough, as an export without rows shows nothing else.
func (u *Universe) DrawFilterTexts(s QuerySpace, rng *rand.Rand) (queries []Query) {
	for _, kind := range s.Texts {
		s.Values = map[string][]string{FactorFilter: {string(kind)}}
		for range maxDrawTries {
			if q, ok := u.drawQuery(s, u.rowOrigins(nil), rng); ok {
				q.Start = statement.FormatInstant(s.Window[0], 0, time.UTC)
				q.End = statement.FormatInstant(s.Window[1], 0, time.UTC)
				queries = append(queries, q)
				break
			}
		}
	}
	return queries
}

// drawQuery draws one query. ok is false where the drawn values do not go together or no rows
// match.
func (u *Universe) drawQuery(s QuerySpace, origins []Origins, rng *rand.Rand) (q Query, ok bool) {
	value := func(factor string) string {
		if values := s.Values[factor]; len(values) > 0 {
			return values[rng.IntN(len(values))]
		}
		return ""
	}
	q = Query{
		Sort: value(FactorSort), Order: value(FactorOrder), Extension: value(FactorExtension),
		Language: value(target.HeaderLanguage), Replay: value(target.HeaderReplay),
		Product: value(target.HeaderProduct) != "", Key: value(FactorAuthMethod) != "",
		Wallet: Wallet(value(target.HeaderWallet)),
	}
	kind := FilterKind(value(FactorFilter))
	switch value(target.HeaderTargetUser) {
	case ValueTargetUser:
		q.User, q.Product, q.Wallet = OwnerTarget, true, WalletNone
	case ValueAnotherUser:
		q.User, q.Product, q.Key = OwnerStranger, false, false
		if q.Wallet != WalletForeign {
			q.Wallet = WalletNone
		}
	}
	if kind == FilterTypeOnly {
		q.User, q.Wallet = OwnerCaller, WalletNone
	}
	if q.Wallet == WalletForeign && q.User == OwnerCaller && !s.Foreign ||
		s.ForTarget && q.Product && q.User != OwnerTarget {
		return q, false
	}
	p := u.documentedPlan(&q)
	whose := p.in | p.may
	if q.Wallet == WalletForeign {
		whose = originsOfOwner[p.otherUser()]
	}
	rows := u.rowsToDrawFrom(s, p.Sort, whose, origins)
	q.Filter, ok = u.drawFilter(kind, rows, rng)
	if !ok {
		return q, false
	}
	var dates []int64
	ofClient := q.Filter.Kind == FilterWholeID && rng.IntN(2) == 0 // bounds at rows of this client
	for _, row := range rows {
		if !ofClient || u.Rows[row].Client == q.Filter.Text {
			dates = append(dates, u.Rows[row].Dates[p.Sort].From)
		}
	}
	slices.Sort(dates)
	q.Start, q.End = s.drawBounds(dates, int64(max(u.Unit[p.Sort], 1)), rng)
	return q, true
}

// rowsToDrawFrom returns the rows of some origins whose date is known and inside the window.
func (u *Universe) rowsToDrawFrom(
	s QuerySpace, date DateKey, whose Origins, origins []Origins,
) (rows []int) {
	for row, q := range u.Rows {
		if origins[row]&whose != 0 && !q.Unsteady && s.isInWindow(q.Dates[date]) {
			rows = append(rows, row)
		}
	}
	return rows
}

// queriesInWholeSeconds returns, for each sort, an export between the first and the last date that
// is a whole second, and some from the second of the first date, or a little earlier, to the end of
// the last one's, or a little later: few quotes may have such a date, and only these bounds are
// written without a fraction.
func (u *Universe) queriesInWholeSeconds(s QuerySpace, origins []Origins) (queries []Query) {
	const second = int64(time.Second)
	for _, sort := range []string{"", DateSettled.String()} {
		q := Query{Sort: sort}
		p := u.documentedPlan(&q)
		between := func(dates []int64, before, after int64) {
			if len(dates) == 0 {
				return
			}
			from := max(slices.Min(dates)-before, s.Window[0].UnixNano())
			until := min(slices.Max(dates)+after, s.Window[1].UnixNano())
			q.Start = statement.FormatInstant(time.Unix(0, from), 0, nil)
			q.End = statement.FormatInstant(time.Unix(0, until), 0, nil)
			queries = append(queries, q)
		}
		var whole, all []int64
		for _, row := range u.rowsToDrawFrom(s, p.Sort, p.in|p.may, origins) {
			at := u.Rows[row].Dates[p.Sort].From
			all = append(all, floorTo(at, second))
			if at == floorTo(at, second) {
				whole = append(whole, at)
			}
		}
		between(whole, 0, 0)
		between(all, 0, second)
		between(all, 3*second, 3*second)
	}
	return queries
}

// isInWindow reports whether a date lies inside the window.
func (s QuerySpace) isInWindow(d RowDate) bool {
	return d.IsExact() && d.From >= s.Window[0].UnixNano() && d.Until <= s.Window[1].UnixNano()
}

// drawFilter draws a text of the kind from a client that some of the rows have and others do
// not.
func (u *Universe) drawFilter(kind FilterKind, rows []int, rng *rand.Rand) (Filter, bool) {
	if kind == FilterNone || kind == FilterTypeOnly {
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
	text := kind.makeText(id, u.Rows[rows[rng.IntN(len(rows))]].ID)
	return Filter{kind, text}, kind == FilterWholeID || !slices.Contains(clients, text)
}

// drawBounds draws a range among dates: with both bounds, one or none, with equal bounds, or
// with a start after the end.
func (s QuerySpace) drawBounds(dates []int64, unit int64, rng *rand.Rand) (start, end string) {
	low, high := dates[:len(dates)/2], dates[len(dates)/2:]
	zone, digits := s.drawNotation(rng)
	at := func(of []int64, exactly bool, own time.Time) int64 {
		if len(of) == 0 || !exactly && rng.IntN(5) == 0 {
			return own.UnixNano()
		}
		i := rng.IntN(len(of))
		at := of[i]
		switch kind := rng.IntN(5); {
		case exactly:
		case kind == 0: // just after it
			at += unit
		case kind == 1 && i+1 < len(of): // between two dates
			at = floorTo(at+(of[i+1]-at)/2, unit)
		}
		if digits == tenthOfSecond {
			at = floorTo(at, tenthOfSecond) + tenthOfSecond
		}
		if s.WholeSeconds {
			at = floorTo(at, int64(time.Second))
		}
		return at
	}
	write := func(at int64, zone *time.Location) string {
		t := time.Unix(0, at).UTC()
		if zone == dateLineZone && t.Hour() < 11 { // the day before, not the day after
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
	case 5, 6: // each bound with a different offset
		other := time.UTC
		if zone == other {
			other = dateLineZone
		}
		return write(from, zone), write(until, other)
	}
	return write(from, zone), write(until, zone)
}

var dateLineZone = time.FixedZone("", 13*3600)

const tenthOfSecond = int64(100 * time.Millisecond)

// drawNotation draws how bounds are written: in UTC or with an offset, and with as many digits
// as needed or with more.
func (s QuerySpace) drawNotation(rng *rand.Rand) (zone *time.Location, digits int64) {
	west := time.FixedZone("", -(6+rng.IntN(2))*1800) // with minutes or without
	zones := []*time.Location{time.FixedZone("", 19800), west, dateLineZone}
	switch at := rng.IntN(8); {
	case at < len(zones):
		return zones[at], 0
	case s.WholeSeconds:
		return time.UTC, 0
	case at == 3:
		return time.UTC, tenthOfSecond
	}
	return time.UTC, []int64{0, int64(time.Millisecond), int64(time.Microsecond)}[rng.IntN(3)]
}
