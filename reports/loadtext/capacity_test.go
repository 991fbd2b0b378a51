package loadtext_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/loadtext"
)

// Where a search says nothing of one end of the interval its words do not either.
func TestATerminalSaysWhereTheCapacityLies(t *testing.T) {
	for want, found := range map[string]capacity.Result{
		"400/s, held in 2 of 2 runs at that rate; it is at least 400/s":          {Rate: 400, Low: 400},
		"400/s, held in 2 of 2 runs at that rate; it is not known":               {Rate: 400},
		"400/s, held in 2 of 2 runs at that rate; it is between 400/s and 420/s": {Rate: 400, Low: 400, High: 420},
	} {
		var text strings.Builder
		c := capacity.File{
			Capacity: found, Verdict: results.Pass, Reason: "it held",
			Confidence: capacity.Confidence{Held: 2},
		}
		if err := (loadtext.Table{Folder: "here"}).PrintCapacity(&text, c); err != nil {
			t.Fatal(err)
		}
		if got := text.String(); !strings.Contains(got, want) || !strings.HasSuffix(got, "\nPASS  it held\nhere\n") {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}
