package results

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// Interval is what happened between two moments of a run.
type Interval struct {
	From, To          time.Duration // since the start
	Stage             int           // at its end, from 1
	Due, Sent         int64         // so far
	Answered, Bad     int64         // Bad of these were neither accepted nor rightly blocked
	Service, Response *Distribution
}

// Intervals reads the intervals that a run recorded. An error says from which line on they cannot be read.
func Intervals(dir string, each func(*Interval)) error {
	for l, err := range lines(dir) {
		i := l.Interval
		switch {
		case errors.As(err, new(*fs.PathError)):
			return err
		case err == nil && (i == nil || i.ToNS <= i.FromNS):
			continue
		case err == nil:
			if err = i.decode(); err != nil {
				err = fmt.Errorf("interval %d: %w", i.N, err)
			}
		}
		if err != nil {
			return fmt.Errorf("%s, %w", runfolder.IntervalsName, err)
		}
		found := Interval{
			From: time.Duration(i.FromNS), To: time.Duration(i.ToNS), Stage: i.Stage, Due: i.Due, Sent: i.Sent,
			Service: i.times.of(threshold.Service, ""), Response: i.times.of(threshold.Response, ""),
		}
		for name, n := range i.Classes {
			found.Answered += n
			if class, known := judge.ClassNamed(name); known && class.Bad() {
				found.Bad += n
			}
		}
		each(&found)
	}
	return nil
}
