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

// seconds writes a stretch: 1.2 s.
func seconds(ms float64) string { return fmt.Sprintf("%.1f s", ms/1000) }
