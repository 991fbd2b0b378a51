package reference

import "time"

// effect is what a fault does: functions that step into the work of a gateway that would conform without them. Each is
// optional.
type effect struct {
	around       func(q *call, next func())              // around a whole request
	authenticate func(q *call, sender *user) *user       // changes who sends a request; nil: nobody
	defects      func(q *call, found []issue) []issue    // changes what is wrong with a request
	record       func(q *call, record object)            // changes a representative before it is kept and answered
	sameAs       func(q *call, key *creation)            // changes what a creation is recognized by
	compared     func(s spelling, p parts) parts         // changes what replay protection compares
	sighting     func(q *call, s *sighting)              // changes what replay protection sees of a request
	repeats      func(q *call, repeat bool) bool         // changes whether a request repeats an earlier one
	hesitates    func(q *call) bool                      // lets others in between looking and noting
	choice       func(q *call, c *choice)                // changes which quotes a file holds
	rows         func(c *choice, quotes []quote) []quote // changes the quotes that were chosen and ordered
	table        func(rows [][]string) [][]string        // changes the rows of a file, its titles first
	text         func(data []byte) []byte                // changes the text of a file
	state        func(s state) state                     // changes how far a file is
	readable     func(q *call, allowed bool) bool        // changes who may fetch a file
	reply        func(q *call, a *reply)                 // changes an answer before it is written
}

func (q *call) repeats(repeat bool) bool {
	for _, e := range q.g.effects {
		if e.repeats != nil {
			repeat = e.repeats(q, repeat)
		}
	}
	return repeat
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
		time.Sleep(30 * time.Millisecond)
		return q.g.store.step(note)
	}
	return q.g.store.step(func(l ledger) {
		if look(l) {
			note(l)
		}
	})
}
