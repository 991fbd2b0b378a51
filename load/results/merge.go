package results

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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
	slices.SortFunc(o.Shards, func(a, b *ShardRecord) int { return a.Info.Shard - b.Info.Shard })
	for _, s := range o.Shards {
		if err := s.fits(o.Schedule, o.Info.Shards); err != nil {
			return Run{}, err
		}
	}
	m, moves := describe(o)
	head := mergedHeader(o, m)
	w, err := newJournal(o.Dir, "the merged run")
	if err != nil {
		return Run{}, err
	}
	defer w.file.Close()
	w.write(line{Type: lineRun, Header: &head})
	w.write(line{Type: lineStart, Start: &o.Info.StartedAt})
	notes := slices.Concat(o.Notes, notesOf(o.Shards))
	for _, move := range mergeIntervals(o, moves, w) {
		notes = append(notes, fmt.Sprintf("request %d violates %s, and is not in the counts: the record of its shard "+
			"lacks it", move.K, move.rule))
	}
	if few := m.Crossing.Groups - m.Crossing.Judged; few > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d repeats across shards were not judged: one of the requests has "+
			"no clear outcome", few, m.Crossing.Groups))
	}
	kept, lost := mergeExchanges(o, moves)
	notes = append(notes, kept...)
	w.write(line{Type: lineEnd, End: &ending{Run: ended(o, head), Notes: notes, Lines: w.lines}})
	if err := w.file.Sync(); w.err == nil && err != nil {
		w.err = fmt.Errorf("cannot record the merged run: %w", err)
	}
	if w.err != nil {
		return Run{}, w.err
	}
	run, err := Rebuild(o.Dir)
	return run, errors.Join(lost, err)
}

// fits reports whether a record can be of this schedule.
func (s *ShardRecord) fits(plan *schedule.Schedule, shards int) error {
	t := s.totals
	fits := len(t.head.Stages) == len(plan.Stages()) && s.Info.Shard >= 0 &&
		s.Info.Shard < shards && s.Info.Shards == shards &&
		t.head.Scheduled == plan.Count(s.Info.Shard, shards)
	for i := 0; fits && i < len(t.head.Stages); i++ {
		first, next, _, _ := plan.StageRange(i)
		fits = t.head.Stages[i].Scheduled == s.Info.share(next)-s.Info.share(first)
	}
	if !fits {
		return fmt.Errorf("%s is damaged: its header does not match the plan in it",
			filepath.Join(s.Name, runfolder.IntervalsName))
	}
	if n := t.last.Sent; n > t.head.Scheduled || t.canceled < 0 {
		return fmt.Errorf("%s is damaged: it holds %d requests, and its shard owns %d",
			filepath.Join(s.Name, runfolder.IntervalsName), n, t.head.Scheduled)
	}
	return nil
}

// describe says what there is of each shard, and judges what crosses shards.
func describe(o MergeOptions) (*Composition, []move) {
	m := &Composition{}
	for i := range o.Info.Shards {
		m.Shards = append(m.Shards, Part{
			Shard: i, State: Missing, Reason: "no record of it was given",
			Scheduled: o.Schedule.Count(i, o.Info.Shards),
		})
	}
	whole := len(o.Shards) == o.Info.Shards
	for _, s := range o.Shards {
		m.Shards[s.Info.Shard] = s.part()
		whole = whole && s.whole() && s.dropped == 0
	}
	for _, p := range m.Shards {
		m.Known += p.Known
		m.Unknown += p.Scheduled - p.Known
	}
	m.Share = float64(m.Known) / float64(m.Known+m.Unknown)
	m.skew()
	var moves []move
	m.Crossing, moves = reconcile(o.Shards, o.Schedule, whole)
	return m, moves
}

func mergedHeader(o MergeOptions, m *Composition) header {
	head := o.Shards[0].totals.head
	stages := head.Stages
	head.Run, head.Plan, head.Merge, head.Stages = o.Info, o.Shards[0].Plan, m, nil
	head.Scheduled, head.DurationNS, head.Unknown = o.Schedule.K(), int64(o.Schedule.Duration()), 0
	for i, span := range stages {
		begin, next, _, _ := o.Schedule.StageRange(i)
		span.Scheduled, span.Unknown = next-begin, 0
		for _, p := range m.Shards {
			if p.State == Missing {
				info := Info{Shard: p.Shard, Shards: o.Info.Shards}
				span.Unknown += info.share(next) - info.share(begin)
			}
		}
		for _, s := range o.Shards {
			span.Unknown += s.unknown(i)
		}
		head.Stages = append(head.Stages, span)
	}
	for _, p := range m.Shards {
		if p.State == Missing {
			head.Unknown += p.Scheduled
		}
	}
	for _, s := range o.Shards {
		head.Unknown += s.unheard()
	}
	return head
}

// ended is what is known of the whole run at its end.
func ended(o MergeOptions, head header) Info {
	info := head.Run
	for _, s := range o.Shards {
		if s.Info.FinishedAt.After(info.FinishedAt) {
			info.FinishedAt = s.Info.FinishedAt
		}
	}
	if info.FinishedAt.Before(info.StartedAt) {
		info.FinishedAt = info.StartedAt
	}
	for _, p := range head.Merge.Shards {
		info.Partial = info.Partial || p.State != Complete
		if p.Aborted != "" && info.Aborted == "" {
			info.Aborted = fmt.Sprintf("shard %d: %s", p.Shard, p.Aborted)
		}
	}
	return info
}

// mostNotes bounds the notes of shards that a merged run repeats.
const mostNotes = 40

// notesOf gives the notes of all shards, one that several have only once.
func notesOf(shards []*ShardRecord) []string {
	var order []string
	from := map[string][]int{}
	for _, s := range shards {
		if s.end == nil {
			continue
		}
		for _, note := range s.end.Notes {
			if strings.HasSuffix(note, LeftToMerge) || strings.HasPrefix(note, Unsent) { // said of its shard
				continue
			}
			if from[note] == nil {
				order = append(order, note)
			}
			from[note] = append(from[note], s.Info.Shard)
		}
	}
	var notes []string
	for i, note := range order {
		if i == mostNotes {
			return append(notes, fmt.Sprintf("%d more notes are in the folders of the shards", len(order)-i))
		}
		switch of := from[note]; len(of) {
		case 1:
			notes = append(notes, fmt.Sprintf("shard %d: %s", of[0], note))
		case shards[0].Info.Shards:
			notes = append(notes, "every shard: "+note)
		default:
			notes = append(notes, fmt.Sprintf("%d shards, first %d: %s", len(of), of[0], note))
		}
	}
	return notes
}
