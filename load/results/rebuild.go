package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// Rebuild makes the run of what its interval records hold and writes run.json, histograms.hlog and series.csv anew. A
// run whose process was killed is partial and lacks at most its last two seconds; what was sent and not recorded is
// called unknown.
func Rebuild(dir string) (Run, error) {
	run, err := Read(dir)
	if err != nil {
		return run, err
	}
	return run, write(dir, run)
}

// Read is Rebuild without writing anything.
func Read(dir string) (Run, error) {
	r, err := readRecord(dir)
	if err != nil {
		return Run{}, err
	}
	t, info := r.totals, r.totals.head.Run
	if !r.start.IsZero() {
		info.StartedAt = r.start
	}
	var notes []string
	switch {
	case r.end == nil:
		info.FinishedAt = info.StartedAt.Add(t.elapsed())
		notes = append(notes, fmt.Sprintf("the run was cut off; what it recorded in its first %s is all "+
			"there is", t.elapsed().Round(time.Millisecond)))
	case r.end.Lines != r.lines:
		info, notes, t.unsent = r.end.Run, r.end.Notes, r.end.Unsent
		notes = append(notes, fmt.Sprintf("%s lacks lines: %d of %d could be read",
			runfolder.IntervalsName, r.lines, r.end.Lines))
	default:
		info, notes, t.unsent = r.end.Run, r.end.Notes, r.end.Unsent
	}
	if r.damage != nil {
		notes = append(notes, fmt.Sprintf("%s is damaged: %v", runfolder.IntervalsName, r.damage))
	}
	info.Partial = info.Partial || !r.whole()
	return t.assemble(info, notes), nil
}

// ErrEmpty is a record whose process was killed before it had written the first line.
var ErrEmpty = errors.New("it is empty")

// reading is a record as far as it could be read.
type reading struct {
	totals *totals
	start  time.Time // zero: nothing was to be sent yet
	end    *ending   // nil: the process was killed
	lines  int       // before the end
	damage error     // where reading stopped early
}

// whole reports whether nothing is missing.
func (r *reading) whole() bool { return r.end != nil && r.end.Lines == r.lines && r.damage == nil }

// take adds a line of the record.
func (r *reading) take(l line) error {
	switch i := l.Interval; {
	case r.totals == nil:
		if l.Type != lineRun || l.Header == nil {
			return errors.New("its first line is not the header of a load run")
		}
		if l.Header.Schema != Schema {
			return fmt.Errorf("it is of schema %q, not %q", l.Header.Schema, Schema)
		}
		r.totals = newTotals(*l.Header)
	case r.end != nil:
	case l.Type == lineStart && l.Start != nil:
		r.start = *l.Start
	case l.Type == lineInterval && i != nil:
		if i.ToNS < i.FromNS || i.FromNS < 0 {
			return fmt.Errorf("interval %d ends before it starts", i.N)
		}
		r.totals.add(i)
	case l.Type == lineEnd && l.End != nil:
		r.end = l.End
		return nil
	}
	if r.end == nil {
		r.lines++
	}
	return nil
}

// readRecord reads the interval records of a folder.
func readRecord(dir string) (*reading, error) {
	r, n := &reading{}, 0
	for l, err := range lines[line](dir) {
		n++
		if err == nil {
			if err = r.take(l); err != nil {
				err = fmt.Errorf("line %d: %w", n, err)
			}
		}
		if r.damage = err; err != nil {
			break
		}
	}
	if r.totals == nil {
		return nil, fmt.Errorf("%s cannot be read: %w", filepath.Join(dir, runfolder.IntervalsName),
			cmp.Or(r.damage, ErrEmpty))
	}
	return r, nil
}

// Load reads a recorded run: run.json of a folder, or, when that is missing or unreadable, what the interval records
// hold. path may also name run.json itself.
func Load(path string) (Run, error) {
	dir := path
	if info, err := os.Stat(path); err != nil {
		return Run{}, fmt.Errorf("no recorded run: %w", err)
	} else if !info.IsDir() {
		dir = filepath.Dir(path)
	}
	name := filepath.Join(dir, runfolder.RunName)
	data, err := runfolder.ReadRecord(name)
	if err != nil {
		return Read(dir)
	}
	var run Run
	err = json.Unmarshal(data, &run)
	var kind struct{ Schema string }
	switch _ = json.Unmarshal(data, &kind); {
	case kind.Schema != "" && kind.Schema != Schema:
		return Run{}, fmt.Errorf("%s is of schema %q, not a load run that this version reads (%q)", name, kind.Schema,
			Schema)
	case err == nil && kind.Schema != "":
		return run, nil
	case err == nil:
		err = errors.New("it names no schema")
	}
	rebuilt, again := Read(dir)
	if again != nil {
		return Run{}, fmt.Errorf("%s is not a recorded run: %w; and %w", name, err, again)
	}
	rebuilt.Notes = append(rebuilt.Notes, "read from "+runfolder.IntervalsName+", as "+runfolder.RunName+" "+
		"cannot be read")
	return rebuilt, nil
}
