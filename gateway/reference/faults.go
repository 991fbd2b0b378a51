package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/meant"
)

// Fault is one way to break the gateway.
type Fault struct {
	Name      string // what to switch on
	Rule      string // ID of the catalogue's rule that it breaks; it may break others as well
	Statement string // what the gateway then does

	Sweeps []string // patterns of every rule that it breaks, where it breaks many at once; its own is among them
}

// definition is a fault and, where the switch is not consulted by name, what it changes.
type definition struct {
	Fault
	forgives []string         // "operation:key" of defects that are overlooked; a trailing * stands for any rest
	crashes  []string         // "operation:key" of defects that are answered by 500
	hides    []string         // "operation:key" of defects that are answered by 200 with an error inside
	record   func(rec object) // changes the legal representative that is answered
	file     func(ans object) // changes the answer of an accepted export
	rejects  []string         // "operation:feature" of sound requests that are refused
}

func definitions() []definition {
	return slices.Concat(createFieldFaults(), createRecordFaults(), createHeaderFaults(), createRepeatFaults(),
		documentFaults(), exportRequestFaults(), exportAnswerFaults(), exportRangeFaults(), exportDateFaults(), exportRowFaults(),
		replayFaults(), authFaults(), sweepingFaults())
}

// Faults lists every fault, by topic.
func Faults() []Fault {
	var all []Fault
	for _, d := range definitions() {
		all = append(all, d.Fault)
	}
	return all
}

// patterns are keys, or beginnings of keys that end with *.
type patterns []string

func (p patterns) holds(key string) bool {
	for _, pattern := range p {
		if start, open := strings.CutSuffix(pattern, "*"); pattern == key || open && strings.HasPrefix(key, start) {
			return true
		}
	}
	return false
}

// broken is what the faults that are switched on change.
type broken struct {
	names                             map[string]bool
	forgives, crashes, hides, rejects patterns
	record, file                      []func(object)
}

func breakWith(names []string) (broken, error) {
	b := broken{names: map[string]bool{}}
	known := map[string]definition{}
	if len(names) > 0 {
		for _, d := range definitions() {
			known[d.Name] = d
		}
	}
	for _, name := range names {
		d, ok := known[name]
		if !ok {
			return b, fmt.Errorf("unknown fault %q%s; --list-faults shows all %d", name, nearest(name, known), len(known))
		}
		if b.names[name] {
			continue
		}
		b.names[name] = true
		b.forgives = append(b.forgives, d.forgives...)
		b.crashes = append(b.crashes, d.crashes...)
		b.hides = append(b.hides, d.hides...)
		b.rejects = append(b.rejects, d.rejects...)
		if d.record != nil {
			b.record = append(b.record, d.record)
		}
		if d.file != nil {
			b.file = append(b.file, d.file)
		}
	}
	return b, nil
}

// nearest suggests names that are close to the one given.
func nearest(name string, known map[string]definition) string {
	near := meant.Near(name, slices.Sorted(maps.Keys(known)))
	if len(near) == 0 {
		return ""
	}
	return ", did you mean " + strings.Join(near, ", ") + "?"
}
