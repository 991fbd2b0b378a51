// Package suites tests a deployment against the catalogue of rules. One path serves every face: the gateassay command,
// go test and ginkgo on this folder, and other modules that call Run or Test from a release gate of their own.
package suites

import (
	"fmt"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/auth"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/create"
	"github.com/gateassay/gateassay/suites/export"
	"github.com/gateassay/gateassay/suites/replay"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Names lists the suites, in the order in which they run.
func Names() []string { return []string{"replay", "create", "export", "auth"} }

// Build makes the plan of all suites for a target. Replay protection comes first: its late check repeats the first
// request of the run as the last.
func Build(t *target.Target) *spec.Plan {
	p := spec.New()
	p.Require(t.Unmet)
	controls := control.New(p, t)
	replay.Add(p, t, controls)
	create.Add(p, t, controls)
	export.Add(p, t, controls)
	auth.Add(p, t, controls)
	return p
}

// UsageError is a request that cannot be carried out as it was put.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

func usage(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// newClient applies the options to the deployment's limits.
func newClient(dep *deployment.File, o Options, onExchange func(*client.Exchange)) (*client.Client, error) {
	return client.New(dep, client.Options{
		InFlight:          o.InFlight,
		RequestsPerSecond: o.Rate,
		Timeout:           o.Timeout,
		OnExchange:        onExchange,
		UserAgent:         "gateassay/" + o.Version,
	})
}
