package client

import (
	"context"
	"net"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// connectAddress returns the address that a route uses instead of address, and whether there is
// one.
func connectAddress(r deployment.Route, address string) (to string, elsewhere bool) {
	to, elsewhere = r.ConnectTo[strings.ToLower(address)]
	return to, elsewhere
}

// newResolver returns the resolver of a route, or nil for the system's resolver.
func newResolver(r deployment.Route) *net.Resolver {
	if r.Resolver == "" {
		return nil
	}
	return &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, r.Resolver)
		},
	}
}
