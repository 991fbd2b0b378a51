package client

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/redact"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestARaceReachesTheServerTogether(t *testing.T) {
	const n = 16
	for _, body := range []string{`{"a":1}`, "x"} {
		var inside atomic.Int64
		all := make(chan struct{})
		var seen sink
		c := clientOf(t, Options{OnExchange: seen.take}, func(w http.ResponseWriter, r *http.Request) {
			got, _ := io.ReadAll(r.Body)
			testmust.Equal(t, string(got), body, "the body")
			if inside.Add(1) == n {
				close(all)
			}
			within(t, "the arrival of the others", all) // nobody is answered before everybody has arrived
		})
		var rs []*Request
		for range n + 4 {
			rs = append(rs, post(body))
		}
		xs := c.SendConcurrently(t.Context(), rs)
		if len(xs) != n {
			t.Fatalf("%d exchanges where 16 may be in flight", len(xs))
		}
		for _, x := range xs {
			if x.Status != 200 || x.Service <= 0 {
				t.Fatalf("%d %v %s", x.Status, x.Err, x.Service)
			}
		}
		if s := c.Stats(); s.PeakInFlight != n || s.Sent != n || len(seen) != n {
			t.Fatalf("%+v, %d reported", s, len(seen))
		}
	}
}

func TestARaceWithDeadConnectionsStillEnds(t *testing.T) {
	l := testmust.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	url := "http://" + l.Addr().String()
	_ = l.Close()
	c := newClient(t, testDeployment(url), Options{})
	for _, x := range c.SendConcurrently(t.Context(), []*Request{post("{}"), post("{}")}) {
		if x.Err == nil || x.Err.Kind != TroubleRefused || x.Seq == 0 {
			t.Fatalf("%+v", x)
		}
	}
}

// answerRaw serves each connection with a function.
func answerRaw(t *testing.T, f func(net.Conn, *bufio.Reader, int)) string {
	t.Helper()
	l := testmust.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	var all sync.WaitGroup
	all.Go(func() {
		for i := 1; ; i++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
				f(conn, bufio.NewReader(conn), i)
			})
		}
	})
	t.Cleanup(func() { _ = l.Close(); all.Wait() })
	return "http://" + l.Addr().String()
}

func TestTroubleIsNamed(t *testing.T) {
	request := func(r *bufio.Reader) {
		if q, err := http.ReadRequest(r); err == nil {
			_, _ = io.Copy(io.Discard, q.Body)
		}
	}
	raw := func(text string) string {
		return answerRaw(t,
			func(c net.Conn, r *bufio.Reader, _ int) { request(r); _, _ = io.WriteString(c, text) })
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = quiet()
	defer secure.Close()
	const ok = "HTTP/1.1 200 OK\r\n"
	for name, tc := range map[string]struct {
		url  string
		want TroubleKind
	}{
		"no HTTP":      {raw("220 mail ready\r\n\r\n"), TroubleNotHTTP},
		"a bad header": {raw(ok + "no colon here\r\n\r\n"), TroubleNotHTTP},
		"a bad chunk":  {raw(ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"), TroubleNotHTTP},
		"a long chunk line": {raw(ok + "Transfer-Encoding: " +
			"chunked\r\n\r\n1;" + strings.Repeat("a", 1<<13) + "\r\nx"), TroubleTooLarge},
		"endless headers":   {raw(ok + "A: " + strings.Repeat("a", 2<<20) + "\r\n\r\n"), TroubleTooLarge},
		"nothing":           {raw(""), TroubleReset},
		"half a body":       {raw("HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\nhalf"), TroubleReset},
		"no name":           {"http://gateassay.invalid", TroubleDNS},
		"an unknown issuer": {secure.URL, TroubleTLS},
		"no TLS":            {strings.Replace(plain.URL, "http:", "https:", 1), TroubleTLS},
		"an odd path":       {plain.URL, TroubleUnsendable},
	} {
		c := newClient(t, testDeployment(tc.url), Options{})
		r := post("{}")
		if tc.want == TroubleUnsendable {
			r.Path = "/%zz"
		}
		x := c.SendOnce(t.Context(), r)
		if x.Err == nil || x.Err.Kind != tc.want || x.Status != 0 || !x.IsTransient() {
			t.Errorf("%s: %v, status %d; expected %q", name, x.Err, x.Status, tc.want)
		}
		if name == "half a body" && (x.Recorded.Status != 201 || string(x.Body) != "half") {
			t.Errorf("what came of the answer is lost: %d %q", x.Recorded.Status, x.Body)
		}
	}
}

func TestABrokenKeptConnectionIsToldAndNothingIsSentTwice(t *testing.T) {
	for _, method := range []string{"GET", "POST"} {
		var requests atomic.Int64
		url := answerRaw(t, func(c net.Conn, r *bufio.Reader, _ int) {
			for i := 0; ; i++ {
				q, err := http.ReadRequest(r)
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, q.Body)
				requests.Add(1)
				if i == 1 {
					return // it reads the second request on a connection and never answers
				}
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			}
		})
		c := newClient(t, testDeployment(url), Options{})
		r := func() *Request {
			r := get("/")
			r.Method = method
			r.Header = http.Header{"Idempotency-Key": {"k"}}
			if method == "POST" {
				r.Body = []byte("{}")
			}
			return r
		}
		if x := c.SendOnce(t.Context(), r()); x.Status != 200 {
			t.Fatal(x.Err)
		}
		x := c.SendOnce(t.Context(), r())
		if x.Err == nil || x.Err.Kind != TroubleReset || !strings.Contains(x.Err.Detail, "kept open") {
			t.Fatalf("%s: %d %v", method, x.Status, x.Err)
		}
		if requests.Load() != 2 {
			t.Fatalf("%s: the server saw %d requests for 2", method, requests.Load())
		}
	}
}

// TestAnswersAreReadHoweverTheyAreCompressed checks that answers are decompressed although
// nobody requested compression, and that unreadable ones are reported.
func TestAnswersAreReadHoweverTheyAreCompressed(t *testing.T) {
	for name, test := range map[string]struct {
		coding, body, want, says string
		kind                     TroubleKind
	}{
		"gzip":       {coding: "gzip", body: zipped(`{"id":1}`), want: `{"id":1}`},
		"none":       {coding: "gzip", body: `{}`, want: `{}`},
		"of nothing": {coding: "gzip", body: "", want: ""},
		"unknown": {
			coding: "br", body: `{}`,
			kind: TroubleDecompression, says: `Content-Encoding "br" although none was requested`,
		},
		"damaged": {
			coding: "gzip", body: zipped(`{"id":1}`)[:20],
			kind: TroubleDecompression, says: "damaged gzip data",
		},
		"a bomb": {
			coding: "gzip", body: zipped(strings.Repeat(" ", 2<<20)),
			kind: TroubleTooLarge, says: "128 KiB",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := clientOf(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", test.coding)
				_, _ = io.WriteString(w, test.body)
			})
			x := c.SendOnce(t.Context(), post("{}"))
			if test.kind == "" {
				if x.Err != nil || string(x.Body) != test.want || string(x.Recorded.ResponseBody) != test.want {
					t.Errorf("%v, %q, recorded as %q", x.Err, x.Body, x.Recorded.ResponseBody)
				}
			} else if x.Err == nil || x.Err.Kind != test.kind || !strings.Contains(x.Err.Detail, test.says) {
				t.Errorf("%v", x.Err)
			}
		})
	}
}

