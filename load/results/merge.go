package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
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
// Histograms are added, thresholds judged again; whatever no record tells is unknown.
func Merge(o MergeOptions) (Run, error) {
	slices.SortFunc(o.Shards, func(a, b *ShardRecord) int { return a.Info.Shard - b.Info.Shard })
	for _, s := range o.Shards {
		if err := s.fits(o.Schedule, o.Info.Shards); err != nil {
			return Run{}, err
		}
	}
	m, moves := describe(o)
	head := mergedHeader(o, m)
	notes := append([]string{}, o.Notes...)
	notes = append(notes, notesOf(o.Shards)...)
	file, err := os.OpenFile(filepath.Join(o.Dir, runfolder.IntervalsName),
		os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return Run{}, fmt.Errorf("cannot record the merged run: %w; choose another folder with --out", err)
	}
	defer file.Close()
	w := &lineWriter{file: file}
	w.write(line{Type: lineRun, Header: &head})
	w.write(line{Type: lineStart, Start: &o.Info.StartedAt})
	left := mergeIntervals(o, moves, w)
	for _, move := range left {
		notes = append(notes, fmt.Sprintf("request %d violates %s, and is not in the counts: the record of its shard "+
			"lacks it", move.K, move.rule))
	}
	if few := m.Crossing.Groups - m.Crossing.Judged; few > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d repeats across shards were not judged: one of the requests has "+
			"no clear outcome", few, m.Crossing.Groups))
	}
	kept, err := mergeExchanges(o, moves)
	notes = append(notes, kept...)
	errs := []error{err}
	w.write(line{Type: lineEnd, End: &ending{Run: ended(o, head), Notes: notes, Lines: w.lines}})
	if err := errors.Join(w.err, file.Sync()); err != nil {
		return Run{}, fmt.Errorf("cannot record the merged run: %w", err)
	}
	run, err := Rebuild(o.Dir)
	return run, errors.Join(append(errs, err)...)
}

// fits reports whether a record can be of this schedule.
func (s *ShardRecord) fits(plan *schedule.Schedule, shards int) error {
	t := s.reading.totals
	fits := len(t.head.Stages) == len(plan.Stages()) && s.Info.Shard >= 0 &&
		s.Info.Shard < shards && s.Info.Shards == shards &&
		t.head.Scheduled == plan.Count(s.Info.Shard, shards)
	for i := 0; fits && i < len(t.head.Stages); i++ {
		first, next, _, _ := plan.StageRange(i)
		fits = t.head.Stages[i].Scheduled == share(next, s.Info)-share(first, s.Info)
	}
	if !fits {
		return fmt.Errorf("%s is damaged: its header does not match the plan in it",
			filepath.Join(s.Name, runfolder.IntervalsName))
	}
	if n := max(t.last.Sent, t.recorded()); n > t.head.Scheduled || t.canceled < 0 {
		return fmt.Errorf("%s is damaged: it tells of %d requests, and its shard owns %d",
			filepath.Join(s.Name, runfolder.IntervalsName), n, t.head.Scheduled)
	}
	return nil
}

// describe says what there is of each shard, and judges what crosses shards.
func describe(o MergeOptions) (*Composition, []move) {
	m := &Composition{}
	have := map[int]*ShardRecord{}
	whole := len(o.Shards) == o.Info.Shards
	var dropped int64
	for _, s := range o.Shards {
		have[s.Info.Shard] = s
		whole = whole && s.reading.whole()
		dropped += s.dropped
	}
	for i := range o.Info.Shards {
		p := missing(i, o.Info.Shards, o.Schedule)
		if s := have[i]; s != nil {
			p = s.part()
		}
		m.Known += p.Known
		m.Unknown += p.Scheduled - p.Known
		m.Shards = append(m.Shards, p)
	}
	m.Share = float64(m.Known) / float64(m.Known+m.Unknown)
	m.skew()
	var moves []move
	m.Crossing, moves = reconcile(o.Shards, o.Schedule, whole && dropped == 0)
	return m, moves
}

func mergedHeader(o MergeOptions, m *Composition) header {
	first := o.Shards[0].reading.totals.head
	head := header{
		Schema: Schema, Run: o.Info, Plan: o.Shards[0].Plan, Scheduled: o.Schedule.K(),
		DurationNS: int64(o.Schedule.Duration()), Thresholds: first.Thresholds,
		FailOnMisblock: first.FailOnMisblock, LagLimitNS: first.LagLimitNS,
		CPUs: first.CPUs, Merge: m, Users: first.Users,
	}
	for i, span := range first.Stages {
		begin, next, _, _ := o.Schedule.StageRange(i)
		span.Scheduled, span.Unknown = next-begin, 0
		for _, p := range m.Shards {
			if p.State == Missing {
				info := Info{Shard: p.Shard, Shards: o.Info.Shards}
				span.Unknown += share(next, info) - share(begin, info)
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
		if s.reading.end == nil {
			continue
		}
		for _, note := range s.reading.end.Notes {
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

// lineWriter writes lines; the first error stays.
type lineWriter struct {
	file  *os.File
	lines int
	err   error
}

func (w *lineWriter) write(l line) {
	if w.err != nil {
		return
	}
	data, err := json.Marshal(l)
	if err == nil {
		_, err = w.file.Write(append(data, '\n'))
	}
	w.lines++
	w.err = err
}
