package export_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
)

func TestWhatIsNoGatewayIsNotAccused(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"nothing there":  http.NotFound,
		"another method": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) },
		"a web page": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<!doctype html><title>Sign in</title>")
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := judgeBehind(t, reference.Options{}, func(http.Handler) http.Handler { return answer }, nil)
			if text := j.Explain(record.Fail); text != "" {
				t.Error(text)
			}
			if reason := j.Explain(record.Inconclusive); !strings.Contains(reason, "check base_url") {
				t.Errorf("nothing says what to check: %s", reason)
			}
		})
	}
}

// One request that gets 404 among others that are accepted is no wrong address.
func TestOneExportThatIsNotFoundIsARefusal(t *testing.T) {
	j := judgeBehind(t, reference.Options{}, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if string(body) == "{}" {
				http.NotFound(w, r)
				return
			}
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			next.ServeHTTP(w, r)
		})
	}, nil, "export.success")
	if text := j.Explain(record.Fail); !strings.Contains(text, "an empty object") {
		t.Errorf("failed: %s", text)
	}
}
