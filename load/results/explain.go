package results

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/load/judge"
)

// Trouble is a kind of answer that was not as it should be, or of what there was in place of one.
type Trouble struct {
	N     int64
	Words string // 503 Service Unavailable
}

// Troubles lists the kinds, most frequent first.
func (r Run) Troubles() (all []Trouble) {
	for status, n := range r.Statuses {
		name := status
		if code, _ := strconv.Atoi(status); code/100 == 2 {
			name = "repeat accepted, or answer that breaks a rule (" + status + ")"
		} else if text := http.StatusText(code); text != "" {
			name += " " + text
		}
		all = append(all, Trouble{n, name})
	}
	for failure, n := range r.Failures {
		all = append(all, Trouble{n, judge.FailureWords(failure)})
	}
	slices.SortFunc(all, func(a, b Trouble) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Words, b.Words)) })
	return all
}

// ErrorWords says which they were: "12 × 503 Service Unavailable".
func (r Run) ErrorWords() string {
	var words []string
	for _, t := range r.Troubles() {
		words = append(words, fmt.Sprintf("%d × %s", t.N, t.Words))
	}
	return strings.Join(words, ", ")
}

// seconds writes a stretch: 1.2 s.
func seconds(ms float64) string { return fmt.Sprintf("%.1f s", ms/1000) }
