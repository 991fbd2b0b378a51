package hostile

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
)

// authority is a certificate authority for servers on this machine.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key := testmust.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "hostile"}, IsCA: true,
		BasicConstraintsValid: true, NotBefore: time.Now().AddDate(-1, 0, 0),
		NotAfter: time.Now().AddDate(1, 0, 0), KeyUsage: x509.KeyUsageCertSign,
	}
	raw := testmust.Get(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))(
		t)
	cert := testmust.Get(x509.ParseCertificate(raw))(t)
	return &authority{cert, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})}
}

// issue returns a certificate for 127.0.0.1 that is valid for a year, after change edited it.
func (a *authority) issue(t *testing.T, change func(*x509.Certificate)) *tls.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "gateway"},
		NotBefore: time.Now().AddDate(-1, 0, 0), NotAfter: time.Now().AddDate(1, 0,
			0), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	if change != nil {
		change(template)
	}
	raw := testmust.Get(
		x509.CreateCertificate(rand.Reader, template, a.cert, &a.key.PublicKey, a.key))(t)
	return &tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: a.key}
}

// secured is a TLS server, and the authority that the deployment file names; nil: none.
type secured struct {
	*httptest.Server
	trusted *authority
}

// yaml returns the deployment file with the authority.
func (s secured) yaml(t *testing.T, dir, yaml string) string {
	t.Helper()
	if s.trusted == nil {
		return yaml
	}
	file := filepath.Join(dir, "ca.pem")
	testmust.Succeed(t, os.WriteFile(file, s.trusted.pem, 0o600))
	return yaml + fmt.Sprintf("tls:\n  ca_file: %q\n", file)
}

// over starts a TLS server with a configuration.
func over(
	conf *tls.Config, trusted *authority, listen func(net.Listener) net.Listener,
) func(http.Handler) secured {
	return func(h http.Handler) secured {
		s := httptest.NewUnstartedServer(h)
		s.TLS = conf
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		if listen != nil {
			s.Listener = listen(s.Listener)
		}
		s.StartTLS()
		return secured{s, trusted}
	}
}

// cutter resets every nth connection, n being each; if mute, it leaves the connection without an
// answer.
type cutter struct {
	net.Listener
	count atomic.Int64
	each  int64
	mute  bool
}

func (c *cutter) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil || c.count.Add(1)%c.each != 0 {
			return conn, err
		}
		if c.mute {
			time.AfterFunc(time.Minute, func() { _ = conn.Close() })
			continue
		}
		_, _ = conn.Read(make([]byte, 1)) // first byte of the client
		reset(conn)
	}
}

func cutting(each int64, mute bool) func(net.Listener) net.Listener {
	return func(l net.Listener) net.Listener { return &cutter{Listener: l, each: each, mute: mute} }
}

// tlsFaults returns faults of the connection below HTTP. The answers are unchanged, but each
// closes its connection, so that there are many handshakes.
func tlsFaults(t *testing.T) []trouble {
	ours, foreign := newAuthority(t), newAuthority(t)
	only := []reach{all}
	alone := func(l *wire, a answer) { a.header.Set("Connection", "close"); l.plain(a) }
	with := func(name, cause string, trusted *authority, conf *tls.Config,
		listen func(net.Listener) net.Listener,
	) trouble {
		return trouble{
			group: "TLS", name: name, cause: cause, spoil: alone, reaches: only,
			serve: over(conf, trusted, listen),
		}
	}
	cert := func(a *authority, change func(*x509.Certificate)) *tls.Config {
		// #nosec G402: a server of a test
		return &tls.Config{Certificates: []tls.Certificate{*a.issue(t, change)}}
	}
	changing := func(after int64, to *tls.Config) *tls.Config {
		var count atomic.Int64
		conf := cert(ours, nil)
		conf.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
			if count.Add(1) > after {
				return to, nil
			}
			return nil, nil // unchanged
		}
		return conf
	}
	old := cert(ours, nil)
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS10
	wanting := cert(ours, nil)
	wanting.ClientAuth = tls.RequireAnyClientCert
	return []trouble{
		with("sound", "", ours, cert(ours, nil), nil),
		with("an expired certificate", "expired", ours,
			cert(ours, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Hour) }), nil),
		with("a certificate of another host", "valid for|doesn't contain|other.example", ours,
			cert(ours, func(c *x509.Certificate) {
				c.IPAddresses, c.DNSNames = nil, []string{"other.example"}
			}), nil),
		with("an unknown authority", "unknown authority", nil, cert(foreign, nil), nil),
		with("TLS 1.0 only", "protocol version", ours, old, nil),
		with("a client certificate is required", "certificate required|bad certificate|TLS", ours,
			wanting, nil),
		with("a handshake that stops", "timed out|timeout", ours, cert(ours, nil), cutting(1, true)),
		with("a handshake that is reset", "broken|reset|EOF", ours, cert(ours, nil), cutting(1, false)),
		with("every tenth handshake stops", "", ours, cert(ours, nil), cutting(10, true)),
		with("another certificate amid the run", "", ours, changing(50, cert(ours, nil)), nil),
		with("an unknown authority amid the run", "unknown authority", ours,
			changing(50, cert(foreign, nil)), nil),
	}
}
