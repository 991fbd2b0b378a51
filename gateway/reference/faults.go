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

// faultDeclaration is a fault with what it does. What an effect remembers belongs to the gateway
// that it was declared for.
type faultDeclaration struct {
	Fault
	effect
}

type faultDeclarations []faultDeclaration

// faultsTSV has a line for each fault that is declared by name: name, rule and statement.
//
//go:embed faults.tsv
var faultsTSV string

var faultTable = sync.OnceValue(func() map[string]Fault {
	all := map[string]Fault{}
	for line := range strings.Lines(faultsTSV) {
		if cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(cells) == 3 {
			all[cells[0]] = Fault{Name: cells[0], Rule: cells[1], Statement: cells[2]}
		}
	}
	return all
})

// declareFault declares a fault of faults.tsv.
func declareFault(name string, changes ...any) faultDeclarations {
	one := faultTable()[name]
	one.Name = name
	return faultDeclarations{{one, combineEffects(changes...)}}
}

// faultsForEach declares the faults of each of some values.
func faultsForEach[T any](values []T, declare func(T) faultDeclarations) (all faultDeclarations) {
	for _, value := range values {
		all = append(all, declare(value)...)
	}
	return all
}

// allFaultDeclarations are all faults by topic, the plain ones first.
func allFaultDeclarations() faultDeclarations {
	plain := slices.Concat(
		fieldFaults(), invalidValueFaults(), createRequestFaults(), callerFaults(), createAnswerFaults(),
		recordTypeFaults(), echoFaults(),
		repeatFaults(), documentFaults(), exportRequestFaults(), exportAnswerFaults(), rangeFaults(),
		rowFaults(),
		fileFaults(), replayFaults(), comparisonFaults(), authFaults(), apiKeyFaults(), tokenFaults(),
		leftoverFaults(), lenientFaults(), sweepingFaults(),
	)
	return append(plain, conditionalFaults(plain)...)
}

// Faults lists every fault: those that any request meets, then those that take a condition.
func Faults() (list []Fault) {
	for _, d := range allFaultDeclarations() {
		list = append(list, d.Fault)
	}
	return list
}

// resolveEffects declares readings and faults anew and returns what those of some names do.
func resolveEffects(readingNames, faultNames []string) (effects []effect, err error) {
	known := allowedReadings()
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
	for _, d := range allFaultDeclarations() {
		known[d.Name] = d.effect
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(faultNames))) {
		if known[name] == nil {
			return nil, unknownNameError("fault", name, slices.Sorted(maps.Keys(known)))
		}
		effects = append(effects, known[name])
	}
	return effects, nil
}

// unknownNameError says that a word is none of some that are known, and which are near.
func unknownNameError(what, word string, known []string) error {
	text := fmt.Sprintf("unknown %s %q", what, word)
	if near := suggest.Near(word, known); len(near) > 0 {
		text += ", did you mean " + strings.Join(near, ", ") + "?"
	}
	return fmt.Errorf("%s; --list-%ss shows all %d", text, what, len(known))
}

// effect is what a fault or a reading does. It meets every value that the gateway passes to it
// while it works on a request, and changes those that it knows: effectOnType lists their types, of
// which an object is a representative before it is kept.
type effect func(q *requestState, at any)

type (
	postedFields   jsonObject      // the fields of a body, before they are read
	requestSender  struct{ *user } // who sends a request; nil: nobody
	requestDefects []requestDefect // what is wrong with a request
	repeatDecision bool            // whether a request repeats an earlier one
	raceWindow     bool            // whether others come in between looking and noting
	csvTable       [][]string      // the rows of a file, its titles first
	fileContent    []byte          // the text of a file
	fileAccess     bool            // whether a file may be fetched
	// replayComparison is what replay protection compares in a mode. No request is there then.
	replayComparison struct {
		mode replayMode
		comparedParts
	}
	// filteredQuotes are the quotes that were chosen for a file, in order.
	filteredQuotes struct {
		*quoteFilter
		quotes []*quote
	}
)

// combineEffects makes one effect of changes: effects, and functions of a value that is passed, or
// of the request and the value.
func combineEffects(changes ...any) effect {
	var all []effect
	for _, change := range changes {
		e, whole := change.(effect)
		if !whole {
			e = effectOnType(reflect.ValueOf(change))
		}
		all = append(all, e)
	}
	return func(q *requestState, at any) {
		for _, e := range all {
			e(q, at)
		}
	}
}

// effectOnType calls a function for values of the type that it takes last, which has to be one that
// is passed.
func effectOnType(change reflect.Value) effect {
	before := change.Type().NumIn() - 1
	takes := change.Type().In(before)
	switch reflect.Zero(takes).Interface().(type) {
	case jsonObject, postedFields, *pendingResponse, *quoteFilter, *filteredQuotes, *creationKey, *replayCandidate, *replayComparison, *fileState, *requestSender, *requestDefects, *repeatDecision,
		*raceWindow, *csvTable, *fileContent, *fileAccess:
	default:
		panic("no effect meets a value of the type " + takes.String())
	}
	return func(q *requestState, at any) {
		if value := reflect.ValueOf(at); value.Type() == takes {
			change.Call(append([]reflect.Value{reflect.ValueOf(q)}[:before], value))
		}
	}
}

// effectWhen limits changes to some requests. The condition is asked for every value that is
// passed: it changes nothing.
func effectWhen(holds func(q *requestState) bool, changes ...any) effect {
	e := combineEffects(changes...)
	return func(q *requestState, at any) {
		if q != nil && holds(q) {
			e(q, at)
		}
	}
}

// effectDuring limits changes to requests of an operation.
func effectDuring(operation operation, changes ...any) effect {
	return effectWhen(func(q *requestState) bool { return q.operation == operation }, changes...)
}

// applyEffects shows a value to every effect that a request meets.
func (g *Gateway) applyEffects(q *requestState, at any) {
	for _, e := range g.effects {
		e(q, at)
	}
}

// isRepeat reports whether a request counts as one that repeats an earlier one.
func (q *requestState) isRepeat(earlier bool) bool {
	r := repeatDecision(earlier)
	q.gateway.applyEffects(q, &r)
	return bool(r)
}

// checkAndNote looks for an earlier request and notes this one, as one step of work: of many equal
// requests at once exactly one finds nothing. look reports whether there is anything to note.
func (q *requestState) checkAndNote(look func() bool, note func()) {
	var apart raceWindow
	q.gateway.applyEffects(q, &apart)
	first := false
	q.gateway.store.atomically(func() {
		if first = look(); first && !bool(apart) {
			note()
		}
	})
	if first && bool(apart) {
		time.Sleep(250 * time.Millisecond) // so that a busy machine shows it, too
		q.gateway.store.atomically(note)
	}
}
