package reference

import "time"

// effect is what a fault or a reading does. It meets every value that the gateway passes to it while it works on a
// request, and changes those that it knows: a *choice, *creation, *reply, *sighting, *state, the object of a
// representative before it is kept, or a pointer to one of the types below.
type effect func(q *call, at any)

type (
	work       func()          // what is done for a whole request
	sender     struct{ *user } // who sends a request; nil: nobody
	defects    []issue         // what is wrong with a request
	repeat     bool            // whether a request repeats an earlier one
	hesitation bool            // whether others come in between looking and noting
	table      [][]string      // the rows of a file, its titles first
	content    []byte          // the text of a file
	access     bool            // whether a file may be fetched
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

// on makes an effect on values of one type.
func on[T any](change func(q *call, at T)) effect {
	return func(q *call, at any) {
		if value, known := at.(T); known {
			change(q, value)
		}
	}
}

// when limits an effect to some requests. The condition is asked for every value that is passed: it changes nothing.
func (e effect) when(holds func(q *call) bool) effect {
	return func(q *call, at any) {
		if q != nil && holds(q) {
			e(q, at)
		}
	}
}

// of limits an effect to requests of an operation.
func (e effect) of(operation operation) effect {
	return e.when(func(q *call) bool { return q.operation == operation })
}

// and makes one effect of two.
func (e effect) and(other effect) effect {
	return func(q *call, at any) { e(q, at); other(q, at) }
}

// pass shows a value to every effect that a request meets.
func (g *Gateway) pass(q *call, at any) {
	for _, e := range g.readings {
		e(q, at)
	}
	for _, e := range g.faults {
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
	var apart hesitation
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
