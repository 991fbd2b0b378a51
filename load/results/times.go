package results

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// slot is what a distribution is of.
type slot struct {
	Stage int            `json:"stage,omitempty"` // from 1; 0: of none
	Class string         `json:"class,omitempty"` // empty for lag and file
	Time  threshold.Time `json:"time"`
}

// distributions are the times that were measured.
type distributions map[slot]*Distribution

// at gives the times of a slot, to be changed.
func (d *distributions) at(s slot) *Distribution {
	if *d == nil {
		*d = distributions{}
	}
	if (*d)[s] == nil {
		(*d)[s] = new(Distribution)
	}
	return (*d)[s]
}

// measured is a distribution as records and HdrHistogram logs hold it.
type measured struct {
	slot
	MaxMS float64       `json:"max_ms"`
	HDR   *Distribution `json:"hdr"`
}

// list gives what was measured, by stage, class and time.
func (d distributions) list() (all []measured) {
	for s, one := range d {
		all = append(all, measured{s, millis(one.Quantile(100)), one})
	}
	slices.SortFunc(all, func(a, b measured) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Time, b.Time))
	})
	return all
}

// MarshalJSON writes a list.
func (d distributions) MarshalJSON() ([]byte, error) { return json.Marshal(d.list()) }

// UnmarshalJSON reads one. What later versions measure beside these times is left out.
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

// add sums distributions.
func (d *distributions) add(more distributions) {
	for s, one := range more {
		d.at(s).Add(one)
	}
}

// of puts one time of all stages together: of one class or, without a name, of all.
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
	return Latency{timesOf(d.of(threshold.Service, class)), timesOf(d.of(threshold.Response, class))}
}

// classes counts requests by class.
func (d distributions) classes() (n [judge.NumClasses]int64) {
	for s, one := range d {
		if class, known := judge.Named(s.Class); known && s.Time == threshold.Service {
			n[class] += one.Count()
		}
	}
	return n
}

// count is how many requests were measured.
func (d distributions) count() int64 { return threshold.Numbers{Classes: d.classes()}.Sent() }

// snapshot is what thresholds see.
func (d distributions) snapshot(r Rate, followed *files.Counts) threshold.Snapshot {
	of := func(time threshold.Time) threshold.Times { return d.of(time, "") }
	s := threshold.Snapshot{Times: of, Target: r.Target, Achieved: r.Achieved}
	s.Classes = d.classes()
	if followed != nil {
		s.FilesFailed, s.FilesReady = followed.Failed, followed.Ready
	}
	return s
}
