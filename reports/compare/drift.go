package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/record"
)

// Drift is an observation that differs.
type Drift struct {
	ID        string `json:"id"`
	Statement string `json:"statement,omitempty"` // what is observed
	Before    string `json:"before,omitempty"`    // empty: the first run did not observe it
	After     string `json:"after,omitempty"`
	Reason    string `json:"reason,omitempty"` // why one of the runs did not observe it
	Changes   []Part `json:"changes"`          // what differs, by value; empty where one run did not observe it
}

// Part is one value of an observation that differs.
type Part struct {
	What   string `json:"what,omitempty"`   // such as "missing field"; empty: the observation has no other value
	Before string `json:"before,omitempty"` // empty: it was not there
	After  string `json:"after,omitempty"`
}

// Drifts lists what two lists of observations of one deployment differ in, by ID. What varies between any two runs, such
// as durations, is no drift.
func Drifts(a, b []record.Observation) []Drift {
	before, after := observed(a), observed(b)
	all := maps.Clone(before)
	maps.Copy(all, after)
	found := []Drift{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		was, is := before[id], after[id]
		d := Drift{ID: id, Before: was.Observed, After: is.Observed, Changes: []Part{}}
		if was.Observed != "" && is.Observed != "" {
			if d.Changes = changes(was, is); len(d.Changes) == 0 {
				continue
			}
		} else if was.Observed == is.Observed {
			continue
		}
		found = append(found, d)
	}
	return found
}

// observed are the observations by ID; several of one ID are one.
func observed(list []record.Observation) map[string]record.Observation {
	all := map[string]record.Observation{}
	for _, o := range list {
		one := all[o.ID]
		if one.Observed != "" {
			one.Observed += "; "
		}
		one.Observed += o.Observed
		one.Values = slices.Concat(one.Values, o.Values)
		all[o.ID] = one
	}
	return all
}

// changes says in which values two observations differ. Of one without values, as earlier versions recorded them, the
// text is the value.
func changes(was, is record.Observation) []Part {
	if len(was.Values) == 0 || len(is.Values) == 0 {
		if was.Observed == is.Observed {
			return []Part{}
		}
		return []Part{{Before: was.Observed, After: is.Observed}}
	}
	before, names := byName(was.Values, nil)
	after, names := byName(is.Values, names)
	found := []Part{}
	for _, name := range names {
		a, b := before[name], after[name]
		if slices.Equal(a, b) {
			continue
		}
		gone, fresh := lacking(a, b), lacking(b, a)
		if len(gone)+len(fresh) == 0 { // the same in another order
			gone, fresh = a, b
		}
		found = append(found, Part{What: name, Before: strings.Join(gone, ", "), After: strings.Join(fresh, ", ")})
	}
	return found
}

// byName are values by what they are of, and these names in order, behind those that are known.
func byName(list []record.Value, names []string) (map[string][]string, []string) {
	all := map[string][]string{}
	for _, v := range list {
		if v.Varies {
			continue
		}
		for _, value := range v.Values {
			all[v.Name] = append(all[v.Name], strings.TrimSpace(value+" "+v.Unit))
		}
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	return all, names
}

// lacking are the members of a list that another lacks.
func lacking(list, other []string) (found []string) {
	for _, s := range list {
		if !slices.Contains(other, s) {
			found = append(found, s)
		}
	}
	return found
}

// String is the part in one line of words.
func (p Part) String() string {
	what := p.What
	if what != "" {
		what += ": "
	}
	switch {
	case p.Before == "":
		return what + "new, " + p.After
	case p.After == "":
		return what + "gone, was " + p.Before
	}
	return what + p.Before + " → " + p.After
}

// lines are what to show of a drift: its parts, or what only one run observed.
func (d Drift) lines() []Part {
	if len(d.Changes) == 0 {
		return []Part{{Before: d.Before, After: d.After}}
	}
	return d.Changes
}
