package export_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/suitetest"
)

// A deployment may make no file where there is no quote: what only such a file could show is not verified, and nobody
// waits for it until the time is over.
func TestADeploymentWithoutFilesOfNoQuote(t *testing.T) {
	t.Parallel()
	j := judgeBehind(t, reference.Options{Choices: reference.Choices{Retrieval: reference.Direct}}, suitetest.Altered(
		func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
			if strings.HasPrefix(answer.Header().Get("Content-Type"), "text/csv") &&
				strings.Count(answer.Body.String(), "\n") < 2 {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			suitetest.Forward(w, answer, nil)
		}), rewritten("timeout: 6s", "timeout: 25s"), "export.range.empty", "export.filter.prefix",
		"export.range.partition")
	j.None(t, record.Fail, record.Inconclusive)
	if got := j.Verdicts(); got["export.range.empty"] != record.NotVerified ||
		got["export.range.partition"] != record.Pass {
		t.Errorf("%v%s", got, j.Explain(record.NotVerified))
	}
	if text := j.Explain(record.NotVerified); !strings.Contains(text, "no file came of the export") ||
		!strings.Contains(text, "no file within 5s") {
		t.Error(text)
	}
}
