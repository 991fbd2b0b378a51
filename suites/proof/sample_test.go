//go:build !race

package proof_test

import (
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/gateassay/gateassay/suites/proof"
)

var sampled = flag.Int("sample", int(time.Now().Unix()/(24*60*60)),
	"with -short: the number of the sample; another one each day")

// One in so many is held against every rule in a short run, or is part of it at all.
const (
	wholeFaults   = 8
	shortPairs    = 13
	shortVariants = 3
	shortSeeds    = 5
)

// sample chooses what a short run takes, others each day: of the faults of each rule one, and some of the pairs, the
// variants and the seeds. Most of the faults meet only the rules of their own topic, and some meet all. Within
// wholeFaults days each rule has had a fault that met them all.
func sample(t *testing.T, subjects []proof.Subject) []proof.Subject {
	t.Helper()
	t.Logf("sample %d; go test -short ./suites/proof -sample %d repeats it, and make proof takes all", *sampled,
		*sampled)
	ofRule, pairsOf := map[string][]string{}, map[string][]string{}
	for _, s := range subjects {
		switch {
		case s.Fault.Name == "":
		case s.Fault.Partner == "":
			ofRule[s.Fault.Rule] = append(ofRule[s.Fault.Rule], s.Fault.Name)
		default:
			pairsOf[s.Fault.Rule] = append(pairsOf[s.Fault.Rule], s.Fault.Name)
		}
	}
	turn := func(i, of int) bool { return (i+*sampled)%of == 0 }
	faults, pairs, variants, healthy := 0, 0, 0, 0
	var list []proof.Subject
	for _, s := range subjects {
		switch {
		case s.Fault.Partner != "":
			pairs++
			if all := pairsOf[s.Fault.Rule]; len(ofRule[s.Fault.Rule]) == 0 {
				if !turn(slices.Index(all, s.Fault.Name), len(all)) {
					continue
				}
			} else if !turn(pairs, shortPairs) {
				continue
			}
			s.OwnTopic = true
		case s.Fault.Name != "":
			all := ofRule[s.Fault.Rule]
			if !turn(slices.Index(all, s.Fault.Name), len(all)) {
				continue
			}
			s.OwnTopic = !turn(faults, wholeFaults)
			faults++
		case s.Variant != "":
			variants++
			if !turn(variants, shortVariants) {
				continue
			}
		default:
			healthy++
			if !turn(healthy, shortSeeds) {
				continue
			}
		}
		list = append(list, s)
	}
	return list
}
