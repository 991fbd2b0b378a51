package spec

import (
	"cmp"
	"slices"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
)

// Sampling says which runs try a case. All cases are always declared, so names do not depend on
// depth or seed. With the zero Sampling, standard and thorough runs try the case; a quick run
// tries the first case of each rule that it verifies.
type Sampling struct {
	minDepth      string // lowest depth that tries it; empty: standard
	index, period int    // seed % period == index tries it; period 0: every seed
}

// One seed in samplingPeriod tries a case of a class. Every seed tries all cases of a class that
// has at most alwaysTriedCount.
const samplingPeriod, alwaysTriedCount = 3, 4

// SampledBySeed returns the Sampling of case n out of several: one seed in samplingPeriod tries
// it.
func SampledBySeed(n, of int) Sampling {
	if of <= alwaysTriedCount {
		return Sampling{}
	}
	return Sampling{index: n, period: samplingPeriod}
}

// EveryOtherSeed returns the Sampling of a case that half of the seeds try: those with the parity
// of n.
func EveryOtherSeed(n int) Sampling { return Sampling{index: n, period: 2} }

// ThoroughOnly returns the Sampling of a case that only thorough runs try.
func ThoroughOnly() Sampling { return Sampling{minDepth: deployment.DepthThorough} }

// AtEveryDepth returns the Sampling of a case that quick runs try too, because it often shows
// violations or needs no additional requests.
func AtEveryDepth() Sampling { return Sampling{minDepth: deployment.DepthQuick} }

// Includes reports whether a run of this depth and seed tries the case.
func (t Sampling) Includes(depth string, seed int64) bool {
	all := deployment.Depths()
	if slices.Index(all, depth) < slices.Index(all, cmp.Or(t.minDepth, deployment.DepthStandard)) {
		return false
	}
	return t.period == 0 || depth == deployment.DepthThorough ||
		t.index%t.period == int(uint64(seed)%uint64(t.period))
}

// SampleCases keeps the cases that a run of this depth and seed tries.
func (p *Plan) SampleCases(depth string, seed int64) {
	p.depth = depth
	in := map[*Case]bool{}
	for _, r := range p.rules {
		for _, k := range r.SampledCases(depth, seed) {
			in[k] = true
		}
	}
	p.KeepCases(func(k *Case) bool { return in[k] })
}

// SampledCases returns the cases of the rule that a run of this depth and seed tries. A quick run
// tries must rules and security rules only, with at least one case each.
func (r *Rule) SampledCases(depth string, seed int64) (cases []*Case) {
	if depth == deployment.DepthQuick && r.Level != rules.Must && !r.Security {
		return nil
	}
	for _, k := range r.Cases {
		if k.sampling.Includes(depth, seed) {
			cases = append(cases, k)
		}
	}
	if depth == deployment.DepthQuick && len(cases) == 0 && len(r.Cases) > 0 {
		cases = r.Cases[:1]
	}
	return cases
}

// neededObservations returns the observations of the rule without those that only excluded cases
// need. A case needs the observations that were declared or named between the case before it and
// itself. A quick run observes name evidence only when a case fails.
func (r *Rule) neededObservations(depth string) []*observationNode {
	return slices.DeleteFunc(slices.Clone(r.observations), func(n *observationNode) bool {
		needed, excluded := false, false
		for _, k := range r.Cases {
			if depth == deployment.DepthQuick && slices.Contains(k.nameEvidence, n) {
				return true
			}
			if slices.Contains(k.observations, n) {
				needed, excluded = needed || !k.excluded, excluded || k.excluded
			}
		}
		return excluded && !needed
	})
}

// Excluded reports whether the case is left out of the run.
func (k *Case) Excluded() bool { return k.excluded }
