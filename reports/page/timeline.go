package page

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
)

// Measures of the drawings; x runs over width whatever the run's length, y is in pixels.
const (
	width      = 1000
	flightTall = 80
	lanePitch  = 7
	laneLimit  = 48 // further exchanges share the last lane
	columns    = 500
)

// timeline is what the drawings of the run over time need.
type timeline struct {
	Bars    []bars // one path for each class of answers
	Tall    int    // height of the lanes
	Flight  string // path of the area: exchanges in flight
	Peak    int
	Ticks   []string
	Summary string
}

type bars struct {
	Class, Name, Path string
	N                 int
}

// newTimeline draws exchanges as bars, each in the first lane that is free when it starts; moments are in the order of
// their start.
func newTimeline(moments []Moment) *timeline {
	if len(moments) == 0 {
		return nil
	}
	first, last := moments[0].StartedAt, moments[0].StartedAt
	for _, m := range moments {
		if end := m.StartedAt.Add(max(0, m.Service)); end.After(last) {
			last = end
		}
	}
	span := max(last.Sub(first), time.Millisecond)
	at := func(t time.Time) float64 { return float64(t.Sub(first)) / float64(span) * width }

	t := &timeline{Ticks: ticks(span)}
	paths := map[string]*strings.Builder{}
	counts := map[string]int{}
	drawn := map[string]float64{} // end of the last bar by class and lane
	var lanes []time.Time         // when each is free again
	for _, m := range moments {
		end := m.StartedAt.Add(max(0, m.Service))
		lane := free(lanes, m.StartedAt)
		if lane == len(lanes) && len(lanes) < laneLimit {
			lanes = append(lanes, end)
		}
		lane = min(lane, len(lanes)-1)
		if end.After(lanes[lane]) {
			lanes[lane] = end
		}
		c := class(m.Status)
		counts[c]++
		x, w := at(m.StartedAt), max(0.5, at(end)-at(m.StartedAt)-0.2)
		key := c + strconv.Itoa(lane)
		if e, any := drawn[key]; any && x+w <= e { // hidden by what is drawn already
			continue
		}
		drawn[key] = x + w
		if paths[c] == nil {
			paths[c] = &strings.Builder{}
		}
		fmt.Fprintf(paths[c], "M%s %dh%s", decimal(x), lane*lanePitch+lanePitch/2+1, decimal(w))
	}
	for _, c := range []struct{ class, name string }{
		{"2xx", "2xx"},
		{"3xx", "3xx"},
		{"4xx", "4xx"},
		{"throttled", "429"},
		{"5xx", "5xx"},
		{"1xx", "1xx"},
		{"none", "no answer"},
	} {
		if p := paths[c.class]; p != nil {
			t.Bars = append(t.Bars, bars{c.class, c.name, p.String(), counts[c.class]})
		}
	}
	t.Tall = max(3, len(lanes))*lanePitch + 2
	t.flight(moments, at)
	t.Summary = fmt.Sprintf("%s in %s, at most %d in flight at once%s", digest.Quantity(len(moments), "exchange"),
		round(span), t.Peak, unusual(moments))
	return t
}

// unusual says what a reader looks for in a run over time: throttling, failures, repeats, the slowest exchange.
func unusual(moments []Moment) string {
	var throttled, failed, silent, again int
	var slowest time.Duration
	for _, m := range moments {
		switch {
		case m.Status == http.StatusTooManyRequests:
			throttled++
		case m.Status >= 500:
			failed++
		case m.Status == 0:
			silent++
		}
		if m.Attempt > 1 {
			again++
		}
		slowest = max(slowest, m.Service)
	}
	text := ""
	for _, part := range []struct {
		n    int
		what string
	}{
		{throttled, "answered with 429"},
		{failed, "with a server error"},
		{silent, "without an answer"},
		{again, "sent again"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text + ", the slowest took " + round(slowest)
}

// free is the first lane that is free at a moment, the number of lanes when none is.
func free(lanes []time.Time, at time.Time) int {
	for i, until := range lanes {
		if !until.After(at) {
			return i
		}
	}
	return len(lanes)
}

// flight draws how many exchanges were in flight: the most in each column.
func (t *timeline) flight(moments []Moment, at func(time.Time) float64) {
	var most [columns]int
	column := func(x float64) int { return min(columns-1, int(x/width*columns)) }
	var ends []float64 // of what is in flight
	for i, m := range moments {
		x := at(m.StartedAt)
		ends = append(slices.DeleteFunc(ends, func(end float64) bool { return end <= x }),
			at(m.StartedAt.Add(max(0, m.Service))))
		t.Peak = max(t.Peak, len(ends))
		next := width + 0.0
		if i+1 < len(moments) {
			next = at(moments[i+1].StartedAt)
		}
		most[column(x)] = max(most[column(x)], len(ends))
		for c := column(x) + 1; c <= column(next); c++ { // up to the next start, what still runs
			n := 0
			for _, end := range ends {
				if column(end) >= c {
					n++
				}
			}
			most[c] = max(most[c], n)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "M0 %d", flightTall)
	for c, n := range most {
		if c > 0 && n == most[c-1] {
			continue
		}
		y := float64(flightTall) - float64(n)/float64(max(1, t.Peak))*(flightTall-4)
		fmt.Fprintf(&b, "H%sV%s", decimal(float64(c)*width/columns), decimal(y))
	}
	fmt.Fprintf(&b, "H%dV%dZ", width, flightTall)
	t.Flight = b.String()
}

func ticks(span time.Duration) []string {
	const n = 4
	var list []string
	for i := range n + 1 {
		list = append(list, round(span*time.Duration(i)/n))
	}
	return list
}

// round writes a duration with as many digits as a reader needs.
func round(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

func decimal(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }
