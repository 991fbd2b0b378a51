package target_test

import (
	"slices"
	"testing"

	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/target"
)

// A script that repeats a creation with IDs of its own draws new ones: a deployment that takes them
// refuses the old ones as duplicates.
func TestIDsThatACreationSetsAreDrawnAnew(t *testing.T) {
	d := deploy(t, 201)
	subject := aim(t, d.URL, names)
	id, documentID := target.NewUUID(), target.NewUUID()
	x := subject.Send(t.Context(), func() target.Request {
		r := subject.NewCreation("with IDs")
		r.SetField("id", id)
		r.SetField("document.id", documentID)
		return r
	})
	for _, text := range []string{id, documentID} {
		want := reproscript.DrawnText{Text: text, Kind: reproscript.DrawnUUID}
		if drawn := x.RepeatStep().Drawn; !slices.Contains(drawn, want) {
			t.Errorf("%s is not among %v", text, drawn)
		}
	}
}
