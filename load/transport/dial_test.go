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
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/load/sink"
)

func silent() *log.Logger { return log.New(io.Discard, "", 0) }

func tlsConfigOf(t *testing.T) (*tls.Config, []byte) {
	t.Helper()
	conf, pem, err := sink.SelfSigned()
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
		if len(got) != len(want) || len(got) > 0 && !got[0].IP.Equal(want[0].IP) ||
			(err != nil) != (want == nil) || lookups != times {
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
	_, s := open(t, Options{
		Base: parse(t, srv.URL), NoReuse: true,
		SourceIPs: []string{"127.0.0.2", "127.0.0.3", "::1"}, Timeout: 10 * time.Second,
	})
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

func TestAnAddressThatDoesNotAnswerGivesWayToTheNext(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer srv.Close()
	// the server listens on one
	deaf, there := net.IPAddr{IP: net.IPv4(127, 0, 0, 9)}, net.IPAddr{IP: net.IPv4(127, 0, 0, 1)}
	d := &dialer{
		port: parse(t, srv.URL).Port(), refresh: time.Hour,
		lookup: func(context.Context, string) ([]net.IPAddr, error) {
			return []net.IPAddr{deaf, there}, nil
		},
	}
	for range 4 {
		c := must.Get(d.dial(t.Context()))(t)
		c.Close()
	}
	d.addrs = []net.IPAddr{deaf, deaf}
	if _, err := d.dial(t.Context()); err == nil {
		t.Error("connected to nobody")
	}
}
