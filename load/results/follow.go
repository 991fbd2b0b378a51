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
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/results/histogram"
)

// Follower reads the record of a run, or of a shard, while it is written.
type Follower struct {
	Dir string

	at     int64 // how far it was read
	record reading
	recent view // the last interval
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
	file, err := os.Open(filepath.Join(f.Dir, runfolder.IntervalsName))
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
		if !whole {
			return grown, nil
		}
		var l line
		err := json.Unmarshal(text, &l)
		var before interval
		if err == nil {
			if f.record.totals != nil {
				before = f.record.totals.last
			}
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
	f.recent = view{times: distributions{}}
	f.recent.target, f.recent.achieved = perSecond(i.Due-before.Due, span), perSecond(i.Sent-before.Sent, span)
	for _, e := range i.Times {
		var h histogram.Histogram
		if class, known := classNumber(e.Class); known && h.Decode(e.HDR) == nil {
			f.recent.times.add(e.Time, &h)
			if e.Time == serviceTime {
				f.recent.classes[class] += h.Count()
			}
		}
	}
	f.cpu = i.CPU
}

// Sum adds up the glances of several shards: counts so far of all of them, rates and times of the last interval of
// those that sending says still send. CPU is that of the busiest machine. False: none recorded an interval.
func Sum(shards []*Follower, sending func(*Follower) bool) (Status, bool) {
	var s Status
	times := distributions{}
	any := false
	for _, f := range shards {
		t := f.record.totals
		if t == nil {
			continue
		}
		s.Duration, s.Stages = time.Duration(t.head.DurationNS), len(t.stages)
		s.K += t.head.Scheduled
		if t.count == 0 {
			continue
		}
		any = true
		if e := t.elapsed(); e >= s.Elapsed {
			s.Elapsed, s.Stage = e, t.last.Stage
		}
		if s.Stage >= 1 && s.Stage <= len(t.head.Stages) {
			s.StageName = t.head.Stages[s.Stage-1].Name
		}
		s.Sent, s.Due = s.Sent+max(t.last.Sent, t.recorded()), s.Due+t.last.Due
		for c, n := range t.whole.classes {
			s.Classes[c] += n
		}
		if t.files != nil {
			if s.Files == nil {
				s.Files = &files.Counts{}
			}
			s.Files.Add(*t.files)
		}
		if !sending(f) {
			continue
		}
		s.Target, s.Achieved, s.InFlight = s.Target+f.recent.target, s.Achieved+f.recent.achieved,
			s.InFlight+t.last.InFlight
		s.CPU = max(s.CPU, f.cpu)
		for c, n := range f.recent.classes {
			s.Recent[c] += n
		}
		for time, h := range f.recent.times {
			times.add(time, h)
		}
	}
	s.Service, s.Response, s.Lag = timesOf(times[serviceTime]), timesOf(times[responseTime]), timesOf(times[lagTime])
	return s, any
}
