package deployment

import (
	"errors"
	"net"
	"strings"
)

// Route redirects connections. Host, SNI and certificates stay those of the request's URL.
type Route struct {
	ConnectTo map[string]string // HOST:PORT of a URL -> HOST:PORT to connect to
	Resolver  string            // address of the DNS server; empty: the system's resolver
}

// AddConnectTo adds a redirection written as HOST:PORT=HOST:PORT.
func (r *Route) AddConnectTo(text string) error {
	from, to, _ := strings.Cut(text, "=")
	for _, end := range []string{from, to} {
		if host, port, err := net.SplitHostPort(end); err != nil || host == "" || port == "" {
			return errors.New("expected HOST:PORT=HOST:PORT, such as gateway.example:443=10.0.0.7:8443")
		}
	}
	if r.ConnectTo == nil {
		r.ConnectTo = map[string]string{}
	}
	r.ConnectTo[strings.ToLower(from)] = to
	return nil
}

// SetResolver sets the DNS server, written as HOST or HOST:PORT.
func (r *Route) SetResolver(server string) error {
	host, port, err := net.SplitHostPort(server)
	if err != nil {
		host, port = strings.Trim(server, "[]"), "53"
	}
	if host == "" || port == "" || strings.ContainsAny(host, " /") {
		return errors.New("expected the address of a DNS server, such as 10.0.0.53 or 10.0.0.53:5353")
	}
	r.Resolver = net.JoinHostPort(host, port)
	return nil
}
