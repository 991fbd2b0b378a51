package results

import (
	"cmp"
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
	if d[s] == nil {
		d[s] = new(Distribution)
	}
	return d[s]
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

// counts is what adds up: over workers, over intervals, over shards.
type counts struct {
	Canceled int64            `json:"canceled,omitempty"`
	Failures map[string]int64 `json:"failures,omitempty"` // no answer, by kind
	Rules    map[string]int64 `json:"rules,omitempty"`    // violated
	Statuses map[string]int64 `json:"statuses,omitempty"` // of answers that were not as they should be
	Slow     []Slow           `json:"slow,omitempty"`     // what took longest, slowest first
	Users    []user           `json:"users,omitempty"`
	Clamped  int64            `json:"clamped,omitempty"` // requests that took longer than distributions can say
	Ends     map[int]int64    `json:"ends_ns,omitempty"` // by stage, from 1: when its last request so far began

	times distributions
}

// user is what became of the requests of one identity.
type user struct {
	Identity int              `json:"identity"`
	Classes  map[string]int64 `json:"classes"`
	HDR      string           `json:"hdr"` // of response

	response *Distribution
}

// add counts what others have counted.
func (c *counts) add(more *counts) {
	c.Canceled, c.Clamped = c.Canceled+more.Canceled, c.Clamped+more.Clamped
	sum(&c.Failures, more.Failures)
	sum(&c.Rules, more.Rules)
	sum(&c.Statuses, more.Statuses)
	c.Slow = slowest(append(c.Slow, more.Slow...))
	for _, u := range more.Users {
		mine := c.user(u.Identity)
		sum(&mine.Classes, u.Classes)
		mine.response.Add(u.response)
	}
	for stage, end := range more.Ends {
		c.end(stage, end)
	}
	for at, d := range more.times {
		c.at(at).Add(d)
	}
}

func (c *counts) at(s slot) *Distribution {
	if c.times == nil {
		c.times = distributions{}
	}
	return c.times.at(s)
}

// end notes when a request of a stage, from 1, began.
func (c *counts) end(stage int, began int64) {
	if c.Ends == nil {
		c.Ends = map[int]int64{}
	}
	c.Ends[stage] = max(c.Ends[stage], began)
}

// user is the entry of an identity, made where there was none.
func (c *counts) user(identity int) *user {
	i, found := slices.BinarySearchFunc(c.Users, identity, func(u user, n int) int { return cmp.Compare(u.Identity, n) })
	if !found {
		c.Users = slices.Insert(c.Users, i, user{Identity: identity, response: new(Distribution)})
	}
	return &c.Users[i]
}

// sum adds counts to a map, which is made where there are some.
func sum(into *map[string]int64, counts map[string]int64) {
	if *into == nil && len(counts) > 0 {
		*into = map[string]int64{}
	}
	for name, n := range counts {
		(*into)[name] += n
	}
}

// count counts one.
func count(into *map[string]int64, name string) { sum(into, map[string]int64{name: 1}) }

func slowest(list []Slow) []Slow {
	slices.SortStableFunc(list, func(a, b Slow) int { return cmp.Compare(b.ResponseMS, a.ResponseMS) })
	return list[:min(len(list), mostSlow)]
}
