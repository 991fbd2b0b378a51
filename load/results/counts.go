package results

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// slot is what a distribution is of.
type slot struct {
	Stage int            `json:"stage,omitempty"` // from 1; 0: of no stage
	Class string         `json:"class,omitempty"` // empty for lag and file
	Time  threshold.Time `json:"time"`
}

// distributions are of what was measured; where there is none, nothing was.
type distributions map[slot]*Distribution

// at is the distribution of a slot, made where there was none.
func (d distributions) at(s slot) *Distribution {
	if d[s] == nil {
		d[s] = new(Distribution)
	}
	return d[s]
}

// encoded is a distribution as HdrHistogram logs hold it.
type encoded struct {
	slot
	MaxMS float64       `json:"max_ms"`
	HDR   *Distribution `json:"hdr"`
}

// list gives the distributions by stage, then class, lag after the classes, service before response.
func (d distributions) list() (all []encoded) {
	for at, one := range d {
		if one.Count() > 0 {
			all = append(all, encoded{at, millis(one.Quantile(100)), one})
		}
	}
	number := func(s slot) int {
		if c, known := judge.ClassNamed(s.Class); known {
			return int(c)
		}
		return judge.NumClasses
	}
	slices.SortFunc(all, func(a, b encoded) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(number(a.slot), number(b.slot)), -cmp.Compare(a.Time, b.Time))
	})
	return all
}

// MarshalJSON writes a list.
func (d distributions) MarshalJSON() ([]byte, error) { return json.Marshal(d.list()) }

// UnmarshalJSON reads one. What later versions measure beside these times is left out.
func (d *distributions) UnmarshalJSON(data []byte) error {
	var all []encoded
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	*d = distributions{}
	for _, e := range all {
		_, known := judge.ClassNamed(e.Class)
		switch {
		case !slices.Contains(threshold.Names(), e.Time):
			continue
		case known == (e.Time == threshold.Lag || e.Time == threshold.File) || e.HDR == nil:
			return fmt.Errorf("unknown class %q of %s", e.Class, e.Time)
		case (*d)[e.slot] == nil:
			(*d)[e.slot] = e.HDR // with its text
		default:
			d.at(e.slot).Add(e.HDR)
		}
	}
	return nil
}

// of puts one time of all stages together: of one class or, without a name, of all.
func (d distributions) of(time threshold.Time, class string) *Distribution {
	all := new(Distribution)
	for s, one := range d {
		if s.Time == time && (class == "" || s.Class == class) {
			all.Add(one)
		}
	}
	return all
}

func (d distributions) latency(class string) Latency {
	return Latency{timesOf(d.of(threshold.Service, class)), timesOf(d.of(threshold.Response, class))}
}

// classes counts requests by class.
func (d distributions) classes() (n [judge.NumClasses]int64) {
	for s, one := range d {
		if c, known := judge.ClassNamed(s.Class); known && s.Time == threshold.Service {
			n[c] += one.Count()
		}
	}
	return n
}

// sent is how many requests there were.
func (d distributions) sent() (n int64) {
	for _, of := range d.classes() {
		n += of
	}
	return n
}

// snapshot is what thresholds see.
func (d distributions) snapshot(r Rate, followed *files.Counts) threshold.Snapshot {
	s := threshold.Snapshot{Times: map[threshold.Time]threshold.Times{}, Target: r.Target, Achieved: r.Achieved}
	for _, which := range threshold.Names() {
		s.Times[which] = d.of(which, "")
	}
	s.Classes = d.classes()
	if followed != nil {
		s.FilesFailed, s.FilesReady = followed.Failed, followed.Ready
	}
	return s
}

// tally counts by name.
type tally map[string]int64

func (t *tally) add(name string, n int64) {
	if *t == nil {
		*t = tally{}
	}
	(*t)[name] += n
}

// Slow is one of the requests that took longest.
type Slow struct {
	K          int64   `json:"k"`
	AtMS       float64 `json:"at_ms"` // when it was meant to be sent, from the start of the run
	ResponseMS float64 `json:"response_ms"`
	ServiceMS  float64 `json:"service_ms"`
	Class      string  `json:"class"`
	Status     int     `json:"status,omitempty"`
	Nonce      string  `json:"nonce"`
}

const mostSlow = 10 // of a run, and of an interval

// counts is what adds up: over workers, over intervals, over shards. The zero value counts nothing.
type counts struct {
	Canceled int64                 `json:"canceled,omitempty"`
	Failures tally                 `json:"failures,omitempty"` // no answer, by kind
	Rules    tally                 `json:"rules,omitempty"`    // violated
	Statuses tally                 `json:"statuses,omitempty"` // of answers that were not as they should be
	Slow     []Slow                `json:"slow,omitempty"`     // what took longest, slowest first
	Ends     map[int]time.Duration `json:"ends_ns,omitempty"`  // by stage, from 1: when its last request so far began
	Times    distributions         `json:"histograms,omitempty"`
}

// add counts what others have counted.
func (c *counts) add(more *counts) {
	c.Canceled += more.Canceled
	for _, t := range []struct{ mine, more *tally }{
		{&c.Failures, &more.Failures}, {&c.Rules, &more.Rules}, {&c.Statuses, &more.Statuses},
	} {
		for name, n := range *t.more {
			t.mine.add(name, n)
		}
	}
	c.slow(more.Slow...)
	for stage, end := range more.Ends {
		c.end(stage, end)
	}
	for at, d := range more.Times {
		c.of(at).Add(d)
	}
}

// recorded is how many requests there were whose end is known.
func (c *counts) recorded() int64 { return c.Canceled + c.Times.sent() }

func (c *counts) of(at slot) *Distribution {
	if c.Times == nil {
		c.Times = distributions{}
	}
	return c.Times.at(at)
}

// end notes when a request of a stage began.
func (c *counts) end(stage int, at time.Duration) {
	if c.Ends == nil {
		c.Ends = map[int]time.Duration{}
	}
	c.Ends[stage] = max(c.Ends[stage], at)
}

// slow keeps the slowest of what there is and what comes.
func (c *counts) slow(more ...Slow) {
	for _, x := range more {
		at, _ := slices.BinarySearchFunc(c.Slow, x.ResponseMS, func(s Slow, took float64) int {
			return cmp.Or(cmp.Compare(took, s.ResponseMS), -1) // after those that took as long
		})
		c.Slow = slices.Insert(c.Slow, at, x)
		c.Slow = c.Slow[:min(len(c.Slow), mostSlow)]
	}
}
