package results

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

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
	one := d[s]
	if one == nil {
		one = new(Distribution)
		d[s] = one
	}
	return one
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
		all = append(all, encoded{at, millis(one.Quantile(100)), one})
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
		classless := e.Time == threshold.Lag || e.Time == threshold.File
		if slices.Contains(threshold.Names(), e.Time) {
			if known == classless {
				return fmt.Errorf("unknown class %q", e.Class)
			}
			d.at(e.slot).Add(e.HDR)
		}
	}
	return nil
}

// where gives those whose slot is as wanted.
func (d distributions) where(wanted func(slot) bool) distributions {
	some := maps.Clone(d)
	maps.DeleteFunc(some, func(s slot, _ *Distribution) bool { return !wanted(s) })
	return some
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

// count is how many requests there were.
func (d distributions) count() (n int64) {
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

// tally counts by name; the zero value is ready.
type tally map[string]int64

func (t *tally) count(name string, n int64) {
	if *t == nil {
		*t = tally{}
	}
	(*t)[name] += n
}

func (t *tally) add(more tally) {
	for name, n := range more {
		t.count(name, n)
	}
}

// counts is what adds up: over workers, over intervals, over shards.
type counts struct {
	Canceled int64         `json:"canceled,omitempty"`
	Failures tally         `json:"failures,omitempty"` // no answer, by kind
	Rules    tally         `json:"rules,omitempty"`    // violated
	Statuses tally         `json:"statuses,omitempty"` // of answers that were not as they should be
	Slow     []Slow        `json:"slow,omitempty"`     // what took longest, slowest first
	Users    []user        `json:"users,omitempty"`
	Clamped  int64         `json:"clamped,omitempty"` // requests that took longer than distributions can say
	Ends     map[int]int64 `json:"ends_ns,omitempty"` // by stage, from 1: when its last request so far began
	Times    distributions `json:"histograms,omitempty"`
}

// user is what became of the requests of one identity.
type user struct {
	Identity int           `json:"identity"`
	Classes  tally         `json:"classes"`
	Response *Distribution `json:"hdr"`
}

func newCounts() counts { return counts{Times: distributions{}, Ends: map[int]int64{}} }

// add counts what others have counted.
func (c *counts) add(more *counts) {
	c.Canceled, c.Clamped = c.Canceled+more.Canceled, c.Clamped+more.Clamped
	c.Failures.add(more.Failures)
	c.Rules.add(more.Rules)
	c.Statuses.add(more.Statuses)
	c.slow(more.Slow...)
	for _, u := range more.Users {
		mine := c.user(u.Identity)
		mine.Classes.add(u.Classes)
		mine.Response.Add(u.Response)
	}
	for stage, end := range more.Ends {
		c.Ends[stage] = max(c.Ends[stage], end)
	}
	for at, d := range more.Times {
		c.Times.at(at).Add(d)
	}
}

// user is the entry of an identity, made where there was none.
func (c *counts) user(identity int) *user {
	i, found := slices.BinarySearchFunc(c.Users, identity, func(u user, n int) int { return cmp.Compare(u.Identity, n) })
	if !found {
		c.Users = slices.Insert(c.Users, i, user{Identity: identity, Response: new(Distribution)})
	}
	return &c.Users[i]
}

// slow keeps the slowest of what there is and what comes.
func (c *counts) slow(more ...Slow) {
	c.Slow = append(c.Slow, more...)
	slices.SortStableFunc(c.Slow, func(a, b Slow) int { return cmp.Compare(b.ResponseMS, a.ResponseMS) })
	c.Slow = c.Slow[:min(len(c.Slow), mostSlow)]
}
