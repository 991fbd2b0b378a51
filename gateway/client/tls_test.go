package client

import (
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

func TestHTTP2WithAnAuthorityOfItsOwnRacesToo(t *testing.T) {
	const n = 8
	var inside atomic.Int64
	all := make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/x" {
			if inside.Add(1) == n {
				close(all)
			}
			within(t, "the arrival of the others", all)
		}
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	write(t, ca, block)
	dep := testDeployment(server.URL)
	dep.TLS.CAFile = ca
	c := newClient(t, dep, Options{InFlight: n})
	for range 2 {
		if x := c.Once(background(), get("/")); x.Status != 200 || x.Recorded.ResponseProto != "HTTP/2.0" {
			t.Fatalf("%d %v %s", x.Status, x.Err, x.Recorded.ResponseProto)
		}
	}
	var rs []*Request
	for i := range n {
		r := post("{}")
		if i%2 == 1 {
			r.Body = nil
		}
		rs = append(rs, r)
	}
	for _, x := range c.Together(background(), rs) {
		if x.Status != 200 {
			t.Fatal(x.Err)
		}
	}
	if x := c.Exchange(1); !strings.Contains(x.Recorded.Curl, "--cacert '"+ca+"'") {
		t.Fatal(x.Recorded.Curl)
	}
}
