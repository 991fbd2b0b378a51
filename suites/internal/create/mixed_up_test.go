package create_test

import (
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
		WrapGateway: suitetest.EditBodies(func(_ *http.Request, body []byte) []byte {
			latest.Store(body)
			time.Sleep(5 * time.Millisecond)
			return latest.Load().([]byte)
		}),
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
