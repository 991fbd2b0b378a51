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

type countsByName[K comparable] map[K]int64

func (t *countsByName[K]) add(name K, n int64) {
	if *t == nil {
		*t = countsByName[K]{}
	}
	(*t)[name] += n
}

func (t *countsByName[K]) sum(more countsByName[K]) {
	for name, n := range more {
		t.add(name, n)
	}
}

// intervalCounts holds the counts that are summed over intervals and shards. The zero value
// counts nothing.
type intervalCounts struct {
	Canceled  int64                 `json:"canceled,omitempty"`
	Queued    int64                 `json:"queued,omitempty"`       // sent late for lack of a worker
	Failures  countsByName[string]  `json:"failures,omitempty"`     // requests without an answer
	Rules     countsByName[string]  `json:"rules,omitempty"`        // violations
	Statuses  countsByName[string]  `json:"statuses,omitempty"`     // bad answers
	Codes     countsByName[int]     `json:"status_codes,omitempty"` // all answers
	Bytes     BodyBytes             `json:"bytes,omitzero"`
	LastBegun map[int]time.Duration `json:"ends_ns,omitempty"` // start of each stage's last request
	Times     distributionSet       `json:"histograms,omitempty"`
	// requests that the generator sent late, by stage and class
	Late map[int]countsByName[string] `json:"late,omitempty"`
}

func (c *intervalCounts) add(more *intervalCounts) {
	c.Canceled += more.Canceled
	c.Queued += more.Queued
	c.Failures.sum(more.Failures)
	c.Rules.sum(more.Rules)
	c.Statuses.sum(more.Statuses)
	c.Codes.sum(more.Codes)
	c.Bytes.In, c.Bytes.Out = c.Bytes.In+more.Bytes.In, c.Bytes.Out+more.Bytes.Out
	for stage, at := range more.LastBegun {
		c.recordBegun(stage, at)
	}
	c.Times.add(more.Times)
	for stage, late := range more.Late {
		for class, n := range late {
			c.addLate(stage, class, n)
		}
	}
}

func (c *intervalCounts) addLate(stage int, class string, n int64) {
	if c.Late == nil {
		c.Late = map[int]countsByName[string]{}
	}
	late := c.Late[stage]
	late.add(class, n)
	c.Late[stage] = late
}

// lateByClass counts the late requests of a stage, or of all if stage is 0.
func (c *intervalCounts) lateByClass(stage int) (n [judge.NumClasses]int64) {
	for of, late := range c.Late {
		for name, count := range late {
			if class, known := judge.ClassByName(name); known && (stage == 0 || of == stage) {
				n[class] += count
			}
		}
	}
	return n
}

// countKnown counts the requests whose outcome is known.
func (c *intervalCounts) countKnown() int64 { return c.Canceled + c.Times.count() }

func (c *intervalCounts) recordBegun(stage int, at time.Duration) {
	if c.LastBegun == nil {
		c.LastBegun = map[int]time.Duration{}
	}
	c.LastBegun[stage] = max(c.LastBegun[stage], at)
}

// record counts a result. It allocates nothing in the common case.
func (c *intervalCounts) record(stage int, x *engine.RequestResult) {
	v := x.Judgement
	if v.Failure == judge.FailureCanceled {
		c.Canceled++
		return
	}
	c.Times.forKey(distributionKey{stage, v.Class.String(), threshold.TimeService}).Record(x.Service)
	c.Times.forKey(distributionKey{stage, v.Class.String(), threshold.TimeResponse}).Record(x.Response)
	if x.Queued {
		c.Queued++
	} else {
		if x.Lag > maxTrustedLag {
			c.addLate(stage, v.Class.String(), 1)
		}
		c.Times.forKey(distributionKey{Stage: stage, Time: threshold.TimeLag}).Record(x.Lag)
	}
	c.recordBegun(stage, x.Intended+x.Lag)
	c.Bytes.In += int64(len(x.Body))
	if x.Request != nil {
		c.Bytes.Out += int64(len(x.Request.Body))
	}
	if x.Status > 0 {
		c.Codes.add(x.Status, 1)
	}
	if v.Failure != judge.FailureNone {
		c.Failures.add(v.Failure.String(), 1)
	}
	if v.Rule != "" {
		c.Rules.add(v.Rule, 1)
	}
	if v.Class.IsBad() && x.Status > 0 {
		c.Statuses.add(strconv.Itoa(x.Status), 1)
	}
}

