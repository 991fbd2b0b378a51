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

	"golang.org/x/net/dns/dnsmessage"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/must"
)

// secured serves HTTP/2, and counts the connections that come.
func secured(t *testing.T, streams int, h http.HandlerFunc) (server *httptest.Server, made *atomic.Int64) {
	t.Helper()
	made = &atomic.Int64{}
	server = httptest.NewUnstartedServer(h)
	server.EnableHTTP2 = true
	server.Config.HTTP2, server.Config.ErrorLog = &http.HTTP2Config{MaxConcurrentStreams: streams}, quiet()
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			made.Add(1)
		}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, made
}

// What a server of HTTP/2 did not look at is sent again, on no more connections than it takes.
func TestConnectionsFollowWhatAServerAllows(t *testing.T) {
	for name, tc := range map[string]struct {
		streams, goaway int64 // at once; each so many answers a connection ends
		most            int64 // connections
	}{
		"many streams": {streams: 100, most: 2}, "few streams": {streams: 4, most: 5}, "one stream": {streams: 1, most: 17},
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
			c.Once(background(), post("{}")) // as the preflight of a run
			var all sync.WaitGroup
			for range 16 {
				all.Go(func() {
					for range 15 {
						if x := c.Once(background(), post("{}")); string(x.Body) != "{}" {
							t.Errorf("%v", x.Err)
						}
					}
				})
			}
			all.Wait()
			for _, x := range c.Together(background(), []*Request{post("{}"), post("{}"), post("{}"), post("{}"), post("{}")}) {
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

// names is a DNS server that knows every name as 127.0.0.1.
func names(t *testing.T) string {
	t.Helper()
	socket := must.Get(net.ListenPacket("udp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		query := make([]byte, 512)
		for {
			n, from, err := socket.ReadFrom(query)
			var m dnsmessage.Message
			if err != nil || m.Unpack(query[:n]) != nil {
				return
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1},
					Body:   &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
				}}
			}
			answer, _ := m.Pack()
			_, _ = socket.WriteTo(answer, from)
		}
	}()
	return socket.LocalAddr().String()
}

// Who connects elsewhere says what the address says: Host, SNI, and the certificate is that of the address.
func TestConnectionsGoWhereTheyAreTold(t *testing.T) {
	server, _ := secured(t, 100, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Host+" "+r.TLS.ServerName)
	})
	port := server.Listener.Addr().(*net.TCPAddr).Port
	certificate, _ := certified(t) // is valid for example.com
	for name, tc := range map[string]struct {
		base, connect, resolver, want string
	}{
		"another address": {"https://example.com", "Example.com:443=" + server.Listener.Addr().String(), "", "example.com example.com"},
		"another DNS":     {"https://example.com:PORT", "", names(t), "example.com:PORT example.com"},
	} {
		fill := strings.NewReplacer("PORT", strings.TrimPrefix(server.Listener.Addr().String(), "127.0.0.1:")).Replace
		dep := testDeployment(fill(tc.base))
		dep.TLS.CAFile, dep.Proxy = certificate, ""
		if tc.connect != "" {
			dep.Proxy = "http://127.0.0.1:1" // which nobody asks for what goes elsewhere
			must.Succeed(t, dep.Route.Connect(tc.connect))
		} else {
			must.Succeed(t, dep.Route.Ask(tc.resolver))
		}
		c := newClient(t, dep, Options{})
		x := c.Once(background(), get("/"))
		if string(x.Body) != fill(tc.want) {
			t.Errorf("%s (port %d): %s %v", name, port, x.Body, x.Err)
		}
		if script := c.Script(x.Seq); strings.Contains(script, "--connect-to '::127.0.0.1:") != (tc.connect != "") {
			t.Error(script)
		}
	}
	for _, wrong := range []string{"", "a:1", "a=b:1", "a:1=b", "a:1=:2"} {
		if err := new(deployment.Route).Connect(wrong); err == nil {
			t.Errorf("%q was accepted", wrong)
		}
	}
}
