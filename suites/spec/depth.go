package spec

import (
	"cmp"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

// Turn says which runs try a case. Whatever they try, all cases are declared: what a run leaves out
// has the same name in every other. The zero Turn is that of most cases: standard and thorough runs
// try them, and a quick run tries the first case of each rule that it verifies.
type Turn struct {
	least      string // depth of the runs that try it; empty: standard
	nth, every int    // one standard run in so many tries it, by the seed; every 0: all do
}

// Cases that take turns are all tried over so many seeds, where they are more than few.
const seeds, few = 3, 4

// InTurn is that of the nth of some cases of a class.
func InTurn(n, of int) Turn {
	if of <= few {
		return Turn{}
	}
	return Turn{nth: n, every: seeds}
}

// Alternately is that of a case which every other seed tries.
func Alternately(n int) Turn { return Turn{nth: n, every: 2} }

// Thoroughly is that of a case which only thorough runs try.
func Thoroughly() Turn { return Turn{least: record.Thorough} }

// Quickly is that of a case which quick runs try as well: it shows violations most often, or rests
// on what others send.
func Quickly() Turn { return Turn{least: record.Quick} }

// Comes reports whether a run tries a case of this turn.
func (t Turn) Comes(depth string, seed int64) bool {
	all := record.Depths()
	if slices.Index(all, depth) < slices.Index(all, cmp.Or(t.least, record.Standard)) {
		return false
	}
	return t.every == 0 || depth == record.Thorough || t.nth%t.every == int(uint64(seed)%uint64(t.every))
}

// Try leaves the cases out of the run that are not tried at its depth, by its seed.
func (p *Plan) Try(depth string, seed int64) {
	p.depth = depth
	in := map[*Case]bool{}
	for _, r := range p.rules {
		for _, k := range r.Tried(depth, seed) {
			in[k] = true
		}
	}
	p.Follow(func(k *Case) bool { return in[k] })
}

// Tried are the cases of the rule that a run of a depth tries, by its seed.
func (r *Rule) Tried(depth string, seed int64) (cases []*Case) {
	if depth == record.Quick && r.Level != rules.Must && !r.Security {
		return nil
	}
	for _, k := range r.Cases {
		if k.turn.Comes(depth, seed) {
			cases = append(cases, k)
		}
	}
	if depth == record.Quick && len(cases) == 0 && len(r.Cases) > 0 {
		cases = r.Cases[:1]
	}
	return cases
}

// claims are observations that a rule began to use ahead of a case: those that were declared for
// it, and those that Uses names.
type claims struct{ declared, named []*node }

// needed are the observations of a rule without those of cases that are out of the run: of the
// cases that name one, or else of the one that it was declared for. A quick run looks for what
// shows a name when a case fails.
func (r *Rule) needed(depth string) []*node {
	return slices.DeleteFunc(slices.Clone(r.uses), func(n *node) bool {
		var out, in, declared bool
		if depth == record.Quick && slices.Contains(r.shown(), n) {
			return true
		}
		for _, k := range r.Cases {
			switch {
			case slices.Contains(k.claims.named, n):
				out, in = out || k.left, in || !k.left
			case slices.Contains(k.claims.declared, n):
				declared = k.left
			}
		}
		return !in && (out || declared)
	})
}

// shown is what shows the names that the rule and its cases rest on.
func (r *Rule) shown() []*node {
	all := slices.Clone(r.evidence)
	for _, k := range r.Cases {
		all = append(all, k.names...)
	}
	return all
}

// Left reports whether the case is out of the run.
func (k *Case) Left() bool { return k.left }
