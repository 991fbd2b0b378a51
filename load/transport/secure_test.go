package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/judge"
)

// secure starts a TLS server and returns it with a transport that trusts it.
func secure(t *testing.T, h2 bool, h http.HandlerFunc) (*httptest.Server, *http.Transport) {
	t.Helper()
	srv := httptest.NewUnstartedServer(h)
	srv.EnableHTTP2 = h2
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	pool := x509.NewCertPool()
	pool.AddCert(srv.Certificate())
	return srv, &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
}

// echo answers with the protocol and the body of the request.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("X-Nonce", r.Header.Get("nonce"))
	w.WriteHeader(http.StatusCreated)
	io.WriteString(w, r.Proto+" "+string(body))
}

func parse(t *testing.T, raw string) *url.URL {
	t.Helper()
	return testmust.Get(url.Parse(raw))(t)
}

func TestEachTransportSpeaksItsProtocolOverTLSAndWithout(t *testing.T) {
	tlsServer, trust := secure(t, true, echo)
	h2c := httptest.NewUnstartedServer(http.HandlerFunc(echo))
	h2c.Config.Protocols = new(http.Protocols)
	h2c.Config.Protocols.SetHTTP1(true)
	h2c.Config.Protocols.SetUnencryptedHTTP2(true)
	h2c.Start()
	t.Cleanup(h2c.Close)
	for _, c := range []struct{ origin, version, want string }{
		{tlsServer.URL, "", "HTTP/2.0"},
		{tlsServer.URL, "1.1", "HTTP/1.1"},
		{tlsServer.URL, "2", "HTTP/2.0"},
		{h2c.URL, "", "HTTP/1.1"},
		{h2c.URL, "2", "HTTP/2.0"},
	} {
		o := Config{Base: parse(t, c.origin), Version: c.version, Via: trust, Timeout: 10 * time.Second}
		testmust.Equal(t, openHTTP(t, o).send(), got{201, "n-1", c.want + ` {"a":1}`, nil}, c)
		if c.version == "2" {
			continue
		}
		direct := open(t, o)
		for range 3 {
			if g := direct.send(); g.status != 201 || !strings.HasPrefix(g.nonce, "n-1") ||
				g.body != `HTTP/1.1 {"a":1}` {
				t.Fatalf("%+v: %+v", c, g)
			}
		}
	}
}

func TestACertificateMustBeTrusted(t *testing.T) {
	srv, trust := secure(t, false, echo)
	// httptest's certificate does not name localhost
	host := parse(t, strings.Replace(srv.URL, "127.0.0.1", "localhost", 1))
	elsewhere := trust.Clone()
	elsewhere.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, srv.Listener.Addr().String())
	}
	for what, c := range map[string]struct {
		base *url.URL
		via  *http.Transport
		ok   bool
	}{
		"unknown":  {parse(t, srv.URL), nil, false},
		"misnamed": {host, trust, false},
		"trusted":  {parse(t, srv.URL), trust, true},
		// whom the certificate names
		"elsewhere": {parse(t, "https://example.com"), elsewhere, true},
		"unchecked": {
			host, &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, true,
		},
	} {
		o := Config{Base: c.base, Via: c.via, Timeout: 10 * time.Second}
		for _, g := range []got{open(t, o).send(), openHTTP(t, o).send()} {
			if c.ok && g.err != nil || !c.ok && judge.FailureOf(g.err) != judge.FailureTLS {
				t.Errorf("%s: %v", what, g.err)
			}
		}
	}
}

func TestOptionsThatContradictAreRefusedWithWhatWouldDo(t *testing.T) {
	base, proxy := parse(t, "http://gateway.example"), parse(t, "http://user:hidden@proxy:3128")
	for want, o := range map[string]Config{
		"leave out --http 2": {Base: base, Version: "2"},
		"--engine vegeta":    {Base: base, Via: &http.Transport{Proxy: http.ProxyURL(proxy)}},
	} {
		_, err := NewFastHTTP(o)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%q: %v", want, err)
		}
	}
}