type distributionKey struct {
	Stage int                `json:"stage,omitempty"` // from 1; 0: no stage
	Class string             `json:"class,omitempty"` // empty for lag and file
	Time  threshold.TimeKind `json:"time"`
}

type distributionSet map[distributionKey]*Distribution

// forKey returns the distribution of a key and creates it if there is none.
func (d *distributionSet) forKey(key distributionKey) *Distribution {
	if *d == nil {
		*d = distributionSet{}
	}
	if (*d)[key] == nil {
		(*d)[key] = new(Distribution)
	}
	return (*d)[key]
}

type distributionRecord struct {
	distributionKey
	MaxMS float64       `json:"max_ms"`
	HDR   *Distribution `json:"hdr"`
}

// records lists the distributions, sorted by stage, class and time.
func (d distributionSet) records() (all []distributionRecord) {
	for s, one := range d {
		all = append(all, distributionRecord{s, Milliseconds(one.Quantile(100)), one})
	}
	slices.SortFunc(all, func(a, b distributionRecord) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Class, b.Class),
			cmp.Compare(a.Time, b.Time))
	})
	return all
}

// MarshalJSON implements json.Marshaler.
func (d distributionSet) MarshalJSON() ([]byte, error) { return json.Marshal(d.records()) }

// UnmarshalJSON implements json.Unmarshaler. It ignores kinds of times that it does not know.
func (d *distributionSet) UnmarshalJSON(data []byte) error {
	var all []distributionRecord
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	for _, m := range all {
		_, known := judge.ClassByName(m.Class)
		switch {
		case !slices.Contains(threshold.TimeNames(), m.Time):
		case m.HDR == nil, known != (m.Time == threshold.TimeService || m.Time == threshold.TimeResponse):
			return fmt.Errorf("unknown class %q of %s", m.Class, m.Time)
		default:
			d.forKey(m.distributionKey).Add(m.HDR)
		}
	}
	return nil
}

func (d *distributionSet) add(more distributionSet) {
	for s, one := range more {
		d.forKey(s).Add(one)
	}
}

// overStages returns the distribution of one time over all stages, for one class or, if class is
// "", for all.
func (d distributionSet) overStages(time threshold.TimeKind, class string) *Distribution {
	sum := new(Distribution)
	for s, one := range d {
		if s.Time == time && (class == "" || s.Class == class) {
			sum.Add(one)
		}
	}
	return sum
}

func (d distributionSet) latencyOf(class string) ServiceAndResponse {
	service := d.overStages(threshold.TimeService, class)
	response := d.overStages(threshold.TimeResponse, class)
	return ServiceAndResponse{newDurationStats(service), newDurationStats(response)}
}

func (d distributionSet) countByClass() (n [judge.NumClasses]int64) {
	for s, one := range d {
		if class, known := judge.ClassByName(s.Class); known && s.Time == threshold.TimeService {
			n[class] += one.Count()
		}
	}
	return n
}

func (d distributionSet) count() int64 {
	return threshold.CountValues{Classes: d.countByClass()}.Sent()
}

// snapshot returns the values of thresholds. Requests that were sent late count only as such.
func (d distributionSet) snapshot(
	r Rate, late [judge.NumClasses]int64, followed *files.Counts,
) threshold.Snapshot {
	of := func(time threshold.TimeKind) threshold.Distribution { return d.overStages(time, "") }
	s := threshold.Snapshot{Times: of, Target: r.Target}
	s.Classes = d.countByClass()
	sent := s.Sent()
	for class, n := range late {
		s.Classes[class] -= n
		s.Late += n
	}
	if sent > 0 {
		s.Achieved = r.Achieved * float64(sent-s.Late) / float64(sent)
		s.LateRate = r.Achieved - s.Achieved
		s.Accepted = r.Achieved * float64(s.Classes[judge.ClassAccepted]) / float64(sent)
	}
	if followed != nil {
		s.FilesFailed, s.FilesReady = followed.Failed, followed.Ready
	}
	return s
}
