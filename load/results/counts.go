package results

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

type tally[K comparable] map[K]int64

func (t *tally[K]) add(name K, n int64) {
	if *t == nil {
		*t = tally[K]{}
	}
	(*t)[name] += n
}

func (t *tally[K]) sum(more tally[K]) {
	for name, n := range more {
		t.add(name, n)
	}
}

// counts is what adds up over intervals and shards. The zero value counts nothing.
type counts struct {
	Canceled  int64                 `json:"canceled,omitempty"`
	Failures  tally[string]         `json:"failures,omitempty"`     // requests without an answer
	Rules     tally[string]         `json:"rules,omitempty"`        // violations
	Statuses  tally[string]         `json:"statuses,omitempty"`     // bad answers
	Codes     tally[int]            `json:"status_codes,omitempty"` // all answers
	Bytes     Bytes                 `json:"bytes,omitzero"`
	LastBegun map[int]time.Duration `json:"ends_ns,omitempty"` // when each stage began its last
	Times     distributions         `json:"histograms,omitempty"`
}

func (c *counts) add(more *counts) {
	c.Canceled += more.Canceled
	c.Failures.sum(more.Failures)
	c.Rules.sum(more.Rules)
	c.Statuses.sum(more.Statuses)
	c.Codes.sum(more.Codes)
	c.Bytes.In, c.Bytes.Out = c.Bytes.In+more.Bytes.In, c.Bytes.Out+more.Bytes.Out
	for stage, at := range more.LastBegun {
		c.begun(stage, at)
	}
	c.Times.add(more.Times)
}

// recorded counts the requests whose outcome is known.
func (c *counts) recorded() int64 { return c.Canceled + c.Times.count() }

func (c *counts) begun(stage int, at time.Duration) {
	if c.LastBegun == nil {
		c.LastBegun = map[int]time.Duration{}
	}
	c.LastBegun[stage] = max(c.LastBegun[stage], at)
}

// record counts a result. It allocates nothing for what is common.
func (c *counts) record(stage int, x *engine.Result) {
	v := x.Verdict
	if v.Failure == judge.Canceled {
		c.Canceled++
		return
	}
	c.Times.at(slot{stage, v.Class.String(), threshold.Service}).Record(x.Service)
	c.Times.at(slot{stage, v.Class.String(), threshold.Response}).Record(x.Response)
	if !x.Queued {
		c.Times.at(slot{Stage: stage, Time: threshold.Lag}).Record(x.Lag)
	}
	c.begun(stage, x.Intended+x.Lag)
	c.Bytes.In += int64(len(x.Body))
	if x.Request != nil {
		c.Bytes.Out += int64(len(x.Request.Body))
	}
	if x.Status > 0 {
		c.Codes.add(x.Status, 1)
	}
	if v.Failure != judge.NoFailure {
		c.Failures.add(v.Failure.String(), 1)
	}
	if v.Rule != "" {
		c.Rules.add(v.Rule, 1)
	}
	if v.Class.Bad() && x.Status > 0 {
		c.Statuses.add(strconv.Itoa(x.Status), 1)
	}
}

type slot struct {
	Stage int            `json:"stage,omitempty"` // from 1; 0: of none
	Class string         `json:"class,omitempty"` // empty for lag and file
	Time  threshold.Time `json:"time"`
}

type distributions map[slot]*Distribution

// at returns the distribution of a slot, to be changed.
func (d *distributions) at(s slot) *Distribution {
	if *d == nil {
		*d = distributions{}
	}
	if (*d)[s] == nil {
		(*d)[s] = new(Distribution)
	}
	return (*d)[s]
}

type measured struct {
	slot
	MaxMS float64       `json:"max_ms"`
	HDR   *Distribution `json:"hdr"`
}

// list is sorted by stage, class and time.
func (d distributions) list() (all []measured) {
	for s, one := range d {
		all = append(all, measured{s, millis(one.Quantile(100)), one})
	}
	slices.SortFunc(all, func(a, b measured) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Class, b.Class),
			cmp.Compare(a.Time, b.Time))
	})
	return all
}

// MarshalJSON implements json.Marshaler.
func (d distributions) MarshalJSON() ([]byte, error) { return json.Marshal(d.list()) }

// UnmarshalJSON implements json.Unmarshaler. Times that later versions add are left out.
func (d *distributions) UnmarshalJSON(data []byte) error {
	var all []measured
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	for _, m := range all {
		_, known := judge.Named(m.Class)
		switch {
		case !slices.Contains(threshold.Names(), m.Time):
		case m.HDR == nil, known != (m.Time == threshold.Service || m.Time == threshold.Response):
			return fmt.Errorf("unknown class %q of %s", m.Class, m.Time)
		default:
			d.at(m.slot).Add(m.HDR)
		}
	}
	return nil
}

func (d *distributions) add(more distributions) {
	for s, one := range more {
		d.at(s).Add(one)
	}
}

// of sums one time over all stages: of one class or, without a name, of all.
func (d distributions) of(time threshold.Time, class string) *Distribution {
	sum := new(Distribution)
	for s, one := range d {
		if s.Time == time && (class == "" || s.Class == class) {
			sum.Add(one)
		}
	}
	return sum
}

func (d distributions) latency(class string) Latency {
	service, response := d.of(threshold.Service, class), d.of(threshold.Response, class)
	return Latency{timesOf(service), timesOf(response)}
}

func (d distributions) classes() (n [judge.NumClasses]int64) {
	for s, one := range d {
		if class, known := judge.Named(s.Class); known && s.Time == threshold.Service {
			n[class] += one.Count()
		}
	}
	return n
}

func (d distributions) count() int64 { return threshold.Numbers{Classes: d.classes()}.Sent() }

func (d distributions) snapshot(r Rate, followed *files.Counts) threshold.Snapshot {
	of := func(time threshold.Time) threshold.Times { return d.of(time, "") }
	s := threshold.Snapshot{Times: of, Target: r.Target, Achieved: r.Achieved}
	s.Classes = d.classes()
	if followed != nil {
		s.FilesFailed, s.FilesReady = followed.Failed, followed.Ready
	}
	return s
}
