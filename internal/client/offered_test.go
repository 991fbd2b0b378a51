package client

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/curl"
	"github.com/gateassay/gateassay/internal/testmust"
)

func zipped(s string) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, s)
	_ = z.Close()
	return b.String()
}

// asked is the nth request to the gateway, which may refer the client to another origin.
type asked struct {
	http.ResponseWriter
	r   *http.Request
	n   int
	cdn string
}

func (a asked) say(text string) { _, _ = io.WriteString(a, text) }

func (a asked) state(name, url string) {
	a.say(fmt.Sprintf(`{"state":{"na/me":%q},"url":%q}`, name, url))
}

// fetchCase is one way in which a deployment may deliver files. Without a fault, the file is
// csv.
type fetchCase struct {
	conf    *deployment.Retrieval
	gateway func(asked)
	cdn     http.HandlerFunc // another origin, which fails if it sees a credential
	fault   FetchFailure
	status  int
	check   func(*testing.T, ExportFile, []*Exchange)
}

func fetchCases() map[string]fetchCase {
	direct, linked := offering(false, ""), offering(false, "/url")
	stated, both := offering(true, ""), offering(true, "/url")
	say := func(text string) func(asked) { return func(a asked) { a.say(text) } }
	state := func(name, url string) func(asked) { return func(a asked) { a.state(name, url) } }
	status := func(codes ...int) func(asked) {
		return func(a asked) {
			if a.n <= len(codes) {
				a.WriteHeader(codes[a.n-1])
				return
			}
			a.Header().Set("Content-Disposition", `attachment; filename="../quotes.csv"`)
			a.Header().Set("Content-Type", "text/csv; charset=utf-8")
			a.say(csv)
		}
	}
	return map[string]fetchCase{
		"the answer itself is the file": {conf: direct, gateway: say(csv)},
		"JSON says that it is not there yet": {conf: direct, gateway: func(a asked) {
			if a.n < 3 {
				a.WriteHeader(http.StatusAccepted)
				a.state("PROCESSING", "")
				return
			}
			a.say(csv)
		}},
		"not there yet in every way": {
			conf: direct, gateway: status(404, 202, 409, 425, 503, 429),
			check: func(t *testing.T, f ExportFile, xs []*Exchange) {
				if f.Name != "quotes.csv" || !strings.HasPrefix(f.MediaType, "text/csv") || len(xs) != 7 {
					t.Errorf("%q %q %d", f.Name, f.MediaType, len(xs))
				}
			},
		},
		"states, then the file": {
			conf: stated, gateway: func(a asked) {
				if a.n >= 4 {
					a.say(csv)
					return
				}
				a.state([]string{"", "NEW", "NEW", "BUSY"}[a.n], "")
			}, check: func(t *testing.T, f ExportFile, _ []*Exchange) {
				if len(f.States) != 2 || f.States[0].Value != "NEW" || f.States[1].Value != "BUSY" ||
					f.Took <= 0 {
					t.Errorf("%+v", f.States)
				}
			},
		},
		"an address elsewhere": {
			conf: both, gateway: func(a asked) {
				a.state([]string{"BUSY", "READY"}[min(a.n-1, 1)],
					a.cdn+"/d/quotes.csv.gz?X-Amz-Signature=presigned-value-0123")
			}, cdn: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, zipped(csv)) },
			check: func(t *testing.T, f ExportFile, xs []*Exchange) {
				if f.Name != "quotes.csv.gz" || f.Encoding != "gzip (file)" || f.States[1].Value != "READY" {
					t.Errorf("%+v", f)
				}
				for _, x := range xs {
					if strings.Contains(
						x.Recorded.URL+curl.Script(x.RepeatStep().Request)+string(x.Recorded.ResponseBody),
						"presigned-value-0123") {
						t.Error("the signature of the download address was recorded")
					}
				}
			},
		},
		"a redirect elsewhere and back": {
			conf: direct, gateway: func(a asked) {
				switch {
				case a.r.URL.Path != "/back":
					http.Redirect(a, a.r, a.cdn+"/away?back=http://"+a.r.Host+"/back", 302)
				case authorized(a.r):
					a.say("the credential came back after a foreign redirect")
				default:
					a.say(csv)
				}
			}, cdn: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, r.URL.Query().Get("back"), 307)
			},
		},
		"a relative address, authorized": {
			conf: linked, gateway: func(a asked) {
				switch {
				case a.r.URL.Path != "/v1/files/get":
					a.state("", "get")
				case !authorized(a.r) || a.r.Header.Get("nonce") == "":
					a.WriteHeader(401)
				default:
					a.Header().Set("Content-Encoding", "gzip")
					a.say(zipped(csv))
				}
			}, check: func(t *testing.T, f ExportFile, _ []*Exchange) {
				testmust.Equal(t, f.Encoding, "gzip")
			},
		},
		"an address on the same origin that refuses credentials": {conf: linked, gateway: func(a asked) {
			switch {
			case a.r.URL.Path != "/get":
				a.state("", "/get")
			case authorized(a.r):
				a.WriteHeader(400)
			default:
				a.say(csv)
			}
		}},
		"a signed address on the same origin that wants credentials": {
			conf: linked,
			gateway: func(a asked) {
				switch {
				case a.r.URL.Path != "/get":
					a.state("", "/get?token=0123456789")
				case !authorized(a.r):
					a.WriteHeader(403)
				default:
					a.say(csv)
				}
			},
		},
		"a failed state": {
			conf: both, gateway: state("ERROR", ""), fault: FetchFailedState, status: 200,
		},
		"nothing to put into a file": {
			conf: both, gateway: state("NO_DATA", ""), fault: FetchNoData, status: 200,
		},
		"denied": {conf: both, gateway: status(403, 403), fault: FetchDenied, status: 403},
		"broken for good": {
			conf: both, gateway: status(500, 500, 500, 500, 500), fault: FetchBroken, status: 500,
		},
		"never there": {
			conf: short(), gateway: status(slices.Repeat([]int{404}, 100)...), fault: FetchNotReady,
			status: 404,
		},
		"no state where it should be": {
			conf: stated, gateway: say(`{"x":1}`), fault: FetchUnusableAnswer, status: 200,
		},
		"an address that is none": {
			conf: linked, gateway: state("", "javascript:x"), fault: FetchUnusableAnswer, status: 200,
		},
		"endless redirects": {conf: short(), fault: FetchBroken, gateway: func(a asked) {
			http.Redirect(a, a.r, a.r.URL.String(), 302)
		}},
		"damaged gzip": {
			conf: direct, gateway: say(zipped(csv)[:25]), fault: FetchUnusableAnswer, status: 200,
		},
	}
}

