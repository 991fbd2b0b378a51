package acceptance

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/spec"
)

// While the last requests of a run are under way, its journal holds the checks that await none of these.
func TestChecksAreKeptWhileTheLastRequestsAreUnderWay(t *testing.T) {
	out := filepath.Join(t.TempDir(), "run")
	const most = 650 // of some 850; most of the others look at all that was sent
	own := func(g *suites.Gateway) {
		g.Rule("own.kept", rules.Must, rules.Limits, "Most checks are kept by then.", func() {
			kept := spec.Observe(g.Plan, "checks kept before the end", func(ctx context.Context) (n int, err error) {
				for until := time.Now().Add(20 * time.Second); n < most && time.Now().Before(until); {
					time.Sleep(20 * time.Millisecond)
					data, err := os.ReadFile(filepath.Join(out, runfolder.JournalName))
					if err != nil {
						return 0, err
					}
					n = bytes.Count(data, []byte(`{"type":"check"`))
				}
				return n, nil
			}, spec.AtEnd)
			g.It("holds them", func(ctx spec.Context) {
				ctx.Expect(kept.Await(ctx)).To(gomega.BeNumerically(">=", most))
			})
		})
	}
	gateway := start(t, reference.Options{Seed: 4})
	verified(t, run(t, suites.Options{Deployment: gateway.Deployment, Own: own, Out: out}).Run)
}
