package deployment

import (
	"errors"
	"net"
	"strings"
)

// Route says where connections go when that is not where the address of a request says. Host, SNI
// and certificates stay those of the address.
type Route struct {
	ConnectTo map[string]string // HOST:PORT of an address -> HOST:PORT to connect to
	Resolver  string            // address of the DNS server that is asked; empty: the system's way
}

// AddConnectTo adds a way written as HOST:PORT=HOST:PORT.
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
