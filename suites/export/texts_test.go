package export_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
)

// A filter text that names no client may be refused, and may not break the export.
func TestFreeTexts(t *testing.T) {
	for status, want := range map[int]record.Verdict{
		400: record.Pass, 404: record.Pass, 422: record.Pass,
		500: record.Fail,
	} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			j := judgeBehind(t, reference.Options{}, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					r.Body = io.NopCloser(bytes.NewReader(body))
					if bytes.Contains(body, []byte("O'Brien")) || bytes.Contains(body, []byte("Conceição")) {
						w.WriteHeader(status)
						return
					}
					next.ServeHTTP(w, r)
				})
			}, nil, "export.success")
			got := j.Of("export.success")
			if failed := slices.Index(got, record.Fail) >= 0; failed != (want == record.Fail) {
				t.Error(j.Explain(record.Fail))
			}
			j.Expect(t, record.Pass, want)
		})
	}
}
