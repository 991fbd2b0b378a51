package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

const csv = "id;client_id\n1;somebody private\n2;somebody else\n"

func zipped(s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, s)
	_ = z.Close()
	return b.Bytes()
}

func retrieval(state bool, url string) *deployment.Retrieval {
	r := &deployment.Retrieval{
		Request: "GET /v1/files/{file_id}?of={file_id}", Headers: map[string]string{"nonce": "{uuid}"}, URL: url,
		Timeout: 20 * time.Second,
	}
	if state {
		r.State = &deployment.State{Pointer: "/state/na~1me", Ready: []string{"READY"}, Failed: []string{"ERROR"}}
	}
	return r
}

func authorized(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer "+testToken }

// asked is a request to the gateway: the nth, which may send its reader on to another origin.
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

// fetchCase is one way in which a deployment may hand out files; without a fault, the file is csv.
type fetchCase struct {
	conf    *deployment.Retrieval
	gateway func(asked)
	cdn     http.HandlerFunc // another origin; it fails when it sees a credential
	fault   FetchFault
	status  int
	check   func(*testing.T, ExportFile, []*Exchange)
}

func fetchCases() map[string]fetchCase {
	direct, linked := retrieval(false, ""), retrieval(false, "/url")
	stated, both := retrieval(true, ""), retrieval(true, "/url")
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
		"an answer that says in JSON that there is no file yet": {
			conf: direct, gateway: func(a asked) {
				if a.n == 1 {
					a.WriteHeader(http.StatusAccepted)
					a.say(`{"progress":50}`)
					return
				}
				a.say(csv)
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
				if len(f.States) != 2 || f.States[0].Value != "NEW" || f.States[1].Value != "BUSY" || f.Took <= 0 {
					t.Errorf("%+v", f.States)
				}
			},
		},
		"an address elsewhere": {
			conf: both, gateway: func(a asked) {
				a.state([]string{"BUSY", "READY"}[min(a.n-1, 1)],
					a.cdn+"/d/quotes.csv.gz?X-Amz-Signature=presigned-value-0123")
			}, cdn: func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(zipped(csv)) },
			check: func(t *testing.T, f ExportFile, xs []*Exchange) {
				if f.Name != "quotes.csv.gz" || f.Encoding != "gzip (file)" || f.States[1].Value != "READY" {
					t.Errorf("%+v", f)
				}
				for _, x := range xs {
					if strings.Contains(x.Recorded.URL+x.Recorded.Curl+string(x.Recorded.ResponseBody),
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
					_, _ = a.Write(zipped(csv))
				}
			}, check: func(t *testing.T, f ExportFile, _ []*Exchange) {
				if f.Encoding != "gzip (transfer)" {
					t.Error(f.Encoding)
				}
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
		"a signed address on the same origin that wants credentials": {conf: linked, gateway: func(a asked) {
			switch {
			case a.r.URL.Path != "/get":
				a.state("", "/get?token=0123456789")
			case !authorized(a.r):
				a.WriteHeader(403)
			default:
				a.say(csv)
			}
		}},
		"a failed state":  {conf: both, gateway: state("ERROR", ""), fault: FailedState, status: 200},
		"denied":          {conf: both, gateway: status(403, 403), fault: Denied, status: 403},
		"broken for good": {conf: both, gateway: status(500, 500, 500, 500), fault: Broken, status: 500},
		"never there": {
			conf: short(), gateway: status(slices.Repeat([]int{404}, 100)...), fault: NotReady, status: 404,
		},
		"no state where it should be": {conf: stated, gateway: say(`{"x":1}`), fault: Unusable, status: 200},
		"an address that is none":     {conf: linked, gateway: state("", "javascript:x"), fault: Unusable, status: 200},
		"endless redirects": {conf: short(), fault: Broken, gateway: func(a asked) {
			http.Redirect(a, a.r, a.r.URL.String(), 302)
		}},
		"damaged gzip": {conf: direct, gateway: say(string(zipped(csv)[:25])), fault: Unusable, status: 200},
	}
}

func short() *deployment.Retrieval {
	r := retrieval(false, "")
	r.Timeout = 300 * time.Millisecond
	return r
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
					(r.URL.EscapedPath() != "/v1/files/a%2F%3Fb" || r.URL.RawQuery != "of=a%2F%3Fb" || !authorized(r)) {
					t.Errorf("asked for %s", r.URL)
				} else {
					tc.gateway(asked{w, r, i, cdn})
				}
			})
			dep := testDeployment(url)
			dep.Limits.RequestsPerSecond = 500 // a 429 must not slow the test down
			dep.Export.File = tc.conf
			var seen sink
			c := newClient(t, dep, Options{OnExchange: seen.take})
			got, err := c.FetchWith(background(), "a/?b", dep.Credentials.PlatformToken, FetchOptions{})
			if tc.fault != "" {
				var e *FetchError
				if !errors.As(err, &e) || e.Fault != tc.fault || e.Status != tc.status {
					t.Fatalf("%v, expected %s (%d)", err, tc.fault, tc.status)
				}
			} else if err != nil || string(got.Bytes) != csv {
				t.Fatalf("%v %q", err, got.Bytes)
			}
			for _, x := range seen.list() {
				if x.Operation != File || strings.Contains(string(x.Recorded.ResponseBody), "private") {
					t.Errorf("recorded as %s: %q", x.Operation, x.Recorded.ResponseBody)
				}
				if k := c.Exchange(x.Seq); k.Body != nil || k.Header != nil {
					t.Error("the raw file is retained")
				}
			}
			if tc.check != nil {
				tc.check(t, got, seen.list())
			}
		})
	}
}

