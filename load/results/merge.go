package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/schedule"
)

// MergeOptions say which records make one run. That they belong together is for the caller to check.
type MergeOptions struct {
	Dir      string // the folder of the merged run; it must not hold a run
	Info     Info   // what the shards have in common, with the start; the rest is filled in
	Schedule *schedule.Schedule
	Shards   []*ShardRecord // at least one, none twice
	Notes    []string
}

// Merge writes the record of the whole run, as one process would have recorded it, and everything that is made from it.
// Histograms are added, thresholds judged again; whatever no record shows is unknown.
func Merge(o MergeOptions) (Run, error) {
	if err := o.check(); err != nil {
		return Run{}, err
	}
	slices.SortFunc(o.Shards, func(a, b *ShardRecord) int { return a.Info.Shard - b.Info.Shard })
	head := o.header()
	w, err := newJournal(o.Dir, "the merged run")
	if err != nil {
		return Run{}, err
	}
	defer w.file.Close()
	w.write(line{Type: lineRun, Header: &head})
	w.write(line{Type: lineStart, Start: &o.Info.StartedAt})
	mergeIntervals(o.Shards, w)
	w.write(line{Type: lineEnd, End: &ending{
		Run: o.ended(head.Merge), Notes: slices.Concat(o.Notes, notesOf(o.Shards)), Lines: w.lines,
	}})
	if err := cmp.Or(w.err, w.file.Sync()); err != nil {
		return Run{}, err
	}
	kept := mergeExchanges(o)
	run, err := Rebuild(o.Dir)
	return run, errors.Join(kept, err)
}

// check reports whether the records can be of this schedule.
func (o MergeOptions) check() error {
	left := o.Schedule.K()
	for _, s := range o.Shards {
		t := s.totals
		left -= max(t.head.Scheduled, 0)
		if len(t.head.Stages) != len(o.Schedule.Stages()) || s.Info.Shard < 0 || s.Info.Shard >= o.Info.Shards ||
			s.Info.Shards != o.Info.Shards || t.head.Scheduled < 0 || left < 0 {
			return fmt.Errorf("%s is damaged: its header does not match the plan in it",
				filepath.Join(s.Name, runfolder.IntervalsName))
		}
		if n := t.last.Sent; n > t.head.Scheduled || t.Canceled < 0 {
			return fmt.Errorf("%s is damaged: it holds %d requests, and its shard owns %d",
				filepath.Join(s.Name, runfolder.IntervalsName), n, t.head.Scheduled)
		}
	}
	if len(o.Shards) == o.Info.Shards && left > 0 {
		return fmt.Errorf("the records are damaged: together the shards own %d of %d requests", o.Schedule.K()-left,
			o.Schedule.K())
	}
	return nil
}

// header is that of the whole run.
func (o MergeOptions) header() header {
	head := o.Shards[0].totals.head
	spans := head.Stages
	head.Run, head.Stages = o.Info, nil
	head.Merge = compose(o.Shards, o.Info.Shards, o.Schedule.K())
	head.Scheduled, head.DurationNS, head.Unknown = o.Schedule.K(), int64(o.Schedule.Duration()), o.Schedule.K()
	for i, span := range spans {
		first, next, _, _ := o.Schedule.StageRange(i)
		span.Scheduled, span.Unknown = next-first, next-first
		head.Stages = append(head.Stages, span)
	}
	for _, s := range o.Shards {
		all, stages := s.accounted()
		head.Unknown -= all
		for i, n := range stages {
			head.Stages[i].Unknown = max(head.Stages[i].Unknown-n, 0)
		}
	}
	return head
}

// ended is what is known of the whole run at its end.
func (o MergeOptions) ended(m *Composition) Info {
	info := o.Info
	info.FinishedAt = info.StartedAt
	for _, s := range o.Shards {
		if s.Info.FinishedAt.After(info.FinishedAt) {
			info.FinishedAt = s.Info.FinishedAt
		}
	}
	for _, p := range m.Shards {
		info.Partial = info.Partial || p.State != Complete
		if p.Aborted != "" && info.Aborted == "" {
			info.Aborted = fmt.Sprintf("shard %d: %s", p.Shard, p.Aborted)
		}
	}
	return info
}

// notesOf gives the notes of all shards, one that several have only once.
func notesOf(shards []*ShardRecord) []string {
	const most = 40
	var order []string
	from := map[string][]Part{}
	for _, s := range shards {
		if s.end == nil {
			continue
		}
		for _, note := range s.end.Notes {
			if from[note] == nil {
				order = append(order, note)
			}
			from[note] = append(from[note], Part{Shard: s.Info.Shard})
		}
	}
	for i, note := range order {
		order[i] = Numbers(from[note]) + ": " + note
	}
	if n := len(order); n > most {
		order = append(order[:most], fmt.Sprintf("%d more notes are in the folders of the shards", n-most))
	}
	return order
}

// mergeExchanges keeps the first exchanges of each class of all shards, as far as they can be read.
func mergeExchanges(o MergeOptions) error {
	type kept struct {
		Class string    `json:"class"`
		At    time.Time `json:"at"`
		text  json.RawMessage
	}
	var all []kept
	for _, s := range o.Shards {
		file, err := runfolder.Open(filepath.Join(s.Dir, ExchangesName), runfolder.LargestProof)
		if err != nil {
			continue // it had none
		}
		for in := json.NewDecoder(file); ; {
			var x kept
			if in.Decode(&x.text) != nil || json.Unmarshal(x.text, &x) != nil {
				break // the end, or what a process left that was killed
			}
			all = append(all, x)
		}
		_ = file.Close()
	}
	slices.SortStableFunc(all, func(a, b kept) int { return a.At.Compare(b.At) })
	taken := map[string]int{}
	all = slices.DeleteFunc(all, func(x kept) bool {
		taken[x.Class]++
		return taken[x.Class] > keptEach
	})
	if len(all) == 0 {
		return nil
	}
	return runfolder.Replace(o.Dir, ExchangesName, 0o600, func(w io.Writer) error {
		for _, x := range all {
			if _, err := w.Write(append(x.text, '\n')); err != nil {
				return err
			}
		}
		return nil
	})
}
