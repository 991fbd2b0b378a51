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

// A short run takes one in so many of each kind of subjects.
const (
	shortFaults   = 30
	shortPairs    = 120
	shortVariants = 5
	shortSeeds    = 12
	// of the faults taken, one in so many meets every rule and not only those of its topic
	wholeFaults = 8
)

// sample chooses what a short run takes, others each day.
func sample(t *testing.T, subjects []proof.GatewayCase) (list []proof.GatewayCase) {
	t.Helper()
	t.Logf("sample %d; go test -short ./suites/proof -sample %d repeats it, and make proof takes all",
		*sampled, *sampled)
	seen := map[int]int{} // subjects by one in how many are taken
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
