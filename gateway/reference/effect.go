package reference

import "time"

// effect is what a fault or a reading does: functions that step into the work of the gateway. Each is optional.
type effect struct {
	around       func(q *call, next func())                // around a whole request
	authenticate func(q *call, sender *user) *user         // changes who sends a request; nil: nobody
	defects      func(q *call, found []issue) []issue      // changes what is wrong with a request
	record       func(q *call, record object)              // changes a representative before it is kept and answered
	sameAs       func(q *call, key *creation)              // changes what a creation is recognized by
	compared     func(s spelling, p parts) parts           // changes what replay protection compares
	sighting     func(q *call, s *sighting)                // changes what replay protection sees of a request
	repeats      func(q *call, repeat bool) bool           // changes whether a request repeats an earlier one
	hesitates    func(q *call) bool                        // lets others in between looking and noting
	choice       func(q *call, c *choice)                  // changes which quotes a file holds
	rows         func(c *choice, quotes []quote) []quote   // changes the quotes that were chosen and ordered
	table        func(q *call, rows [][]string) [][]string // changes the rows of a file, its titles first
	text         func(q *call, data []byte) []byte         // changes the text of a file
	state        func(q *call, s state) state              // changes how far a file is
	readable     func(q *call, allowed bool) bool          // changes who may fetch a file
	reply        func(q *call, a *reply)                   // changes an answer before it is written
}

// merged is one effect that does what several do, one after the other. None of its functions is nil, but for those that
// stand around others.
func merged(all []effect) effect {
	return effect{
		authenticate: changing(all, func(e effect) func(*call, *user) *user { return e.authenticate }),
		defects:      changing(all, func(e effect) func(*call, []issue) []issue { return e.defects }),
		compared:     changing(all, func(e effect) func(spelling, parts) parts { return e.compared }),
		repeats:      changing(all, func(e effect) func(*call, bool) bool { return e.repeats }),
		rows:         changing(all, func(e effect) func(*choice, []quote) []quote { return e.rows }),
		table:        changing(all, func(e effect) func(*call, [][]string) [][]string { return e.table }),
		text:         changing(all, func(e effect) func(*call, []byte) []byte { return e.text }),
		state:        changing(all, func(e effect) func(*call, state) state { return e.state }),
		readable:     changing(all, func(e effect) func(*call, bool) bool { return e.readable }),
		record:       working(all, func(e effect) func(*call, object) { return e.record }),
		sameAs:       working(all, func(e effect) func(*call, *creation) { return e.sameAs }),
		sighting:     working(all, func(e effect) func(*call, *sighting) { return e.sighting }),
		choice:       working(all, func(e effect) func(*call, *choice) { return e.choice }),
		reply:        working(all, func(e effect) func(*call, *reply) { return e.reply }),
	}
}

// changing passes a value through a function of each effect that has it.
func changing[A, T any](all []effect, of func(effect) func(A, T) T) func(A, T) T {
	return func(about A, value T) T {
		for _, e := range all {
			if change := of(e); change != nil {
				value = change(about, value)
			}
		}
		return value
	}
}

// working lets a function of each effect that has it work on a value.
func working[T any](all []effect, of func(effect) func(*call, T)) func(*call, T) {
	return func(q *call, value T) {
		for _, e := range all {
			if work := of(e); work != nil {
				work(q, value)
			}
		}
	}
}

// once looks for an earlier request and notes this one, as one step of work: of many equal requests at once exactly one
// finds nothing. look reports whether there is anything to note. It fails when what is noted could not be kept.
func (q *call) once(look func(l ledger) bool, note func(l ledger)) error {
	for _, e := range q.g.effects {
		if e.hesitates == nil || !e.hesitates(q) {
			continue
		}
		var first bool
		if err := q.g.store.step(func(l ledger) { first = look(l) }); err != nil || !first {
			return err
		}
		time.Sleep(100 * time.Millisecond) // so that a busy machine shows it, too
		return q.g.store.step(note)
	}
	return q.g.store.step(func(l ledger) {
		if look(l) {
			note(l)
		}
	})
}
