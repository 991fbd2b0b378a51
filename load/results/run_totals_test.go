package results

import (
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/machine"
	"github.com/gateassay/gateassay/internal/testmust"
)

// While only files are awaited, busy CPUs delay no request, and free ones excuse no earlier second.
func TestOnlySecondsUnderLoadSayWhetherTheCPUsWereBusy(t *testing.T) {
	for name, c := range map[string]struct {
		load, wait float64 // share of the CPUs in use
		reliable   bool
	}{
		"busy under load":       {1, 0.1, false},
		"busy afterwards":       {0.1, 1, true},
		"busy all the time":     {1, 1, false},
		"free all of the while": {0.1, 0.1, true},
	} {
		totals := &runTotals{}
		totals.head = &recordHeader{LagLimit: time.Second}
		for second := range 60 {
			i := &Interval{Progress: Progress{
				From: time.Duration(second) * time.Second, To: time.Duration(second+1) * time.Second,
				Sent: 50, Machine: machine.Load{CPU: c.wait},
			}}
			if second < 5 {
				i.Sent, i.Machine.CPU = int64(10*(second+1)), c.load
			}
			totals.add(i)
		}
		g := totals.assessGenerator()
		testmust.Equal(t, g.Reliable, c.reliable, name, g.Reason)
		testmust.Equal(t, g.Intervals, 5, name)
	}
}
