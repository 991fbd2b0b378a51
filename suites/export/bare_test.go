package export_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/suitetest"
)

// unformatted answers files whose export named no type_extension as JSON.
func unformatted(next http.Handler) http.Handler {
	var mu sync.Mutex
	plain := map[string]bool{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		mu.Lock()
		defer mu.Unlock()
		if id := fileID.FindSubmatch(answer.Body.Bytes()); r.Method == http.MethodPost && id != nil &&
			!bytes.Contains(body, []byte("type_extension")) {
			plain[string(id[1])] = true
		}
		if part := strings.Split(r.URL.Path, "/"); part[1] == "downloads" && plain[part[2]] {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `[{"id":"1"}]`)
			return
		}
		suitetest.Forward(w, answer, nil)
	})
}

// The format of an export that names none is open. The defaults of sort and order are judged all the same.
func TestExportsWithoutAFormatNeedNotBeCSV(t *testing.T) {
	t.Parallel()
	rules := []string{"export.default.sort", "export.default.order"}
	judgeBehind(t, reference.Options{}, unformatted, nil, rules...).Expect(t, record.Pass, record.Observed)
	j := judgeBehind(t, reference.Options{Faults: []string{"export.default.order_asc"}}, unformatted, nil, rules...)
	if text := j.Explain(record.Fail); !strings.Contains(text,
		"export.default.order: an empty object: Export of nothing but… is out of order: reversed throughout") {
		t.Error(text)
	}
}
