package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
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
	conf := o.Via.TLSClientConfig.Clone()
	if conf == nil {
		conf = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if conf.ClientSessionCache == nil {
		conf.ClientSessionCache = tls.NewLRUClientSessionCache(0)
	}
	conf.ServerName = d.host
	d.conf = conf
	for _, s := range o.SourceIPs {
		ip := net.ParseIP(strings.TrimSpace(s))
		if ip == nil {
			return nil, fmt.Errorf("--source-address %q is not an IP address", s)
		}
		d.sources = append(d.sources, &net.TCPAddr{IP: ip})
	}
	if ip := net.ParseIP(d.host); ip != nil {
		d.addrs = []net.IPAddr{{IP: ip}}
		d.lookup = nil
	}
	return d, nil
}

// ahead is how long an address has before the next is tried beside it, as happy eyeballs do.
const ahead = 250 * time.Millisecond

// dial connects over TCP: to the next address in turn, and where that fails or takes long to the others as well. The
// first connection counts.
func (d *dialer) dial(ctx context.Context) (net.Conn, error) {
	addrs, err := d.resolve(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	turn := int(d.turn.Add(1) - 1)
	if len(addrs) == 1 {
		return d.connect(ctx, turn, addrs[0]) // nothing to race with
	}
	type attempt struct {
		conn net.Conn
		err  error
	}
	tried := make(chan attempt, len(addrs))
	var first error
	for next, open := 0, 0; ; {
		var wait <-chan time.Time
		if next < len(addrs) {
			addr := addrs[(turn+next)%len(addrs)]
			go func() {
				conn, err := d.connect(ctx, turn, addr)
				tried <- attempt{conn, err}
			}()
			next, open, wait = next+1, open+1, time.After(ahead)
		}
		select {
		case <-wait:
		case a := <-tried:
			open--
			if a.err == nil {
				go func() { // those that come too late
					for range open {
						if late := <-tried; late.conn != nil {
							late.conn.Close()
						}
					}
				}()
				return a.conn, nil
			}
			first = cmp.Or(first, a.err)
			if open == 0 && (next == len(addrs) || ctx.Err() != nil) {
				return nil, first
			}
		}
	}
}

// connect tries one address.
func (d *dialer) connect(ctx context.Context, turn int, addr net.IPAddr) (net.Conn, error) {
	nd := net.Dialer{KeepAlive: 30 * time.Second}
	if src := d.source(turn, addr.IP); src != nil {
		nd.LocalAddr = src
	} else if len(d.sources) > 0 {
		return nil, fmt.Errorf("no --source-address is of the same IP version as %s", addr.String())
	}
	return nd.DialContext(ctx, "tcp", net.JoinHostPort(addr.String(), d.port))
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
// those for another second: a hiccup of the resolver is not a fault of the target.
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
	return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
}
