package client

import (
	"context"
	"net"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// connectAddress is where a route connects for an address of host and port; false: there.
func connectAddress(r deployment.Route, address string) (to string, elsewhere bool) {
	to, elsewhere = r.ConnectTo[strings.ToLower(address)]
	return to, elsewhere
}

// newResolver is what looks up the names of hosts; nil: the system does.
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
