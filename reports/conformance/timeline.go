package conformance

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
)

// data is the list of all exchanges as the page's script reads it: rows of numbers, with texts by their index, because
// most texts recur.
type data struct {
	Texts []string `json:"texts"`
	// number, start and service time in ms, status, index of operation, of label, attempt
	Rows  [][7]float64      `json:"rows"`
	Parts map[int][5]string `json:"parts"`
	Left  int               `json:"left"` // exchanges without a row
}

func (b *builder) data() data {
	all := b.archive.all
	d := data{Texts: []string{}, Rows: [][7]float64{}, Parts: map[int][5]string{}, Left: max(0, len(all)-b.budget.moments)}
	index := map[string]int{}
	text := func(s string) float64 {
		s = printable.Clean(printable.Clip(s, 200))
		if _, known := index[s]; !known {
			index[s] = len(d.Texts)
			d.Texts = append(d.Texts, s)
		}
		return float64(index[s])
	}
	part := func(s string, limit int) string {
		return printable.CleanLines(printable.Clip(s, min(limit, b.budget.each)))
	}
	for _, x := range all[:len(all)-d.Left] {
		d.Rows = append(d.Rows, [7]float64{
			float64(x.seq), millis(x.started.Sub(all[0].started)), millis(x.service), float64(x.status),
			text(string(x.operation)), text(x.label), float64(x.attempt),
		})
		if b.budget.bodies <= 0 {
			continue
		}
		parts := [5]string{
			part(x.method+" "+x.url, 2000), part(x.requestHead, 2000), part(pretty(x.requestBody), 4000),
			part(x.responseHead, 2000), part(pretty(x.responseBody), 4000),
		}
		d.Parts[x.seq] = parts
		for _, p := range parts {
			b.budget.bodies -= len(p) + 4
		}
	}
	return d
}

// millis is a duration in milliseconds with three decimals.
func millis(d time.Duration) float64 { return float64(d.Round(time.Microsecond)) / 1e6 }

// happened says of the exchanges over time what a reader looks for: throttling, failures, repeats, the slowest.
func (a *archive) happened() string {
	var throttled, failed, silent, again int
	var slowest time.Duration
	first, last := a.all[0].started, a.all[0].started
	for _, x := range a.all {
		switch {
		case x.status == http.StatusTooManyRequests:
			throttled++
		case x.status >= 500:
			failed++
		case x.status == 0:
			silent++
		}
		if x.attempt > 1 {
			again++
		}
		slowest = max(slowest, x.service)
		if end := x.started.Add(max(0, x.service)); end.After(last) {
			last = end
		}
	}
	text := digest.Quantity(len(a.all), "exchange") + " in " + view.Lasted(last.Sub(first))
	for _, part := range []struct {
		n    int
		what string
	}{{throttled, "answered with 429"}, {failed, "with a server error"}, {silent, "without an answer"}, {again, "sent again"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text + ", the slowest took " + view.Lasted(slowest) + "."
}