func TestFilesAreFetchedHoweverTheyAreOffered(t *testing.T) {
	for name, tc := range fetchCases() {
		t.Run(name, func(t *testing.T) {
			cdn := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "" || r.Header.Get("nonce") != "" ||
					r.Header.Get("X-Api-Key") != "" {
					t.Error("another origin was sent a credential or a configured header")
				}
				if tc.cdn != nil {
					tc.cdn(w, r)
				}
			})
			var n atomic.Int64
			var nonces sync.Map
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if nonce := r.Header.Get("nonce"); nonce != "" {
					if _, seen := nonces.LoadOrStore(nonce, true); seen {
						t.Error("a nonce was used twice")
					}
				}
				if i := int(n.Add(1)); i == 1 &&
					(r.URL.EscapedPath() != "/v1/files/a%2F%3Fb" || r.URL.RawQuery != "of=a%2F%3Fb" ||
						!authorized(r)) {
					t.Errorf("asked for %s", r.URL)
				} else {
					tc.gateway(asked{w, r, i, cdn})
				}
			})
			dep := testDeployment(url)
			dep.Export.File = tc.conf
			var seen sink
			c := newClient(t, dep, Options{OnExchange: seen.take})
			var file []byte
			got, err := c.FetchFile(t.Context(), "a/?b", dep.Credentials.PlatformToken,
				FetchOptions{Read: func(r io.Reader) (err error) {
					file, err = io.ReadAll(r)
					return err
				}})
			if tc.fault != "" {
				var e *FetchError
				if !errors.As(err, &e) || e.Failure != tc.fault || e.Status != tc.status {
					t.Fatalf("%v, expected %s (%d)", err, tc.fault, tc.status)
				}
			} else if err != nil || string(file) != csv {
				t.Fatalf("%v %q", err, file)
			}
			if s := c.Stats(); s.Throttled > 0 || s.Pause > 0 || c.gate.rate > 0 {
				t.Errorf("a poll slows others down: %+v", s)
			}
			for _, x := range seen {
				if x.Operation != OperationFile ||
					strings.Contains(string(x.Recorded.ResponseBody), "private") {
					t.Errorf("recorded as %s: %q", x.Operation, x.Recorded.ResponseBody)
				}
			}
			if tc.check != nil {
				tc.check(t, got, seen)
			}
		})
	}
}