func TestARecordedFileHoldsItsFirstLineOnly(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, csv) })
	dep := testDeployment(url)
	dep.Export.File = retrieval(false, "")
	c := newClient(t, dep, Options{})
	x := c.FetchOnce(background(), "id", dep.Credentials.OtherUser)
	if string(x.Body) != csv || string(x.Recorded.ResponseBody) != "id;client_id" ||
		!strings.HasSuffix(x.Recorded.Comment, ", 2 lines left out") {
		t.Fatalf("%q %q", x.Recorded.ResponseBody, x.Recorded.Comment)
	}
	if !strings.Contains(x.Recorded.Curl, "$GATEWAY_OTHER_USER_TOKEN") ||
		!strings.Contains(x.Recorded.Curl, "nonce: $(uuid4)") {
		t.Fatal(x.Recorded.Curl)
	}
}

func TestTheBeginningOfAFileMayBeEnough(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, csv) })
	dep := testDeployment(url)
	dep.Export.File = retrieval(false, "")
	c := newClient(t, dep, Options{})
	for most, want := range map[int64]string{5: csv[:5], int64(len(csv)): csv, 0: csv} {
		got, err := c.FetchWith(background(), "id", nil, FetchOptions{Most: most})
		if err != nil || string(got.Bytes) != want || got.Cut != (want != csv) {
			t.Errorf("up to %d bytes: %q, cut %v, %v", most, got.Bytes, got.Cut, err)
		}
	}
}

func TestFetchNeedsItsConfiguration(t *testing.T) {
	dep := testDeployment("http://127.0.0.1:1")
	c := newClient(t, dep, Options{})
	var e *FetchError
	if _, err := c.FetchWith(background(), "id", nil, FetchOptions{}); !errors.As(err, &e) || e.Fault != NotConfigured {
		t.Fatal(err)
	}
	if x := c.FetchOnce(background(), "id", nil); x.Err == nil || x.Err.Kind != Unsent {
		t.Fatal(x.Err)
	}
	dep.Export.File = retrieval(false, "")
	for _, id := range []string{"", ".", ".."} {
		if _, err := c.FetchWith(background(), id, nil, FetchOptions{}); !errors.As(err, &e) || e.Fault != Unusable {
			t.Fatal(err)
		}
	}
}

func TestAFetchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(background())
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); cancel() })
	dep := testDeployment(url)
	dep.Export.File = retrieval(false, "")
	dep.Export.File.Timeout = time.Hour
	c := newClient(t, dep, Options{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := c.FetchWith(ctx, "id", nil, FetchOptions{}); err == nil {
			t.Error("fetched")
		}
	}()
	within(t, "the end of the fetch", done)
}

func TestAPointerFollowsRFC6901(t *testing.T) {
	doc := parseJSON([]byte(`{"foo":["bar","baz"],"":0,"a/b":1,"m~n":8,"n":null,"big":12345678901234567890}`))
	for pointer, want := range map[string]string{
		"/foo/0": "bar", "/": "0", "/a~1b": "1", "/m~0n": "8", "/n": "null",
		"/big": "12345678901234567890", "/foo": `["bar","baz"]`,
	} {
		if v, ok := Lookup(doc, pointer); !ok || stateText(v) != want {
			t.Errorf("%s: %v", pointer, v)
		}
	}
	for _, pointer := range []string{"foo", "/foo/2", "/foo/-", "/foo/00", "/none", "/foo/0/x"} {
		if v, ok := Lookup(doc, pointer); ok {
			t.Errorf("%s: %v", pointer, v)
		}
	}
}

func TestReachingAFileAsSomebodyElse(t *testing.T) {
	for name, tc := range map[string]struct {
		gateway http.HandlerFunc
		conf    *deployment.Retrieval
		want    string // path that answers last
	}{
		"a redirect elsewhere": {
			conf: retrieval(false, ""), want: "/cdn",
			gateway: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, r.URL.Query().Get("cdn")+"/cdn", http.StatusFound)
			},
		},
		"an address elsewhere": {
			conf: retrieval(true, "/url"), want: "/cdn",
			gateway: func(w http.ResponseWriter, r *http.Request) {
				asked{ResponseWriter: w}.state("READY", r.URL.Query().Get("cdn")+"/cdn")
			},
		},
		"a refusal": {
			conf:    retrieval(true, "/url"),
			gateway: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			var there atomic.Int64
			cdn := serve(t, func(_ http.ResponseWriter, r *http.Request) {
				there.Add(1)
				if r.Header.Get("Authorization") != "" || r.Header.Get("nonce") != "" {
					t.Errorf("another origin saw %v", r.Header)
				}
			})
			dep := testDeployment(serve(t, tc.gateway))
			dep.Export.File = tc.conf
			dep.Export.File.Request += "&cdn=" + cdn
			x, elsewhere := newClient(t, dep, Options{}).Reach(background(), "id", dep.Credentials.OtherUser, nil)
			if elsewhere != (tc.want != "") || elsewhere != (there.Load() == 1) || x.Success() != elsewhere {
				t.Errorf("%v, %d, elsewhere %v", x, x.Status, elsewhere)
			}
		})
	}
}

func TestAFileThatIsNowhereIsNotWaitedForTooLong(t *testing.T) {
	for status, patient := range map[int]bool{404: false, 204: false, 409: true, 202: true} {
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		dep := testDeployment(url)
		dep.Export.File = retrieval(false, "")
		dep.Export.File.Timeout = 700 * time.Millisecond
		c := newClient(t, dep, Options{})
		var e *FetchError
		got, err := c.FetchWith(background(), "id", nil,
			FetchOptions{Absent: func() time.Duration { return 100 * time.Millisecond }})
		if !errors.As(err, &e) || e.Fault != NotReady || e.NoFile() == patient ||
			(got.Took >= dep.Export.File.Timeout) != patient {
			t.Errorf("%d: after %s: %v", status, got.Took, err)
		}
	}
}
