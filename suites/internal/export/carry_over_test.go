package export_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
)

// Files that lack another row each time, or whose turn it is, show nothing about the export before
// them. Files that lack the same row after the same export do.
func TestRowsLostByChanceAreNoneOfThePreviousExport(t *testing.T) {
	const rule = "export.range.own_rows"
	for _, c := range []struct {
		name string
		lost map[int]int // see withoutRowOfShortExports
		want record.Verdict
	}{
		{"other rows", map[int]int{2: 1, 4: 2, 5: 1, 8: 1}, record.VerdictInconclusive},
		{"the same row", map[int]int{2: 1, 4: 1, 5: 1, 8: 1}, record.VerdictFail},
		{"one of two workers", map[int]int{2: 1, 4: 1, 6: 1, 8: 1}, record.VerdictInconclusive},
		{"one of three", map[int]int{2: 1, 5: 1, 8: 1}, record.VerdictInconclusive},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			j := judgeBehind(t,
				reference.Options{Choices: reference.Choices{Retrieval: reference.RetrievalDirect}},
				withoutRowOfShortExports(c.lost), nil, rule)
			testmust.Equal(t, j.Verdicts()[rule],
				c.want, j.Explain(record.VerdictFail, record.VerdictInconclusive))
		})
	}
}

// withoutRowOfShortExports removes a row from the files of exports that give an end and the
// extension alone. lost has the row by the number of such an export, both from 1.
func withoutRowOfShortExports(lost map[int]int) func(http.Handler) http.Handler {
	var mu sync.Mutex
	numbers := map[string]int{} // by file ID
	return func(gateway http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(asked))
			answer := httptest.NewRecorder()
			gateway.ServeHTTP(answer, r)
			mu.Lock()
			defer mu.Unlock()
			var made struct {
				ID string `json:"file_id"`
			}
			var body map[string]any
			if json.Unmarshal(asked, &body) == nil && len(body) == 2 && body["date_end"] != nil &&
				body["type_extension"] != nil && json.Unmarshal(answer.Body.Bytes(), &made) == nil {
				numbers[made.ID] = len(numbers) + 1
			}
			lines := strings.SplitAfter(answer.Body.String(), "\n")
			row := lost[numbers[path.Base(r.URL.Path)]]
			if isFile(answer) && row > 0 && row < len(lines) {
				lines[row] = ""
			}
			suitetest.ForwardAnswer(w, answer, []byte(strings.Join(lines, "")))
		})
	}
}

// Of two workers, one writes local times as if they were UTC: no reading of bounds is blamed for it.
func TestQuotesOfTwoDatesShowNothingAboutBounds(t *testing.T) {
	const rule = "export.range.end_exclusive"
	var files atomic.Int64
	j := judgeBehind(t, reference.Options{}, rewriting(func(answer *httptest.ResponseRecorder) []byte {
		if isFile(answer) && files.Add(1)%2 == 0 {
			return bytes.ReplaceAll(answer.Body.Bytes(), []byte("Z,"), []byte("-03:00,"))
		}
		return nil
	}), nil, rule)
	testmust.Equal(t, j.Verdicts()[rule], record.VerdictInconclusive)
	testmust.Contain(t, j.Explain(record.VerdictInconclusive), "have other dates in one file")
}
