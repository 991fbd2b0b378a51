package results

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/load/judge"
)

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
