package export_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
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
			behind := suitetest.Before(func(w http.ResponseWriter, r *http.Request) bool {
				download := strings.HasPrefix(r.URL.Path, "/downloads/")
				if download && owned {
					c.there(w, r)
					return true
				}
				owned = owned || download // the first is the owner's
				return false
			})
			j := judgeBehind(t, reference.Options{Faults: []string{c.fault}}, behind, nil,
				"export.file.private")
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

// An address in the answer about a file must refuse another user if it refuses everybody without a
// credential, unless it is itself a secret.
func TestAnotherUserWhoKnowsTheAddressOfTheFile(t *testing.T) {
	download := regexp.MustCompile(`/downloads/([^/"]+)/([^/"]+)/quotes.csv`)
	for name, c := range map[string]struct {
		address string // of the file, see regexp.Expand
		anyUser bool   // the address gives the file to any user
		want    record.Verdict
	}{
		"for any user":               {"/v1/files/$1/content", true, record.VerdictFail},
		"for its owner":              {"/v1/files/$1/content", false, record.VerdictPass},
		"secret, and for any user":   {"/v1/files/$1/content/$2", true, record.VerdictPass},
		"for nobody with credential": {"/downloads/$1/$2/quotes.csv", true, record.VerdictPass},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var paths, owners sync.Map // by the new address
			behind := func(gateway http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					who := r.Header.Get("Authorization") + r.Header.Get("x-api-key")
					if path, known := paths.Load(r.URL.Path); known && r.URL.Path != path {
						if owner, _ := owners.Load(r.URL.Path); who == "" || !c.anyUser && who != owner {
							w.WriteHeader(http.StatusForbidden)
							return
						}
						r.URL.Path = path.(string)
					}
					answer := httptest.NewRecorder()
					gateway.ServeHTTP(answer, r)
					text := answer.Body.String()
					if at := download.FindString(text); at != "" {
						address := download.ReplaceAllString(at, c.address)
						paths.Store(address, at)
						owners.Store(address, who)
						text = strings.Replace(text, at, address, 1)
					}
					suitetest.ForwardAnswer(w, answer, []byte(text))
				})
			}
			j := judgeBehind(t, reference.Options{
				Choices: reference.Choices{Retrieval: reference.RetrievalByURL},
			}, behind, nil, "export.file.private")
			if got := j.CheckVerdictsOf("export.file.private"); len(got) != 2 || got[0] != c.want {
				t.Errorf("%v, expected %s%s", got, c.want, j.Explain(got...))
			}
		})
	}
}
