package results

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/judge"
)

// Words says what happened, as a sentence without a full stop: no answer for 1.2 s from 0:03, 100 requests waited.
func (s Stall) Words() string {
	text := fmt.Sprintf("no answer for %s from %d:%02d", seconds(s.MS), int(s.FromMS/60_000), int(s.FromMS/1000)%60)
	if s.Open {
		text += " until the end"
	}
	if s.Waited > 0 {
		text += ", " + printable.Quantity(s.Waited, "request") + " waited"
	}
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d failed", s.Failed)
	}
	return text
}

// StallWords says what happened in the stalls of a run: the longest first, and how many more there were.
func (r Run) StallWords() (words []string) {
	const most = 3
	stalls := slices.Clone(r.Stalls)
	slices.SortStableFunc(stalls, func(a, b Stall) int { return cmp.Compare(b.MS, a.MS) })
	for i, s := range stalls {
		if i == most {
			return append(words, fmt.Sprintf("%d more stretches without an answer, each at most %s", len(stalls)-most,
				seconds(s.MS)))
		}
		words = append(words, s.Words())
	}
	return words
}

// ErrorWords says which answers were not as they should be, most frequent first: "12 x 503 Service Unavailable". Those
// without an answer come by what ended them.
func (r Run) ErrorWords() string {
	kinds := map[string]int64{}
	for status, n := range r.Statuses {
		name := status
		if code, _ := strconv.Atoi(status); code/100 == 2 {
			name = "repeat accepted, or answer that breaks a rule (" + status + ")"
		} else if text := http.StatusText(code); text != "" {
			name += " " + text
		}
		kinds[name] += n
	}
	for failure, n := range r.Failures {
		kinds[judge.FailureWords(failure)] += n
	}
	var words []string
	for _, name := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(kinds[b], kinds[a]), strings.Compare(a, b))
	}) {
		words = append(words, fmt.Sprintf("%d × %s", kinds[name], name))
	}
	return strings.Join(words, ", ")
}

// seconds writes a stretch with two digits: 1.2 s, 0.52 s, 34 s.
func seconds(ms float64) string {
	s, digits := ms/1000, 0
	if s < 1 {
		digits = 2
	} else if s < 10 {
		digits = 1
	}
	return strconv.FormatFloat(s, 'f', digits, 64) + " s"
}
