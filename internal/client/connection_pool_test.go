package client

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
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
