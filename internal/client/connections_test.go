package client

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

// secured starts an HTTP/2 server and counts its connections.
func secured(
	t *testing.T, streams int, h http.HandlerFunc,
) (server *httptest.Server, made *atomic.Int64) {
	t.Helper()
	made = &atomic.Int64{}
	server = httptest.NewUnstartedServer(h)
	server.EnableHTTP2 = true
	server.Config.HTTP2, server.Config.ErrorLog = &http.HTTP2Config{
		MaxConcurrentStreams: streams,
	}, quiet()
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			made.Add(1)
		}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, made
}

// TestConnectionsFollowWhatAServerAllows checks that requests which an HTTP/2 server did not
// process are sent again, on no more connections than it allows.
func TestConnectionsFollowWhatAServerAllows(t *testing.T) {
	for name, tc := range map[string]struct {
		streams, goaway int64 // limit per connection; a connection ends after every so many answers
		most            int64 // connections
	}{
		"many streams": {streams: 100, most: 2}, "few streams": {streams: 4, most: 5},
		"one stream":           {streams: 1, most: 17},
		"connections that end": {streams: 100, goaway: 20, most: 16},
	} {
		t.Run(name, func(t *testing.T) {
			var seen atomic.Int64
			server, made := secured(t, int(tc.streams), func(w http.ResponseWriter, r *http.Request) {
				if n := seen.Add(1); tc.goaway > 0 && n%tc.goaway == 0 {
					w.Header().Set("Connection", "close")
				}
				_, _ = io.Copy(w, r.Body)
				time.Sleep(2 * time.Millisecond)
			})
			dep := testDeployment(server.URL)
			dep.TLS.InsecureSkipVerify = true
			c := newClient(t, dep, Options{})
			c.SendOnce(t.Context(), post("{}")) // like the preflight of a run
			var all sync.WaitGroup
			for range 16 {
				all.Go(func() {
					for range 15 {
						if x := c.SendOnce(t.Context(), post("{}")); string(x.Body) != "{}" {
							t.Errorf("%v", x.Err)
						}
					}
				})
			}
			all.Wait()
			for _, x := range c.SendConcurrently(t.Context(),
				[]*Request{post("{}"), post("{}"), post("{}"), post("{}"), post("{}")}) {
				if x.Err != nil || x.Service > 5*time.Second {
					t.Errorf("in a race: %v after %s", x.Err, x.Service)
				}
			}
			if seen.Load() != 246 || made.Load() > tc.most {
				t.Errorf("%d requests came on %d connections, of at most %d", seen.Load(), made.Load(), tc.most)
			}
		})
	}
}

// TestConnectionsGoWhereTheyAreTold checks that Host, SNI and the certificate are those of the
// URL, even if connect_to names another address.
func TestConnectionsGoWhereTheyAreTold(t *testing.T) {
	server, _ := secured(t, 100, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Host+" "+r.TLS.ServerName)
	})
	dep := testDeployment("https://example.com")
	dep.TLS.CAFile, _ = certified(t) // is valid for example.com
	dep.Proxy = "http://127.0.0.1:1" // must not be used for redirected addresses
	testmust.Succeed(t, dep.Route.AddConnectTo("Example.com:443="+server.Listener.Addr().String()))
	c := newClient(t, dep, Options{})
	x := c.SendOnce(t.Context(), get("/"))
	if string(x.Body) != "example.com example.com" ||
		!strings.Contains(c.ShellScript(x.Seq), "--connect-to '::127.0.0.1:") {
		t.Errorf("%s %v: %s", x.Body, x.Err, c.ShellScript(x.Seq))
	}
	names := testmust.Get(net.ListenPacket("udp", "127.0.0.1:0"))(t)
	defer names.Close()
	var asked atomic.Value
	go func() { // answers that no name exists
		message := make([]byte, 512)
		for {
			n, from, err := names.ReadFrom(message)
			if err != nil {
				return
			}
			asked.Store(string(message[:n]))
			message[2], message[3] = message[2]|0x80, 3
			_, _ = names.WriteTo(message[:n], from)
		}
	}()
	dep = testDeployment("https://of-that-server.example")
	testmust.Succeed(t, dep.Route.SetResolver(names.LocalAddr().String()))
	x = newClient(t, dep, Options{}).SendOnce(t.Context(), get("/"))
	if query, _ := asked.Load().(string); x.Err == nil || x.Err.Kind != TroubleDNS ||
		!strings.Contains(query, "of-that-server") {
		t.Errorf("asked %q: %v", query, x.Err)
	}
	for _, wrong := range []string{"", "a:1", "a=b:1", "a:1=b", "a:1=:2"} {
		if err := new(deployment.Route).AddConnectTo(wrong); err == nil {
			t.Errorf("%q was accepted", wrong)
		}
	}
}

// certified writes the self-signed certificate of test servers and its key to files.
func certified(t *testing.T) (certificate, key string) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	pair := server.TLS.Certificates[0]
	secret := testmust.Get(x509.MarshalPKCS8PrivateKey(pair.PrivateKey))(t)
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]pem.Block{
		certificate: {Type: "CERTIFICATE", Bytes: pair.Certificate[0]},
		key:         {Type: "PRIVATE KEY", Bytes: secret},
	} {
		testmust.WriteFile(t, path, string(pem.EncodeToMemory(&block)))
	}
	return certificate, key
}

