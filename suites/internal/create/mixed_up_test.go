package create_test

import (
	"bytes"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
)

// A handler that keeps the latest request in a field of its own carries out simultaneous creations
// with the values of the last. Every value that comes back changed has that cause.
func TestCreationsThatAreMixedUpHaveOneCause(t *testing.T) {
	var latest atomic.Value
	o := judge(t, suitetest.SuiteRunner{
		Options: reference.Options{Seed: 3},
		KeepRule: only("create.echo.document.number", "create.echo.email", "create.echo.birth_date",
			"create.echo.income"),
		WrapGateway: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				latest.Store(body)
				time.Sleep(5 * time.Millisecond)
				r.Body = io.NopCloser(bytes.NewReader(latest.Load().([]byte)))
				r.ContentLength = -1
				next.ServeHTTP(w, r)
			})
		},
	})
	failed := 0
	for _, c := range o.Checks {
		if c.Verdict != record.VerdictFail {
			continue
		}
		failed++
		if c.Cause != "gives a creation the values of another one" || len(c.Repeat) != 2 {
			t.Errorf("%s: %q by the exchanges %v", c.Rule, c.Cause, c.Repeat)
		}
	}
	if failed < 3 {
		t.Errorf("%d checks failed%s", failed, o.Explain(record.VerdictFail, record.VerdictInconclusive))
	}
}
