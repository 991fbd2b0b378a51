package results

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// slot is what a distribution of a stage is of.
type slot struct {
	Class string         `json:"class,omitempty"` // empty for lag and file
	Time  threshold.Time `json:"time"`
}

// slots are in the order in which they are recorded: service and response time of each class, lag, file.
var slots = func() (list [2*judge.NumClasses + 2]slot) {
	for _, c := range judge.Classes() {
		list[serviceSlot(c)], list[responseSlot(c)] = slot{c.String(), threshold.Service}, slot{c.String(), threshold.Response}
	}
	list[lagSlot], list[fileSlot] = slot{Time: threshold.Lag}, slot{Time: threshold.File}
	return list
}()

const lagSlot, fileSlot = 2 * judge.NumClasses, 2*judge.NumClasses + 1

func serviceSlot(c judge.Class) int  { return 2 * int(c) }
func responseSlot(c judge.Class) int { return 2*int(c) + 1 }

// distributions are the times of each stage, from 1, by slot; those of no stage are under 0.
type distributions map[int]*[len(slots)]Distribution

// at gives the times of a stage, to be changed.
func (d *distributions) at(stage int) *[len(slots)]Distribution {
	if *d == nil {
		*d = distributions{}
	}
	if (*d)[stage] == nil {
		(*d)[stage] = new([len(slots)]Distribution)
	}
	return (*d)[stage]
}

// measured is a distribution as records and HdrHistogram logs hold it.
type measured struct {
	Stage int `json:"stage,omitempty"`
	slot
	MaxMS float64       `json:"max_ms"`
	HDR   *Distribution `json:"hdr"`
}

// list gives what was measured, by stage and slot.
func (d distributions) list() (all []measured) {
	for _, stage := range slices.Sorted(maps.Keys(d)) {
		for i := range d[stage] {
			if one := &d[stage][i]; one.Count() > 0 {
				all = append(all, measured{stage, slots[i], millis(one.Quantile(100)), one})
			}
		}
	}
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
		i := slices.Index(slots[:], m.slot)
		switch {
		case !slices.Contains(threshold.Names(), m.Time):
		case i < 0 || m.HDR == nil:
			return fmt.Errorf("unknown class %q of %s", m.Class, m.Time)
		case d.at(m.Stage)[i].Count() > 0:
			d.at(m.Stage)[i].Add(m.HDR)
		default:
			d.at(m.Stage)[i] = *m.HDR // with its text
		}
	}
	return nil
}

// add sums distributions.
func (d *distributions) add(more distributions) {
	for stage, all := range more {
		for i := range all {
			d.at(stage)[i].Add(&all[i])
		}
	}
}

// of puts one time of all stages together: of one class or, without a name, of all.
func (d distributions) of(time threshold.Time, class string) *Distribution {
	sum := new(Distribution)
	for i, s := range slots {
		if s.Time == time && (class == "" || s.Class == class) {
			for _, stage := range d {
				sum.Add(&stage[i])
			}
		}
	}
	return sum
}

func (d distributions) latency(class string) Latency {
	return Latency{timesOf(d.of(threshold.Service, class)), timesOf(d.of(threshold.Response, class))}
}

// classes counts requests by class.
func (d distributions) classes() (n [judge.NumClasses]int64) {
	for _, stage := range d {
		for c := range n {
			n[c] += stage[serviceSlot(judge.Class(c))].Count()
		}
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
