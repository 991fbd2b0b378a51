package compare

import (
	"maps"
	"regexp"
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
	Changes   []Part `json:"changes"`          // what differs, by part; empty where one run did not observe it
}

// Part is one part of an observation that differs: a status, a field, a member of a list.
type Part struct {
	What   string `json:"what,omitempty"`   // such as "field error.code" or "export"; empty: the text as a whole
	Before string `json:"before,omitempty"` // empty: it was not there
	After  string `json:"after,omitempty"`
}

// volatile matches what differs between any two runs: identifiers, moments and durations.
var volatile = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}` +
	`|\b[0-9a-f]{16,}\b|\d{4}-\d\d-\d\d(T[0-9:.]+(Z|[+-]\d\d:\d\d)?)?|\b1\d{9}(\d{3})?\b` +
	`|\b(less than |more than )?\d+(\.\d+)? ?(ns|µs|ms|s|m)\b( to \d+(\.\d+)? ?(s|m)\b)?`)

func lasting(s string) string { return volatile.ReplaceAllString(s, "…") }

// Drifts lists what two lists of observations of one deployment differ in, by ID. Identifiers, moments, durations and
// the order in which things were seen differ between any two runs and are not drift.
func Drifts(a, b []record.Observation) []Drift {
	before, after := texts(a), texts(b)
	all := maps.Clone(before)
	maps.Copy(all, after)
	found := []Drift{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		d := Drift{ID: id, Before: before[id], After: after[id], Changes: []Part{}}
		if d.Before == d.After {
			continue
		}
		if d.Before != "" && d.After != "" {
			if d.Changes = changes(id, d.Before, d.After); len(d.Changes) == 0 {
				continue
			}
		}
		found = append(found, d)
	}
	return found
}

// texts are the observations by ID; several of one ID are one text.
func texts(list []record.Observation) map[string]string {
	joined := map[string]string{}
	for _, o := range list {
		if joined[o.ID] != "" {
			joined[o.ID] += "; "
		}
		joined[o.ID] += o.Observed
	}
	return joined
}

// longestText is how much of an observation is taken apart, in bytes.
const longestText = 16 << 10

// changes says in which parts two texts of an observation differ.
func changes(id, before, after string) []Part {
	if len(before) > longestText || len(after) > longestText {
		if lasting(before) == lasting(after) {
			return nil
		}
		return []Part{{Before: before, After: after}}
	}
	var found []Part
	if strings.HasSuffix(id, ".transitions") {
		before, after, found = states(before, after)
	}
	a, b := takeApart(id, before), takeApart(id, after)
	fields := fieldChanges(a.fields, b.fields)
	if len(fields) == 0 {
		if gone, fresh := lacking(a.shapes, b.shapes), lacking(b.shapes, a.shapes); len(gone)+len(fresh) > 0 {
			fields = []Part{{What: "shapes", Before: strings.Join(gone, "; "), After: strings.Join(fresh, "; ")}}
		}
	}
	found = append(append(found, fields...), pair(a.pieces, b.pieces)...)
	if len(found) == 0 && strings.HasSuffix(id, ".columns") && lasting(before) != lasting(after) {
		found = append(found, Part{What: "order", Before: before, After: after})
	}
	return found
}

// fleeting is how the suites call a time in which a state may be passed unseen.
const fleeting = "less than 1s"

// states compares the states that a file went through and gives the rest of both texts. How long each lasted is not
// drift, nor is a state that was passed so fast that the other run need not have seen it.
func states(before, after string) (restBefore, restAfter string, found []Part) {
	first, restBefore := stateList(before)
	second, restAfter := stateList(after)
	a, b := shown(first, second), shown(second, first)
	if !slices.Equal(a, b) {
		found = []Part{{What: "states", Before: strings.Join(a, ", then "), After: strings.Join(b, ", then ")}}
	}
	return restBefore, restAfter, found
}

type state struct{ name, lasted string }

func stateList(text string) (list []state, rest string) {
	first, rest, _ := strings.Cut(text, "; ")
	for step := range strings.SplitSeq(first, ", then ") {
		name, lasted, _ := strings.Cut(step, " for ")
		list = append(list, state{name, lasted})
	}
	return list, rest
}

func shown(list, other []state) []string {
	var names []string
	for _, s := range list {
		if s.lasted != fleeting || slices.ContainsFunc(other, func(o state) bool { return o.name == s.name }) {
			names = append(names, s.name)
		}
	}
	return names
}

// String is the part in one line of words.
func (p Part) String() string {
	what := p.What
	if what != "" {
		what += ": "
	}
	switch {
	case p.Before == "" && p.What == "":
		return "new: " + p.After
	case p.After == "" && p.What == "":
		return "gone: " + p.Before
	case p.Before == "" && p.After == there:
		return what + "new"
	case p.After == "" && p.Before == there:
		return what + "gone"
	case p.Before == "":
		return what + "new, " + p.After
	case p.After == "":
		return what + "gone, was " + p.Before
	}
	return what + p.Before + " → " + p.After
}

// lines are what to show of a drift: its parts, those that changed alike as one, or what only one run observed.
func (d Drift) lines() []Part {
	if len(d.Changes) == 0 {
		return []Part{{Before: d.Before, After: d.After}}
	}
	var list []Part
	at := map[Part]int{}
	gone, fresh := map[string]int{}, map[string]int{}
	for _, p := range d.Changes {
		alike := Part{Before: p.Before, After: p.After}
		i, known := at[alike]
		switch {
		case p.After == "" && !strings.HasPrefix(p.What, aField): // members of a list that are gone
			if i, known = gone[p.What]; known {
				list[i].Before += ", " + p.Before
				continue
			}
			gone[p.What] = len(list)
		case p.Before == "" && !strings.HasPrefix(p.What, aField):
			if i, known = fresh[p.What]; known {
				list[i].After += ", " + p.After
				continue
			}
			if i, known = gone[p.What]; known { // what took their place
				list[i].After, fresh[p.What] = p.After, i
				continue
			}
			fresh[p.What] = len(list)
		case known && p.What != "":
			list[i].What += ", " + p.What
			continue
		default:
			at[alike] = len(list)
		}
		list = append(list, p)
	}
	return list
}
