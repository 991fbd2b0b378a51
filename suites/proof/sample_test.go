//go:build !race

package proof_test

import (
	"flag"
	"testing"
	"time"

	"github.com/gateassay/gateassay/suites/proof"
)

var sampled = flag.Int("sample", int(time.Now().Unix()/(24*60*60)),
	"with -short: the number of the sample; another one each day")

// A short run takes one in this many subjects of each kind.
const (
	shortFaults   = 40
	shortPairs    = 120
	shortVariants = 5
	shortSeeds    = 12
	// one in this many sampled faults meets all rules, not only those of its topic
	wholeFaults = 8
)

// sample returns the subjects of a short run, different ones each day.
func sample(t *testing.T, subjects []proof.GatewayCase) (list []proof.GatewayCase) {
	t.Helper()
	t.Logf("sample %d; go test -short ./suites/proof -sample %d repeats it, and make proof takes all",
		*sampled, *sampled)
	seen := map[int]int{} // number of subjects by sampling rate
	for _, s := range subjects {
		one := shortSeeds
		switch {
		case s.Fault.Partner != "":
			one = shortPairs
		case s.Fault.Name != "":
			one = shortFaults
		case s.Variant != "":
			one = shortVariants
		}
		seen[one]++
		if (seen[one]+*sampled)%one != 0 {
			continue
		}
		s.OwnTopic = s.Fault.Name != "" && len(list)%wholeFaults != 0
		list = append(list, s)
	}
	return list
}
