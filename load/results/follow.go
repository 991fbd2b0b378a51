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
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
)

// Follower reads the record of a run, or of a shard, while it is written.
type Follower struct {
	Dir string

	at     int64 // how far it was read
	totals *totals
	start  time.Time
	ended  bool
	seen   view // the last interval
	shown  interval
}

// Info says of which run the record is; false: its header is not there yet.
func (f *Follower) Info() (Info, bool) {
	if f.totals == nil {
		return Info{}, false
	}
	return f.totals.head.Run, true
}

// Plan is that of the record, as JSON.
func (f *Follower) Plan() json.RawMessage { return f.totals.head.Plan }

// Started is when its schedule begins; zero: not known yet.
func (f *Follower) Started() time.Time { return f.start }

// Ended reports whether the record came to its end.
func (f *Follower) Ended() bool { return f.ended }

// Elapsed is how far it goes, from the start.
func (f *Follower) Elapsed() time.Duration {
	if f.totals == nil {
		return 0
	}
	return f.totals.elapsed()
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
		if err := f.take(text); err != nil {
			return grown, fmt.Errorf("%s: %w", file.Name(), err)
		}
		f.at += int64(len(text)) + 1
		data, grown = rest, true
	}
}

func (f *Follower) take(text []byte) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	switch {
	case f.totals == nil:
		if l.Type != lineRun || l.Header == nil || l.Header.Schema != Schema {
			return errors.New("it is no record of a load run that this version reads")
		}
		f.totals = newTotals(*l.Header)
	case l.Type == lineStart && l.Start != nil:
		f.start = *l.Start
	case l.Type == lineInterval && l.Interval != nil:
		return f.interval(l.Interval)
	case l.Type == lineEnd:
		f.ended = true
	}
	return nil
}

func (f *Follower) interval(i *interval) error {
	before := f.totals.last
	if err := f.totals.read(i); err != nil {
		return err
	}
	span := time.Duration(i.ToNS - i.FromNS)
	over := i.FromNS >= f.totals.head.DurationNS // nothing was due any more
	if (over || span < 200*time.Millisecond) && before.N > 0 {
		return nil
	}
	f.seen = view{service: new(histogram.Histogram), response: new(histogram.Histogram), lag: new(histogram.Histogram)}
	f.seen.target, f.seen.achieved = perSecond(i.Due-before.Due, span), perSecond(i.Sent-before.Sent, span)
	for _, e := range i.Times {
		var h histogram.Histogram
		class, known := classNumber(e.Class)
		if h.Decode(e.HDR) != nil || !known {
			continue
		}
		switch e.Time {
		case serviceTime:
			f.seen.service.Add(&h)
			f.seen.classes[class] += h.Count()
		case responseTime:
			f.seen.response.Add(&h)
		case lagTime:
			f.seen.lag.Add(&h)
		}
	}
	f.shown = f.totals.last
	return nil
}

// Sum adds up the glances of several shards: counts so far of all of them, rates and times of the last interval of those
// that sending says still send. CPU is that of the busiest machine. False: none recorded an interval.
func Sum(shards []*Follower, sending func(*Follower) bool) (Status, bool) {
	var s Status
	var service, response, lag histogram.Histogram
	any := false
	for _, f := range shards {
		if f.totals == nil {
			continue
		}
		t := f.totals
		s.Duration, s.Stages = time.Duration(t.head.DurationNS), len(t.stages)
		s.K += t.head.Scheduled
		if t.count == 0 {
			continue
		}
		any = true
		if e := t.elapsed(); e >= s.Elapsed {
			s.Elapsed, s.Stage = e, t.last.Stage
		}
		s.Sent, s.Due = s.Sent+max(t.last.Sent, t.recorded()), s.Due+t.last.Due
		for c := range judge.NumClasses {
			s.Classes[c] += t.whole.classes[c]
		}
		if t.files != nil {
			if s.Files == nil {
				s.Files = &files.Counts{}
			}
			s.Files.Ready, s.Files.Failed = s.Files.Ready+t.files.Ready, s.Files.Failed+t.files.Failed
			s.Files.Pending, s.Files.Dropped = s.Files.Pending+t.files.Pending, s.Files.Dropped+t.files.Dropped
		}
		if !sending(f) {
			continue
		}
		s.Target, s.Achieved, s.InFlight = s.Target+f.seen.target, s.Achieved+f.seen.achieved, s.InFlight+t.last.InFlight
		s.CPU = max(s.CPU, f.shown.CPU)
		for c := range judge.NumClasses {
			s.Recent[c] += f.seen.classes[c]
		}
		if f.seen.service != nil {
			service.Add(f.seen.service)
			response.Add(f.seen.response)
			lag.Add(f.seen.lag)
		}
	}
	if any && s.Stage >= 1 {
		for _, f := range shards {
			if f.totals != nil && s.Stage <= len(f.totals.head.Stages) {
				s.StageName = f.totals.head.Stages[s.Stage-1].Name
			}
		}
	}
	s.Service, s.Response, s.Lag = timesOf(&service), timesOf(&response), timesOf(&lag)
	return s, any
}
