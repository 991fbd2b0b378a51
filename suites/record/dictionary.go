package record

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"
)

// Fault is a row of the fault dictionary: the rules that one fault of a gateway breaks together, and how each fails.
type Fault struct {
	Name string              `json:"fault"`
	Does string              `json:"does,omitempty"` // in words; empty: several faults look so, and Lead says which
	Lead string              `json:"lead"`           // the rule that it is about
	Ends map[string][]Became `json:"ends"`           // by rule that it breaks: the outcomes of what failed of it; none: any
}

//go:embed dictionary.json
var dictionaryData []byte

// Dictionary lists the faults that break several rules, as the proof found them (make generate).
var Dictionary = sync.OnceValue(func() (all []Fault) {
	if err := json.Unmarshal(dictionaryData, &all); err != nil {
		panic("the fault dictionary is damaged: " + err.Error())
	}
	return all
})

// Ends are the outcomes of what failed of a rule, each once.
func Ends(r Rule) (ends []Became) {
	for _, c := range failures(r) {
		if !slices.Contains(ends, c.Outcome) {
			ends = append(ends, c.Outcome)
		}
	}
	slices.Sort(ends)
	return ends
}

// byFault names rules by the fewest faults of the dictionary that explain them: all rules that a fault breaks failed as they
// do for it, or could not be judged.
func (s sharing) byFault() {
	judged := map[string]Rule{}
	for _, r := range s.all {
		if r.Verdict == Fail || r.Verdict == Pass || r.Verdict == Waived {
			judged[r.ID] = r
		}
	}
	for {
		var best Fault
		most, unsure := 1, 0
		for _, f := range Dictionary() {
			explained, open := s.explained(f, judged)
			if explained > most || explained == most && open < unsure {
				best, most, unsure = f, explained, open
			}
		}
		if most < 2 {
			return
		}
		group := slices.DeleteFunc(slices.Clone(s.failed), func(r Rule) bool { return best.Ends[r.ID] == nil || s.named(r.ID) })
		if best.Does != "" {
			s.name(group, Finding{Cause: best.Does})
			continue
		}
		lead := max(0, slices.IndexFunc(group, func(r Rule) bool { return r.ID == best.Lead }))
		for _, r := range group {
			s.headlines[r.ID] = Headline(group[lead])
		}
	}
}

// explained counts the rules without a headline that a fault explains, and of those that it breaks the ones that were not
// judged: more of them have to have failed than that. None: what was judged speaks against the fault.
func (s sharing) explained(f Fault, judged map[string]Rule) (explained, open int) {
	for id, ends := range f.Ends {
		r, known := judged[id]
		switch {
		case !known:
			open++
		case r.Verdict == Pass, len(ends) > 0 && slices.ContainsFunc(Ends(r), func(b Became) bool { return !slices.Contains(ends, b) }):
			return 0, 0
		case r.Verdict == Fail && !s.named(id):
			explained++
		}
	}
	if 2*open > len(f.Ends) {
		return 0, 0
	}
	return explained, open
}
