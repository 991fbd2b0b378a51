package export_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
)

// Another user who is redirected gets the file only if the new address returns it.
func TestWhereAnotherUserIsSentTo(t *testing.T) {
	elsewhere := func(status int, media, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text))
		}
	}
	const redirects, readable = "export.file.redirects_others", "export.file.readable_by_others"
	for name, c := range map[string]struct {
		fault string
		there http.HandlerFunc
		want  record.Verdict
	}{
		"redirected to a refusal": {redirects, elsewhere(403, "text/plain", "no"), record.VerdictPass},
		"redirected to a page": {
			redirects, elsewhere(200, "text/html", "<html>log in</html>"), record.VerdictInconclusive,
		},
		"redirected to an error of the server": {
			redirects, elsewhere(500, "text/plain", "no"), record.VerdictInconclusive,
		},
		"told an address that refuses them": {
			readable, elsewhere(403, "text/plain", "no"), record.VerdictPass,
		},
		"told an address that answers an error": {
			readable, elsewhere(200, "application/json", `{"error":"denied"}`), record.VerdictPass,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owned := false
			j := judgeBehind(t, reference.Options{Faults: []string{c.fault}}, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch download := strings.HasPrefix(r.URL.Path, "/downloads/"); {
					case download && owned:
						c.there(w, r)
						return
					case download:
						owned = true // the first is the owner's
					}
					next.ServeHTTP(w, r)
				})
			}, nil, "export.file.private")
			if got := j.CheckVerdictsOf("export.file.private"); len(got) != 2 || got[0] != c.want {
				t.Errorf("%v, expected %s%s", got, c.want, j.Explain(got...))
			}
		})
	}
}

// A client without credentials that is redirected to the file gets it, too.
func TestARedirectForNobody(t *testing.T) {
	j := judgeBehind(t,
		reference.Options{Choices: reference.Choices{Retrieval: reference.RetrievalByURL}},
		suitetest.AlterAnswers(
			func(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
				if strings.HasPrefix(r.URL.Path, "/v1/files/") && r.Header.Get("Authorization") == "" &&
					r.Header.Get("x-api-key") == "" {
					http.Redirect(w, r, "/static/quotes.csv", http.StatusFound)
					return
				}
				if r.URL.Path == "/static/quotes.csv" {
					w.Header().Set("Content-Type", "text/csv")
					_, _ = w.Write([]byte("id,client_id\n1,2\n"))
					return
				}
				suitetest.ForwardAnswer(w, answer, nil)
			}), nil, "export.file.authenticated")
	// others send a credential
	if got := j.CheckVerdictsOf("export.file.authenticated"); len(got) == 0 ||
		got[0] != record.VerdictFail {
		t.Errorf("%v%s", got, j.Explain(got...))
	}
}
