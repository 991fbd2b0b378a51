package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// Follower reads the record of a run, or of a shard, while it is written.
type Follower struct {
	Dir string

	at     int64 // how far it was read
	record reading
	recent distributions // of the last interval
	rate   Rate
	cpu    float64
}

// Info says of which run the record is; false: its header is not there yet.
func (f *Follower) Info() (Info, bool) {
	if f.record.totals == nil {
		return Info{}, false
	}
	return f.record.totals.head.Run, true
}

// Plan is that of the record, as JSON.
func (f *Follower) Plan() json.RawMessage { return f.record.totals.head.Plan }

// Started is when its schedule begins; zero: not known yet.
func (f *Follower) Started() time.Time { return f.record.start }

// Ended reports whether the record came to its end.
func (f *Follower) Ended() bool { return f.record.end != nil }

// Elapsed is how far it goes, from the start.
func (f *Follower) Elapsed() time.Duration {
	if f.record.totals == nil {
		return 0
	}
	return f.record.totals.elapsed()
}

// Read takes in what was added, and reports whether anything was. A line that is not whole waits for the next time.
func (f *Follower) Read() (grown bool, err error) {
	file, err := runfolder.Open(filepath.Join(f.Dir, runfolder.IntervalsName), runfolder.LargestStream)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.NewSectionReader(file, f.at, longestLine))
	if err != nil {
		return false, err
	}
	for {
		text, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole && len(text) == longestLine {
			return grown, fmt.Errorf("%s: a line is longer than %d bytes", file.Name(), longestLine)
		}
		if !whole {
			return grown, nil
		}
		var before interval
		if f.record.totals != nil {
			before = f.record.totals.last
		}
		var l line
		err := json.Unmarshal(text, &l)
		if err == nil {
			err = f.record.take(l)
		}
		if err != nil {
			return grown, fmt.Errorf("%s: %w", file.Name(), err)
		}
		if l.Type == lineInterval && l.Interval != nil {
			f.interval(l.Interval, before)
		}
		f.at += int64(len(text)) + 1
		data, grown = rest, true
	}
}

// interval keeps what happened in the last interval, unless that is too short to say anything.
func (f *Follower) interval(i *interval, before interval) {
	span := time.Duration(i.ToNS - i.FromNS)
	over := i.FromNS >= f.record.totals.head.DurationNS // nothing was due any more
	if (over || span < 200*time.Millisecond) && before.N > 0 {
		return
	}
	f.recent = distributions{}
	if times, err := i.distributions(); err == nil {
		f.recent.add(times)
	}
	f.rate, f.cpu = Rate{perSecond(i.Due-before.Due, span), perSecond(i.Sent-before.Sent, span)}, i.CPU
}

// Sum adds up the glances of several shards: counts so far of all of them, rates and times of the last interval of
// those that sending says still send. CPU is that of the busiest machine. False: none recorded an interval.
func Sum(shards []*Follower, sending func(*Follower) bool) (Status, bool) {
	var s Status
	recent, some := distributions{}, false
	for _, f := range shards {
		t := f.record.totals
		if t == nil || !s.add(t) {
			continue
		}
		if some = true; sending(f) {
			s.Target, s.Achieved = s.Target+f.rate.Target, s.Achieved+f.rate.Achieved
			s.InFlight, s.CPU = s.InFlight+t.last.InFlight, max(s.CPU, f.cpu)
			recent.add(f.recent)
		}
	}
	s.times(recent)
	return s, some
}
