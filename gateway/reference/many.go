package reference

import (
	"bufio"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sort"
	"strings"
	"time"
)

// mostQuotes bounds Options.Quotes: each takes some 200 bytes.
const mostQuotes = 10_000_000

// addMany gives a wallet so many quotes more inside the window, at even distances with some jitter. A few share their
// dates. They are settled within three days.
func (p *legalPerson) addMany(source io.Reader, random *rand.Rand, wallet string, clients []string, window [2]time.Time,
	count int,
) {
	if count <= 0 {
		return
	}
	p.quotes = slices.Grow(p.quotes, count)
	step := window[1].Sub(window[0]) / time.Duration(count)
	ids := bufio.NewReaderSize(source, 64<<10)
	for i := range count {
		at := window[0].Add(time.Duration(i)*step +
			time.Duration(random.Int64N(int64(step)+1))).Truncate(time.Millisecond)
		if i%7 == 3 {
			at = p.quotes[len(p.quotes)-1].created
		}
		if last := window[1].Add(-time.Millisecond); at.After(last) {
			at = last
		}
		p.quotes = append(p.quotes, quote{
			id: newID(ids), product: p.products[0], wallet: wallet, client: clients[i%len(clients)], created: at,
			settled: at.Add(time.Hour + time.Duration(random.Int64N(int64(
				72*time.Hour/time.Millisecond)))*time.Millisecond),
			cents: random.Int64N(5_000_000_00),
		})
	}
}

// orders are the places of quotes in the order of each date, those without it last; ties are ordered by ID.
type orders map[string][]uint32

func ordersOf(quotes []quote) orders {
	all := orders{}
	for _, by := range []string{byCreated, bySettled} {
		places := make([]uint32, len(quotes))
		for i := range places {
			places[i] = uint32(i)
		}
		slices.SortFunc(places, func(i, j uint32) int {
			return order(&quotes[i], &quotes[j], by, true)
		})
		all[by] = places
	}
	return all
}

// each visits the quotes of a choice in order, without making a list of them.
func (c *choice) each(of orders, visit func(q *quote)) {
	places := of[c.sort]
	dated := sort.Search(len(places), func(i int) bool { return c.from[places[i]].date(c.sort).IsZero() })
	at := func(t time.Time) int {
		return sort.Search(dated, func(i int) bool { return !c.from[places[i]].date(c.sort).Before(t) })
	}
	lo, hi := 0, dated
	if !c.start.IsZero() {
		lo = at(c.start)
	}
	if !c.end.IsZero() {
		hi = max(lo, at(c.end))
	}
	see := func(part []uint32) {
		for _, i := range part {
			if q := &c.from[i]; c.matches(*q) {
				visit(q)
			}
		}
	}
	if c.ascending {
		see(places[lo:hi])
	}
	for end := hi; !c.ascending && end > lo; { // the latest date first, and the quotes of one date as they stand
		begin := end - 1
		for begin > lo && c.from[places[begin-1]].date(c.sort).Equal(c.from[places[end-1]].date(c.sort)) {
			begin--
		}
		see(places[begin:end])
		end = begin
	}
	if c.start.IsZero() && c.end.IsZero() {
		see(places[dated:])
	}
}

// sendMany writes a file as it goes, and reports whether that was possible: nothing may have to see it as a whole.
func (q *call) sendMany() bool {
	g, person := q.g, q.g.data.users[q.file.Owner].person
	if person.orders == nil || len(g.effects) > 0 || g.choices.CSV != (CSV{Titles: defaultTitles}) {
		return false
	}
	q.w.WriteHeader(http.StatusOK)
	out := bufio.NewWriterSize(q.w, 64<<10)
	_, _ = out.WriteString(strings.Join(defaultTitles[:], ",") + ",amount,currency,note\n")
	row := make([]byte, 0, 512)
	q.file.Selection.choose(person.quotes).each(person.orders, func(quote *quote) {
		row = append(row[:0], quote.id...)
		for _, text := range []string{quote.client, quote.wallet} {
			row = appendCell(append(row, ','), text)
		}
		for _, t := range []time.Time{quote.created, quote.settled} {
			if row = append(row, ','); !t.IsZero() {
				row = t.UTC().AppendFormat(row, dateTimeMillis)
			}
		}
		row = append(append(append(row, ','), quote.amount()...), ",USD,"...)
		_, _ = out.Write(append(appendCell(row, quote.note), '\n'))
	})
	_ = out.Flush()
	return true
}

// appendCell quotes a cell where it has to be.
func appendCell(row []byte, text string) []byte {
	if !strings.ContainsAny(text, ",\"\r\n") {
		return append(row, text...)
	}
	return append(append(append(row, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
}