func TestRedirectsAreAnswersAndCompressionIsNotAskedFor(t *testing.T) {
	c := clientOf(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		testmust.Equal(t, r.Header.Get("Accept-Encoding"), "", "compression that is asked for")
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	})
	if x := c.SendOnce(t.Context(), get("/a")); x.Status != 302 ||
		x.Header.Get("Location") != "/elsewhere" {
		t.Fatalf("%d %v", x.Status, x.Header)
	}
}

func TestAnswersBeyondTheLimitsSayWhy(t *testing.T) {
	nested := strings.Repeat("[", redact.MaxJSONDepth+1) + strings.Repeat("]", redact.MaxJSONDepth+1)
	for body, why := range map[string]string{
		strings.Repeat("é", 3<<19) + testToken: "the answer 201 is larger than 128 KiB",
		`{"id":` + nested + `}`:                "the answer 201 is JSON nested more than 100 levels deep",
		`{"id":"` + nested + `"}`:              "",
	} {
		c := clientOf(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, body)
		})
		x := c.SendOnce(t.Context(), get("/"))
		if why == "" {
			if x.Err != nil || x.Status != 201 {
				t.Errorf("%v, status %d, of a text that holds brackets", x.Err, x.Status)
			}
			continue
		}
		if x.Err == nil || x.Err.Kind != TroubleTooLarge || !strings.HasPrefix(x.Err.Detail, why) ||
			x.Status != 0 {
			t.Errorf("%v, status %d; expected %q", x.Err, x.Status, why)
		}
		if r := x.Recorded; len(r.ResponseBody) > maxRecordedBytes || r.Status != 201 ||
			len(x.Body) > recordedFileBytes {
			t.Errorf("%d and %d bytes kept, status %d", len(r.ResponseBody), len(x.Body), r.Status)
		}
	}
}

func TestBothCredentialMethodsAndRawHeaderNames(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, "%v|%v|%v", r.Header.Get("Authorization") == "Bearer "+testToken,
			r.Header.Get("X-Api-Key") == testKey, r.UserAgent())
	})
	dep := testDeployment(url)
	c := newClient(t, dep, Options{UserAgent: "gateassay/test"})
	r := get("/")
	r.Credential = dep.Credentials.PlatformToken
	if x := c.SendOnce(t.Context(), r); !strings.HasPrefix(string(x.Body), "true|false|") ||
		!strings.HasSuffix(string(x.Body), "gateassay/test") {
		t.Fatal(string(x.Body))
	}
	r.Credential = dep.Credentials.APIKey
	r.Header = http.Header{"user-agent": {"mine"}}
	if x := c.SendOnce(t.Context(), r); string(x.Body) != "false|true|mine" {
		t.Fatal(string(x.Body))
	}
	testmust.Equal(t, r.Header.Get("X-Api-Key"), "", "the caller's headers were changed")
}
