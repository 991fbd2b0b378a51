package reproscript

import (
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/internal/curl"
)

// isRace reports a script whose requests meet by chance: it tries a few times.
func (s Script) isRace() bool {
	_, atMostOne := s.Expectation.(ExpectAtMostOne)
	return atMostOne || slices.ContainsFunc(s.Steps, func(step Step) bool { return step.WithNext })
}

// writeLanded says what became of a step that was sent together with the one just sent.
func (w *scriptWriter) writeLanded(i int) {
	n := fmt.Sprint(i + 1)
	w.writeLine("landed", n, curl.Quote(w.Steps[i].Request.Label))
	w.writeLine(w.writeStepCheck(i), n)
	w.writeCarriedValues(i)
}
