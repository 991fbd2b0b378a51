package reproscript

import (
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/internal/curl"
)

// isRace reports whether the requests of a script have to coincide. Such a script tries a few
// times.
func (s Script) isRace() bool {
	_, atMostOne := s.Expectation.(ExpectAtMostOne)
	return atMostOne || slices.ContainsFunc(s.Steps, func(step Step) bool { return step.WithNext })
}

// writeLanded checks the answer to a step that was sent together with the next.
func (w *scriptWriter) writeLanded(i int) {
	n := fmt.Sprint(i + 1)
	w.writeLine("landed", n, curl.Quote(w.Steps[i].Request.Label))
	w.writeLine(w.stepCheck(i), n)
	w.writeCarriedValues(i)
}
