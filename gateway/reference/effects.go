package reference

import (
	"reflect"
	"time"
)

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
		*quoteSelection
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
	case jsonObject, postedFields, *pendingResponse, *quoteSelection, *filteredQuotes,
		*creationIdentity, *replayCandidate, *replayComparison, *fileState, *requestSender,
		*requestDefects, *repeatDecision, *raceWindow, *csvTable, *fileContent, *fileAccess:
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

// countsAsRepeat reports whether a request counts as one that repeats an earlier one.
func (q *requestState) countsAsRepeat(earlier bool) bool {
	r := repeatDecision(earlier)
	q.gateway.applyEffects(q, &r)
	return bool(r)
}

// checkThenNote looks for an earlier request and notes this one, as one step of work: of many equal
// requests at once exactly one finds nothing. look reports whether there is anything to note.
func (q *requestState) checkThenNote(look func() bool, note func()) {
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
