package record

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
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

// byDictionary names rules by the fewest faults of the dictionary that explain them: all rules that a fault breaks failed
// as they do for it, or could not be judged.
func (n naming) byDictionary() {
	judged := map[string]Rule{}
	for _, r := range n.all {
		if r.Verdict == Fail || r.Verdict == Pass || r.Verdict == Waived {
			judged[r.ID] = r
		}
	}
	for len(n.failed) > 1 {
		var best Fault
		var most, unsure int
		for _, f := range Dictionary() {
			explained, open, fits := f.fits(judged, n.named)
			if fits && (explained > most || explained == most && open < unsure) {
				best, most, unsure = f, explained, open
			}
		}
		if most < 2 {
			return
		}
		broken := slices.DeleteFunc(n.rest(), func(r Rule) bool { return best.Ends[r.ID] == nil })
		headline := Headline(broken[max(0, slices.IndexFunc(broken, func(r Rule) bool { return r.ID == best.Lead }))])
		if best.Does != "" {
			headline = theDeployment + best.Does + OnlyWith(condition(broken))
		}
		n.name(broken, headline)
	}
}

// fits reports whether what was judged may be the fault: how many rules it explains that have no name yet, and how many
// of those that it breaks were not judged. More of them have to have failed than that.
func (f Fault) fits(judged map[string]Rule, named map[string]string) (explained, open int, fits bool) {
	for id, ends := range f.Ends {
		r, known := judged[id]
		switch {
		case !known:
			open++
		case r.Verdict == Pass, len(ends) > 0 && slices.ContainsFunc(Ends(r), func(b Became) bool { return !slices.Contains(ends, b) }):
			return 0, 0, false
		case r.Verdict == Fail && named[id] == "":
			explained++
		}
	}
	return explained, open, 2*open <= len(f.Ends)
}

// byAnswer names rules by the one wrong answer that many requests got which had to be refused. A wrong refusal or a
// redirect is one habit; a request that is accepted, or breaks the deployment, may have a cause of its own, unless nearly
// all do.
func (n naming) byAnswer() {
	const few, several = 3, 5
	type answer struct {
		operation string
		outcome   Became
		status    int
		condition string
	}
	kind := func(r Rule) string { return strings.Join(strings.SplitN(r.ID+"..", ".", 3)[:2], ".") } // create.dates
	of := map[answer][]Rule{}
	for _, r := range n.rest() {
		operation, _, _ := strings.Cut(r.ID, ".")
		key := func(c Check) answer { return answer{operation, c.Outcome, c.Status, OnlyWith(c.Condition)} }
		first, some := Decisive(r)
		if some && !slices.ContainsFunc(failures(r), func(c Check) bool { return key(c) != key(first) || c.Due != Refused }) {
			of[key(first)] = append(of[key(first)], r)
		}
	}
	for key, group := range of {
		others := 0 // of the same kinds, that passed
		for _, r := range n.all {
			if r.Verdict == Pass && slices.ContainsFunc(group, func(g Rule) bool { return kind(g) == kind(r) }) {
				others++
			}
		}
		habit := key.outcome == Refused || key.outcome == Redirected || key.outcome == Throttled
		if len(group) < few || !habit && (len(group) < several || len(group) < 3*others) {
			continue
		}
		c, _ := Decisive(group[0])
		what := Finding{Outcome: c.Outcome, Status: c.Status, Got: c.Got, Want: "a 4xx", Condition: condition(group)}
		what.Subject = map[string]string{"create": "invalid creations", "export": "invalid exports"}[key.operation]
		if key.operation == "auth" {
			what.Subject, what.Want = "requests without valid authentication", "401"
		}
		n.name(group, what.Sentence())
	}
}
