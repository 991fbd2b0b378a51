package client

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

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
