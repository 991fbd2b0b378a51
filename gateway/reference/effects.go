package reference

import (
	"reflect"
	"time"
)

// effect is what a fault or a reading does. It receives every value that the gateway passes to
// applyEffects for a request, and changes those it is for. effectOnType lists their types; a
// jsonObject is a representative's record before it is stored. For the rows of a file the request
// is the one that fetches it, not the export: see underCondition.
type effect func(q *request, at any)

type (
	postedFields   jsonObject      // the fields of a body before validation
	sender         struct{ *user } // who sends a request; nil: nobody known
	defects        []defect        // what is wrong with a request
	repeatDecision bool            // whether a request repeats an earlier one
	raceWindow     bool            // whether others may intervene between check and note
	csvTable       [][]string      // the rows of a file, its titles first
	fileContent    []byte          // the bytes of a file
	fileAccess     bool            // whether a file may be fetched
	// replayComparison is what replay protection compares in a mode. The effect gets no request.
	replayComparison struct {
		mode replayMode
		comparedParts
	}
	// filteredQuotes are the quotes chosen for a file, in order.
	filteredQuotes struct {
		*quoteSelection
		quotes []*quote
	}
)

// combine combines changes into one effect. A change is an effect, a function of a
// value, or a function of the request and a value.
func combine(changes ...any) effect {
	var all []effect
	for _, change := range changes {
		e, whole := change.(effect)
		if !whole {
			e = effectOnType(reflect.ValueOf(change))
		}
		all = append(all, e)
	}
	return func(q *request, at any) {
		for _, e := range all {
			e(q, at)
		}
	}
}

// effectOnType returns an effect that calls change for values of its last parameter's type. It
// panics if no such values are passed.
func effectOnType(change reflect.Value) effect {
	before := change.Type().NumIn() - 1
	takes := change.Type().In(before)
	switch reflect.Zero(takes).Interface().(type) {
	case jsonObject, postedFields, *response, *quoteSelection, *filteredQuotes,
		*creationIdentity, *replayCandidate, *replayComparison, *fileState, *sender,
		*defects, *repeatDecision, *raceWindow, *csvTable, *fileContent, *fileAccess:
	default:
		panic("no effect meets a value of the type " + takes.String())
	}
	return func(q *request, at any) {
		if value := reflect.ValueOf(at); value.Type() == takes {
			change.Call(append([]reflect.Value{reflect.ValueOf(q)}[:before], value))
		}
	}
}

// when limits changes to requests for which holds is true. holds runs for every value
// that is passed, so it must not change anything.
func when(holds func(q *request) bool, changes ...any) effect {
	e := combine(changes...)
	return func(q *request, at any) {
		if q != nil && holds(q) {
			e(q, at)
		}
	}
}

// during limits changes to the requests of an operation.
func during(operation operation, changes ...any) effect {
	return when(func(q *request) bool { return q.operation == operation }, changes...)
}

// applyEffects passes a value to every effect.
func (g *Gateway) applyEffects(q *request, at any) {
	for _, e := range g.effects {
		e(q, at)
	}
}

// countsAsRepeat reports whether a request counts as a repeat, given that an earlier one was
// found.
func (q *request) countsAsRepeat(earlier bool) bool {
	r := repeatDecision(earlier)
	q.gateway.applyEffects(q, &r)
	return bool(r)
}

// checkThenNote looks for an earlier request and notes this one in one atomic step: exactly one
// of many equal concurrent requests finds nothing. look reports whether to note this one.
func (q *request) checkThenNote(look func() bool, note func()) {
	var apart raceWindow
	q.gateway.applyEffects(q, &apart)
	first := false
	q.gateway.store.atomically(func() {
		if first = look(); first && !bool(apart) {
			note()
		}
	})
	if first && bool(apart) {
		time.Sleep(250 * time.Millisecond) // long enough to show on a busy machine, too
		q.gateway.store.atomically(note)
	}
}
