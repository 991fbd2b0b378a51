package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// dialer opens connections to one origin.
type dialer struct {
	host, port string
	secure     bool
	conf       *tls.Config
	sources    []*net.TCPAddr
	refresh    time.Duration
	lookup     func(ctx context.Context, host string) ([]net.IPAddr, error)

	turn atomic.Uint32 // which source and which address comes next

	mu      sync.Mutex // also lets one lookup serve all that wait for it
	addrs   []net.IPAddr
	expires time.Time
}

func newDialer(o *Options) (*dialer, error) {
	d := &dialer{
		host: o.Base.Hostname(), port: portOf(o.Base), secure: o.Base.Scheme == "https",
		refresh: o.DNSRefresh, lookup: net.DefaultResolver.LookupIPAddr,
	}
	conf, err := TLSConfig(o.TLS)
	if err != nil {
		return nil, err
	}
	conf.ServerName = d.host
	d.conf = conf
	for _, s := range o.SourceIPs {
		ip := net.ParseIP(strings.TrimSpace(s))
		if ip == nil {
			return nil, fmt.Errorf("--source-ip %q is not an IP address", s)
		}
		d.sources = append(d.sources, &net.TCPAddr{IP: ip})
	}
	if ip := net.ParseIP(d.host); ip != nil {
		d.addrs = []net.IPAddr{{IP: ip}}
		d.lookup = nil
	}
	return d, nil
}

// TLSConfig builds what verifies the deployment's certificate. An error names the key of the deployment file.
func TLSConfig(t deployment.TLS) (*tls.Config, error) {
	conf := &tls.Config{
		InsecureSkipVerify: t.InsecureSkipVerify, // #nosec: asked for in the deployment file
		MinVersion:         tls.VersionTLS12,
		NextProtos:         []string{"http/1.1"},
		ClientSessionCache: tls.NewLRUClientSessionCache(0),
	}
	if t.CAFile != "" {
		pem, err := os.ReadFile(t.CAFile)
		if err != nil {
			return nil, fmt.Errorf("tls.ca_file: %w", err)
		}
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("tls.ca_file: %s holds no certificate in PEM", t.CAFile)
		}
	}
	return conf, nil
}

// dial connects over TCP. Each address is tried once, beginning with the next in turn.
func (d *dialer) dial(ctx context.Context) (net.Conn, error) {
	addrs, err := d.resolve(ctx)
	if err != nil {
		return nil, err
	}
	turn := int(d.turn.Add(1) - 1)
	var first error
	for i := range addrs {
		addr := addrs[(turn+i)%len(addrs)]
		nd := net.Dialer{KeepAlive: 30 * time.Second}
		if src := d.source(turn, addr.IP); src != nil {
			nd.LocalAddr = src
		} else if len(d.sources) > 0 {
			err := fmt.Errorf("no --source-ip is of the family of %s", addr.String())
			first = errors.Join(first, err)
			continue
		}
		conn, err := nd.DialContext(ctx, "tcp", net.JoinHostPort(addr.String(), d.port))
		if err == nil {
			return conn, nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, first
}

// secured performs the handshake for HTTP/1.1.
func (d *dialer) secured(ctx context.Context, conn net.Conn) (net.Conn, error) {
	tc := tls.Client(conn, d.conf)
	if err := tc.HandshakeContext(ctx); err != nil {
		conn.Close()
		if ctx.Err() != nil || errors.Is(err, os.ErrDeadlineExceeded) {
			return nil, err
		}
		return nil, &handshakeError{err}
	}
	if got := tc.ConnectionState().NegotiatedProtocol; got != "" && got != "http/1.1" {
		conn.Close()
		return nil, &handshakeError{fmt.Errorf("the server chose %q where only http/1.1 was offered", got)}
	}
	return tc, nil
}

// source picks the next local address of the family of the target's.
func (d *dialer) source(turn int, to net.IP) *net.TCPAddr {
	for i := range d.sources {
		s := d.sources[(turn+i)%len(d.sources)]
		if (s.IP.To4() == nil) == (to.To4() == nil) {
			return s
		}
	}
	return nil
}

// resolve looks the host up when what is known is too old. A lookup that fails while older addresses are known keeps
// those for another second: a hiccup of the resolver is no fault of the target.
func (d *dialer) resolve(ctx context.Context) ([]net.IPAddr, error) {
	if d.lookup == nil {
		return d.addrs, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	if len(d.addrs) > 0 && now.Before(d.expires) {
		return d.addrs, nil
	}
	found, err := d.lookup(ctx, d.host)
	if err == nil && len(found) == 0 {
		err = &net.DNSError{Err: "no addresses", Name: d.host, IsNotFound: true}
	}
	if err != nil {
		if len(d.addrs) > 0 {
			d.expires = now.Add(time.Second)
			return d.addrs, nil
		}
		return nil, err
	}
	d.addrs, d.expires = found, now.Add(max(d.refresh, 0))
	return found, nil
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
