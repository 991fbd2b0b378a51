package results

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
)

// Interval is what happened between two moments of a run.
type Interval struct {
	From, To          time.Duration // since the start
	Stage             int           // at its end, from 1
	Due, Sent         int64         // so far
	Answered, Bad     int64         // Bad of these were neither accepted nor rightly blocked
	Service, Response histogram.Histogram
}

// Intervals reads the intervals that a run recorded. An error says from which line on they cannot be read.
func Intervals(dir string, each func(*Interval)) error {
	var decoder histogram.Decoder
	err := eachLine(dir, func(l line) error {
		i := l.Interval
		if i == nil || i.ToNS <= i.FromNS {
			return nil
		}
		found := Interval{
			From: time.Duration(i.FromNS), To: time.Duration(i.ToNS), Stage: i.Stage, Due: i.Due, Sent: i.Sent,
		}
		for name, n := range i.Classes {
			found.Answered += n
			if class, known := judge.ClassNamed(name); known && class.Bad() {
				found.Bad += n
			}
		}
		for _, e := range i.Times {
			to := map[string]*histogram.Histogram{serviceTime: &found.Service, responseTime: &found.Response}[e.Time]
			if to == nil {
				continue
			}
			if err := decoder.Add(to, e.HDR); err != nil {
				return err
			}
		}
		each(&found)
		return nil
	})
	if at := (*fs.PathError)(nil); err != nil && !errors.As(err, &at) {
		return fmt.Errorf("%s, %w", runfolder.IntervalsName, err)
	}
	return err
}
