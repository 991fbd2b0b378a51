package reference

import (
	"fmt"
	"io"
	"math/rand/v2"
	"time"
)

// quote is one cross-border quote; settled is zero while it is not settled.
type quote struct {
	id, client, wallet, product string
	created, settled            time.Time
	cents                       int64
	note                        string
}

// quotesOf makes the quotes of one wallet: at least seventy inside the window and some on both sides of it. Dates
// collide, lie one millisecond apart, lie exactly on the window's bounds, and fall on different days in different
// zones, so that a filter which is only nearly right shows. All but a few belong to the first product.
func quotesOf(
	source io.Reader, random *rand.Rand, products []string, wallet string, clients []string, window [2]time.Time,
	unsettled bool,
) []quote {
	var quotes []quote
	add := func(created, settled time.Time) {
		n := len(quotes)
		q := quote{
			id: newID(source), product: products[0], wallet: wallet, client: clients[n%len(clients)], created: created,
			settled: settled,
			cents:   random.Int64N(5_000_000_00), note: notes[random.IntN(len(notes))],
		}
		if unsettled && n%9 == 4 {
			q.settled = time.Time{}
		}
		quotes = append(quotes, q)
	}
	later := func(t time.Time, atMost time.Duration) time.Time {
		return t.Add(time.Hour + time.Duration(random.Int64N(int64(atMost/time.Millisecond)))*time.Millisecond)
	}
	start, end := window[0], window[1]
	span := int64(end.Sub(start) / time.Millisecond)
	inside := func() time.Time { return start.Add(time.Duration(random.Int64N(span)) * time.Millisecond) }
	const days3 = 72 * time.Hour

	for range 24 { // anywhere
		t := inside()
		add(t, later(t, days3))
	}
	for range 5 { // four share the date they were created, with an odd millisecond
		t := inside().Truncate(time.Second).Add(123 * time.Millisecond)
		for range 4 {
			add(t, later(t, days3))
		}
	}
	for range 4 { // three share the date they were settled
		t := inside().Truncate(time.Second).Add(457 * time.Millisecond)
		for range 3 {
			add(t.Add(-time.Hour-time.Duration(random.Int64N(int64(days3/time.Millisecond)))*time.Millisecond), t)
		}
	}
	for range 3 { // three follow each other by a millisecond, inside one second
		t := inside().Truncate(time.Second).Add(500 * time.Millisecond)
		for i := range 3 {
			at := t.Add(time.Duration(i) * time.Millisecond)
			add(at, at.Add(26*time.Hour))
		}
	}
	for range 3 { // another day in São Paulo than in UTC
		t := inside().Truncate(24 * time.Hour).Add(90*time.Minute + 7*time.Millisecond)
		add(t, t.Add(23*time.Hour))
	}
	add(start, start.Add(25*time.Hour))                   // on the lower bound
	add(end, end.Add(25*time.Hour))                       // on the upper bound
	add(end.Add(-time.Millisecond), end.Add(2*time.Hour)) // the last moment, settled outside
	add(start.Add(-5*time.Hour), start.Add(3*time.Hour))  // settled inside only
	add(start.Add(-time.Millisecond), start.Add(-1+time.Hour).Truncate(time.Millisecond))
	for i := range 8 { // outside, on both sides
		before := start.Add(-time.Duration(1+i*31) * 13 * time.Hour).Add(11 * time.Millisecond)
		after := end.Add(time.Duration(1+i*29) * 13 * time.Hour).Add(13 * time.Millisecond)
		add(before, later(before, days3))
		add(after, later(after, days3))
	}
	for range 6 { // of another product than the default one
		t := inside()
		add(t, later(t, days3))
		quotes[len(quotes)-1].product = products[1]
	}
	return quotes
}

// MostQuotes bounds Options.Quotes.
const MostQuotes = 100_000

// addMany gives a wallet so many quotes more inside the window, at even distances with some jitter. A few share their
// dates. They are settled within three days.
func (p *legalPerson) addMany(source io.Reader, random *rand.Rand, wallet string, clients []string, window [2]time.Time,
	count int,
) {
	step := window[1].Sub(window[0]) / time.Duration(max(1, count))
	within := func(d time.Duration) time.Duration { return time.Duration(random.Int64N(int64(d))) }
	for i := range count {
		at := window[0].Add(time.Duration(i)*step + within(step)).Truncate(time.Millisecond)
		if i%7 == 3 {
			at = p.quotes[len(p.quotes)-1].created
		}
		p.quotes = append(p.quotes, quote{
			id: newID(source), product: p.products[0], wallet: wallet, client: clients[i%len(clients)], created: at,
			settled: at.Add(time.Hour + within(72*time.Hour)).Truncate(time.Millisecond),
			cents:   random.Int64N(5_000_000_00),
		})
	}
}

var notes = []string{"", "remessa", "said \"urgent\"", "João; D'Ávila, S.A.", "two\nlines", "=1+1"}

func (q quote) amount() string { return fmt.Sprintf("%d.%02d", q.cents/100, q.cents%100) }
