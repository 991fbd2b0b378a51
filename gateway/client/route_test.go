package client

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/must"
)

// certified writes a certificate that stands for itself, and its key, to files.
func certified(t *testing.T) (certificate, key string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "somebody"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der := must.Get(x509.CreateCertificate(rand.Reader, template, template, public, private))(t)
	secret := must.Get(x509.MarshalPKCS8PrivateKey(private))(t)
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write(t, certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	write(t, key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	return certificate, key
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	must.Succeed(t, os.WriteFile(path, data, 0o600))
}

// serveTLS serves with a certificate, and asks for one where it is told which.
func serveTLS(t *testing.T, wanted string, h http.HandlerFunc) (address, ca string) {
	t.Helper()
	ca, key := certified(t)
	pair := must.Get(tls.LoadX509KeyPair(ca, key))(t)
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = quiet()
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	if wanted != "" {
		conf, _, _ := deployment.TLS{CAFile: wanted}.Config()
		server.TLS.ClientAuth, server.TLS.ClientCAs = tls.RequireAndVerifyClientCert, conf.RootCAs
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL, ca
}

func TestAClientCertificateIsShown(t *testing.T) {
	certificate, key := certified(t)
	address, ca := serveTLS(t, certificate, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.TLS.PeerCertificates[0].Subject.CommonName)
	})
	dep := testDeployment(address)
	dep.TLS.CAFile = ca
	if x := newClient(t, dep, Options{}).Once(background(), get("/")); x.Err == nil {
		t.Fatalf("answered %d without a certificate", x.Status)
	}
	dep.TLS.ClientCert, dep.TLS.ClientKey = certificate, key
	c := newClient(t, dep, Options{})
	x := c.Once(background(), get("/"))
	if x.Status != 200 || string(x.Body) != "somebody" {
		t.Fatalf("%d %v %s", x.Status, x.Err, x.Body)
	}
	files := "--cert '" + dep.TLS.ClientCert + "' --key '" + dep.TLS.ClientKey + "'"
	if curl := x.Recorded.Curl; !strings.Contains(curl, files) {
		t.Error(curl)
	}
}

func TestEveryRequestGoesThroughTheProxy(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "" {
			t.Error("the proxy's password reached the gateway")
		}
	})
	secured, ca := serveTLS(t, "", func(http.ResponseWriter, *http.Request) {})
	var through atomic.Int64
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "Basic dXNlcjpzd29yZGZpc2gtMTIzNA==" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		through.Add(1)
		if r.Method == http.MethodConnect {
			tunnel(t, w, r.Host)
			return
		}
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
	for i, target := range []string{address, secured} {
		dep := testDeployment(target)
		dep.TLS.CAFile = ca
		dep.Proxy = "http://user:swordfish-1234@" + strings.TrimPrefix(proxy, "http://")
		x := newClient(t, dep, Options{}).Once(background(), get("/"))
		if x.Status != 200 || through.Load() != int64(i+1) {
			t.Fatalf("%s: %d %v, %d through the proxy", target, x.Status, x.Err, through.Load())
		}
		if curl := x.Recorded.Curl; !strings.Contains(curl, "--proxy ") || strings.Contains(curl, "swordfish") {
			t.Error(curl)
		}
	}
	dep := testDeployment("http://gateway.invalid")
	dep.Proxy = "http://user:swordfish-1234@127.0.0.1:1"
	if x := newClient(t, dep, Options{}).Once(background(), get("/")); x.Err == nil ||
		strings.Contains(x.Err.Error(), "swordfish") {
		t.Errorf("%v", x.Err)
	}
}

// tunnel joins a connection to a host.
func tunnel(t *testing.T, w http.ResponseWriter, host string) {
	there, err := net.Dial("tcp", host)
	if err != nil {
		t.Error(err)
		return
	}
	here, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		_, _ = io.Copy(there, here)
		_ = there.Close()
	}()
	go func() {
		_, _ = io.Copy(here, there)
		_ = here.Close()
	}()
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
	dep.Headers = map[string]string{"x-environment": "staging", "X-Gate-Token": "abcdefgh-12345678", "x-mine": "theirs"}
	dep.Export.File = &deployment.Retrieval{Request: "GET /files/{file_id}"}
	c := newClient(t, dep, Options{})
	r := get("/")
	r.Header = http.Header{"X-Mine": {"ours"}}
	x := c.Once(background(), r)
	got := <-seen
	if got.Get("x-environment") != "staging" || got.Get("X-Gate-Token") != "abcdefgh-12345678" ||
		strings.Join(got.Values("X-Mine"), " ") != "ours" {
		t.Errorf("%v", got)
	}
	recorded := x.Recorded.Curl + strings.Join(x.Recorded.RequestHeader.Values("X-Gate-Token"), "")
	if strings.Contains(recorded, "abcdefgh-12345678") || !strings.Contains(recorded, "staging") {
		t.Error(recorded)
	}
	if _, err := c.FetchWith(background(), "f", dep.Credentials.Main(), FetchOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := <-seen; got.Get("x-environment") != "staging" {
		t.Errorf("not on the retrieval: %v", got)
	}
	if elsewhere.Get("x-environment") != "" || elsewhere.Get("X-Gate-Token") != "" ||
		elsewhere.Get("Authorization") != "" {
		t.Errorf("another host got %v", elsewhere)
	}
}
