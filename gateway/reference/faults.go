package reference

import (
	_ "embed"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/internal/suggest"
)

// Fault is one way to break the gateway.
type Fault struct {
	Name      string // what to switch on
	Rule      string // ID of the catalogue's rule that it breaks; it may break others as well
	Statement string // what the gateway then does
	Partner   string // the condition that it takes, such as with_product; empty: none
	Sweeping  bool   // it breaks many rules of its operation
	Thorough  bool   // only a thorough run is sure to find it
}

// declaration is a fault with what it does. What an effect remembers belongs to the gateway that it was declared for.
type declaration struct {
	Fault
	effect
}

type faults []declaration

// faultsTSV has a line for each fault that is declared by name: name, rule and statement.
//
//go:embed faults.tsv
var faultsTSV string

var described = sync.OnceValue(func() map[string]Fault {
	all := map[string]Fault{}
	for line := range strings.Lines(faultsTSV) {
		if cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(cells) == 3 {
			all[cells[0]] = Fault{Name: cells[0], Rule: cells[1], Statement: cells[2]}
		}
	}
	return all
})

// fault declares a fault of faults.tsv.
func fault(name string, changes ...any) faults {
	one := described()[name]
	one.Name = name
	return faults{{one, combined(changes...)}}
}

// forEach declares the faults of each of some values.
func forEach[T any](values []T, declare func(T) faults) (all faults) {
	for _, value := range values {
		all = append(all, declare(value)...)
	}
	return all
}

// declarations are all faults by topic, the plain ones first.
func declarations() faults {
	plain := slices.Concat(
		fieldFaults(), classFaults(), createRequestFaults(), callerFaults(), createAnswerFaults(), recordTypeFaults(), echoFaults(),
		repeatFaults(), documentFaults(), exportRequestFaults(), exportAnswerFaults(), rangeFaults(), rowFaults(),
		fileFaults(), replayFaults(), comparedFaults(), authFaults(), keyFaults(), tokenFaults(), outlivingFaults(), looseFaults(), sweepingFaults(),
	)
	return append(plain, conditioned(plain)...)
}

// Faults lists every fault: those that any request meets, then those that take a condition.
func Faults() (list []Fault) {
	for _, d := range declarations() {
		list = append(list, d.Fault)
	}
	return list
}

// effectsOf declares readings and faults anew and returns what those of some names do.
func effectsOf(readingNames, faultNames []string) (effects []effect, err error) {
	known := readings()
	for _, name := range readingNames {
		if known[name] == nil {
			return nil, fmt.Errorf("choices: Readings names %q, which is not a reading", name)
		}
		effects = append(effects, known[name])
	}
	if len(faultNames) == 0 {
		return effects, nil
	}
	clear(known)
	for _, d := range declarations() {
		known[d.Name] = d.effect
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(faultNames))) {
		if known[name] == nil {
			return nil, unknown("fault", name, slices.Sorted(maps.Keys(known)))
		}
		effects = append(effects, known[name])
	}
	return effects, nil
}

// unknown says that a word is none of some that are known, and which are near.
func unknown(what, word string, known []string) error {
	text := fmt.Sprintf("unknown %s %q", what, word)
	if near := suggest.Near(word, known); len(near) > 0 {
		text += ", did you mean " + strings.Join(near, ", ") + "?"
	}
	return fmt.Errorf("%s; --list-%ss shows all %d", text, what, len(known))
}

// effect is what a fault or a reading does. It meets every value that the gateway passes to it while it works on a
// request, and changes those that it knows: onType lists their types, of which an object is a representative before it
// is kept.
type effect func(q *call, at any)

type (
	posted       object          // the fields of a body, before they are read
	sender       struct{ *user } // who sends a request; nil: nobody
	defects      []issue         // what is wrong with a request
	repeat       bool            // whether a request repeats an earlier one
	interruption bool            // whether others come in between looking and noting
	table        [][]string      // the rows of a file, its titles first
	content      []byte          // the text of a file
	access       bool            // whether a file may be fetched
	// comparison is what replay protection compares in a mode. No request is there then.
	comparison struct {
		mode spelling
		parts
	}
	// selected are the quotes that were chosen for a file, in order.
	selected struct {
		*choice
		quotes []*quote
	}
)

// combined makes one effect of changes: effects, and functions of a value that is passed, or of the request and the value.
func combined(changes ...any) effect {
	var all []effect
	for _, change := range changes {
		e, whole := change.(effect)
		if !whole {
			e = onType(reflect.ValueOf(change))
		}
		all = append(all, e)
	}
	return func(q *call, at any) {
		for _, e := range all {
			e(q, at)
		}
	}
}

// onType calls a function for values of the type that it takes last, which has to be one that is passed.
func onType(change reflect.Value) effect {
	before := change.Type().NumIn() - 1
	takes := change.Type().In(before)
	switch reflect.Zero(takes).Interface().(type) {
	case object, posted, *reply, *choice, *selected, *creation, *sighting, *comparison, *state, *sender, *defects, *repeat,
		*interruption, *table, *content, *access:
	default:
		panic("no effect meets a value of the type " + takes.String())
	}
	return func(q *call, at any) {
		if value := reflect.ValueOf(at); value.Type() == takes {
			change.Call(append([]reflect.Value{reflect.ValueOf(q)}[:before], value))
		}
	}
}

// when limits changes to some requests. The condition is asked for every value that is passed: it changes nothing.
func when(holds func(q *call) bool, changes ...any) effect {
	e := combined(changes...)
	return func(q *call, at any) {
		if q != nil && holds(q) {
			e(q, at)
		}
	}
}

// during limits changes to requests of an operation.
func during(operation operation, changes ...any) effect {
	return when(func(q *call) bool { return q.operation == operation }, changes...)
}

// pass shows a value to every effect that a request meets.
func (g *Gateway) pass(q *call, at any) {
	for _, e := range g.effects {
		e(q, at)
	}
}

// repeats reports whether a request counts as one that repeats an earlier one.
func (q *call) repeats(earlier bool) bool {
	r := repeat(earlier)
	q.g.pass(q, &r)
	return bool(r)
}

// once looks for an earlier request and notes this one, as one step of work: of many equal requests at once exactly one
// finds nothing. look reports whether there is anything to note.
func (q *call) once(look func() bool, note func()) {
	var apart interruption
	q.g.pass(q, &apart)
	first := false
	q.g.store.step(func() {
		if first = look(); first && !bool(apart) {
			note()
		}
	})
	if first && bool(apart) {
		time.Sleep(250 * time.Millisecond) // so that a busy machine shows it, too
		q.g.store.step(note)
	}
}