func TestAClientCertificateIsShown(t *testing.T) {
	certificate, key := certified(t)
	server := httptest.NewUnstartedServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, strings.Join(r.TLS.PeerCertificates[0].Subject.Organization, ""))
		}),
	)
	server.Config.ErrorLog = quiet()
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.StartTLS()
	defer server.Close()
	dep := testDeployment(server.URL)
	dep.TLS.CAFile = certificate
	if x := newClient(t, dep, Options{}).SendOnce(t.Context(), get("/")); x.Err == nil {
		t.Fatalf("answered %d without a certificate", x.Status)
	}
	dep.TLS.ClientCert, dep.TLS.ClientKey = certificate, key
	c := newClient(t, dep, Options{})
	x := c.SendOnce(t.Context(), get("/"))
	if x.Status != 200 || string(x.Body) != "Acme Co" {
		t.Fatalf("%d %v %s", x.Status, x.Err, x.Body)
	}
	files := "--cert '" + dep.TLS.ClientCert + "' --key '" + dep.TLS.ClientKey + "'"
	testmust.Contain(t, c.ShellScript(x.Seq), files)
}

func TestEveryRequestGoesThroughTheProxy(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		testmust.Equal(t, r.Header.Get("Proxy-Authorization"),
			"", "the proxy's password reached the gateway")
	})
	var through atomic.Int64
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "Basic dXNlcjpzd29yZGZpc2gtMTIzNA==" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		through.Add(1)
		r.RequestURI = ""
		r.Header.Del("Proxy-Authorization")
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		w.WriteHeader(answer.StatusCode)
	})
	dep := testDeployment(address)
	dep.Proxy = "http://user:swordfish-1234@" + strings.TrimPrefix(proxy, "http://")
	c := newClient(t, dep, Options{})
	x := c.SendOnce(t.Context(), get("/"))
	if x.Status != 200 || through.Load() != 1 {
		t.Fatalf("%d %v, %d through the proxy", x.Status, x.Err, through.Load())
	}
	if curl := c.ShellScript(x.Seq); !strings.Contains(curl, "--proxy ") ||
		strings.Contains(curl, "swordfish") {
		t.Error(curl)
	}
	dep = testDeployment("http://gateway.invalid")
	dep.Proxy = "http://user:swordfish-1234@127.0.0.1:1"
	if x := newClient(t, dep, Options{}).SendOnce(t.Context(), get("/")); x.Err == nil ||
		strings.Contains(x.Err.Error(), "swordfish") {
		t.Errorf("%v", x.Err)
	}
}

func TestHeadersGoAlongToTheGatewayOnly(t *testing.T) {
	var elsewhere http.Header
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		elsewhere = r.Header.Clone()
		_, _ = io.WriteString(w, "id\n1\n")
	})
	seen := make(chan http.Header, 3)
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Clone()
		if r.URL.Path == "/files/f" {
			http.Redirect(w, r, other, http.StatusFound)
		}
	})
	dep := testDeployment(address)
	dep.Headers = map[string]string{
		"x-environment": "staging",
		"X-Gate-Token":  "abcdefgh-12345678",
		"x-mine":        "theirs",
	}
	dep.Export.File = &deployment.Retrieval{Request: "GET /files/{file_id}"}
	c := newClient(t, dep, Options{})
	r := get("/")
	r.Header = http.Header{"X-Mine": {"ours"}}
	x := c.SendOnce(t.Context(), r)
	got := <-seen
	testmust.Equal(t, got.Get("x-environment"), "staging")
	testmust.Equal(t, got.Get("X-Gate-Token"), "abcdefgh-12345678")
	testmust.Equal(t, strings.Join(got.Values("X-Mine"), " "), "ours")
	recorded := c.ShellScript(x.Seq) + strings.Join(x.Recorded.RequestHeader.Values("X-Gate-Token"),
		"")
	if strings.Contains(recorded, "abcdefgh-12345678") || !strings.Contains(recorded, "staging") {
		t.Error(recorded)
	}
	testmust.Get(c.FetchFile(t.Context(), "f", dep.Credentials.Main(), FetchOptions{}))(t)
	testmust.Equal(t, (<-seen).Get("x-environment"), "staging", "not on the retrieval")
	testmust.Equal(t, elsewhere.Get("x-environment"), "")
	testmust.Equal(t, elsewhere.Get("X-Gate-Token"), "")
	testmust.Equal(t, elsewhere.Get("Authorization"), "")
}

// TestAProxyThatOpensNoWayIsNamed checks that the error names a refusing proxy and its status.
func TestAProxyThatOpensNoWayIsNamed(t *testing.T) {
	for status, next := range map[int]string{
		407: "user and password", 403: "let this host pass", 502: "NO_PROXY", 503: "NO_PROXY",
	} {
		dep := testDeployment("https://gateway.invalid")
		dep.Proxy = serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		err := newClient(t, dep, Options{}).SendOnce(t.Context(), post("{}")).Err
		if err == nil || err.Kind != TroubleProxy || err.Proxy == nil || err.Proxy.Status != status ||
			!strings.Contains(err.Error(),
				strings.TrimPrefix(dep.Proxy, "http://")) || !strings.Contains(err.Proxy.NextStep(), next) {
			t.Errorf("%d: %+v", status, err)
		}
	}
}
