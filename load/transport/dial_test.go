package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/target"
)

func silent() *log.Logger { return log.New(io.Discard, "", 0) }

func tlsConfigOf(t *testing.T) (*tls.Config, []byte) {
	t.Helper()
	conf, pem, err := target.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	return conf, pem
}

func TestANameIsLookedUpAgainOnlyWhenItIsTime(t *testing.T) {
	one, two := []net.IPAddr{{IP: net.IPv4(127, 0, 0, 1)}}, []net.IPAddr{{IP: net.IPv4(127, 0, 0, 2)}}
	lookups := 0
	var next []net.IPAddr
	d := &dialer{host: "gateway", refresh: time.Hour, lookup: func(context.Context, string) ([]net.IPAddr, error) {
		lookups++
		if next == nil {
			return nil, errors.New("the resolver is away")
		}
		return next, nil
	}}
	expect := func(want []net.IPAddr, times int) {
		t.Helper()
		got, err := d.resolve(t.Context())
		if len(got) != len(want) || len(got) > 0 && !got[0].IP.Equal(want[0].IP) || (err != nil) != (want == nil) || lookups != times {
			t.Errorf("got %v %v after %d lookups", got, err, lookups)
		}
	}
	expect(nil, 1)
	next = one
	expect(one, 2)
	next = two
	expect(one, 2)
	d.expires = time.Now()
	expect(two, 3)
	next, d.expires = nil, time.Now()
	expect(two, 4) // what is known serves until the resolver is back
	expect(two, 4)
	d.refresh, d.expires, next = -1, time.Now(), one
	expect(one, 5)
	expect(one, 6)
}

func TestConnectionsTakeAddressesAndSourcesInTurn(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		mu.Lock()
		seen[host]++
		mu.Unlock()
	}))
	defer srv.Close()
	_, s := open(t, Options{Base: parse(t, srv.URL), NoReuse: true, SourceIPs: []string{"127.0.0.2", "127.0.0.3", "::1"}, Timeout: 10 * time.Second})
	x := exchange()
	for range 6 {
		if s.Do(x); x.Err != nil {
			t.Fatal(x.Err)
		}
	}
	if len(seen) != 2 || seen["127.0.0.2"] == 0 || seen["127.0.0.3"] == 0 {
		t.Errorf("sources %v", seen)
	}
}

func TestAnHTTPClientIsServedLikeByNetHTTP(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Add("X-Seen", r.Method+" "+r.RequestURI+" "+r.Header.Get("X-Two")+" "+string(body))
		if r.Method != http.MethodHead {
			w.Write(body)
		}
	}))
	defer srv.Close()
	for _, name := range []Name{Raw, NetHTTP} {
		tr, _ := open(t, Options{Base: parse(t, srv.URL), Name: name, Timeout: 10 * time.Second})
		rt := NewRoundTripper(tr, 4)
		client := &http.Client{Transport: rt}
		var wg sync.WaitGroup
		for range 40 {
			wg.Go(func() {
				req, _ := http.NewRequestWithContext(t.Context(), "PUT", srv.URL+"/a?b=c", strings.NewReader("text"))
				req.Header.Set("X-Two", "2")
				resp, err := client.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				body, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if resp.StatusCode != 200 || string(body) != "text" || resp.Header.Get("X-Seen") != "PUT /a?b=c 2 text" {
					t.Errorf("%s: %d %q %v", name, resp.StatusCode, body, resp.Header)
				}
			})
		}
		wg.Wait()
		for _, method := range []string{"GET", "HEAD"} {
			req, _ := http.NewRequest(method, srv.URL+"/x", nil)
			resp, err := client.Do(req)
			if err != nil || resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("X-Seen"), method) {
				t.Errorf("%s %s: %v %v", name, method, resp, err)
			}
		}
		rt.Close()
	}
}

func TestAnHTTPClientMayGiveUp(t *testing.T) {
	var arrived atomic.Int32
	release := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if arrived.Add(1) == 1 {
			<-release
		}
	}))
	defer srv.Close()
	defer close(release)
	for _, name := range []Name{Raw} {
		tr, _ := open(t, Options{Base: parse(t, srv.URL), Name: name, Timeout: 20 * time.Second})
		rt := NewRoundTripper(tr, 1)
		defer rt.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, "POST", srv.URL, strings.NewReader("x"))
		if _, err := rt.RoundTrip(req); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
		req, _ = http.NewRequestWithContext(t.Context(), "POST", srv.URL, strings.NewReader("x"))
		if resp, err := rt.RoundTrip(req); err != nil || resp.StatusCode != 200 {
			t.Errorf("%s: the next request: %v %v", name, resp, err)
		}
	}
}
