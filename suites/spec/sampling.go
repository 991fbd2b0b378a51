package spec

import (
	"cmp"
	"slices"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
)

// Sampling says which runs try a case. Whatever they try, all cases are declared: what a run leaves
// out has the same name in every other. The zero Sampling is that of most cases: standard and
// thorough runs try them, and a quick run tries the first case of each rule that it verifies.
type Sampling struct {
	minDepth      string // depth of the runs that try it; empty: standard
	index, period int    // one standard run in so many tries it, by the seed; every 0: all do
}

// Cases that take turns are all tried over so many seeds, where they are more than few.
const samplingPeriod, alwaysTriedCount = 3, 4

// SampledBySeed is that of the nth of some cases of a class.
func SampledBySeed(n, of int) Sampling {
	if of <= alwaysTriedCount {
		return Sampling{}
	}
	return Sampling{index: n, period: samplingPeriod}
}

// EveryOtherSeed is that of a case which every other seed tries.
func EveryOtherSeed(n int) Sampling { return Sampling{index: n, period: 2} }

// ThoroughOnly is that of a case which only thorough runs try.
func ThoroughOnly() Sampling { return Sampling{minDepth: deployment.DepthThorough} }

// AtEveryDepth is that of a case which quick runs try as well: it shows violations most often, or
// rests on what others send.
func AtEveryDepth() Sampling { return Sampling{minDepth: deployment.DepthQuick} }

// Includes reports whether a run tries a case of this turn.
func (t Sampling) Includes(depth string, seed int64) bool {
	all := deployment.Depths()
	if slices.Index(all, depth) < slices.Index(all, cmp.Or(t.minDepth, deployment.DepthStandard)) {
		return false
	}
	return t.period == 0 || depth == deployment.DepthThorough ||
		t.index%t.period == int(uint64(seed)%uint64(t.period))
}

// SampleCases leaves the cases out of the run that are not tried at its depth, by its seed.
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

// SampledCases are the cases of the rule that a run of a depth tries, by its seed.
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

// caseObservations are observations that a rule began to use ahead of a case: those that were
// declared for it, and those that UseObservations names.
type caseObservations struct{ declared, named []*observationNode }

// neededObservations are the observations of a rule without those of cases that are out of the run:
// of the cases that name one, or else of the one that it was declared for. A quick run looks for
// what shows a name when a case fails.
func (r *Rule) neededObservations(depth string) []*observationNode {
	return slices.DeleteFunc(slices.Clone(r.observations), func(n *observationNode) bool {
		var out, in, declared bool
		if depth == deployment.DepthQuick && slices.Contains(r.nameEvidenceNodes(), n) {
			return true
		}
		for _, k := range r.Cases {
			switch {
			case slices.Contains(k.observations.named, n):
				out, in = out || k.excluded, in || !k.excluded
			case slices.Contains(k.observations.declared, n):
				declared = k.excluded
			}
		}
		return !in && (out || declared)
	})
}

// nameEvidenceNodes is what shows the names that the rule and its cases rest on.
func (r *Rule) nameEvidenceNodes() []*observationNode {
	all := slices.Clone(r.evidence)
	for _, k := range r.Cases {
		all = append(all, k.nameEvidence...)
	}
	return all
}

// Excluded reports whether the case is out of the run.
func (k *Case) Excluded() bool { return k.excluded }
