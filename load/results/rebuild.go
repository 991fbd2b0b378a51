package results

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
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
	t := r.totals
	var notes []string
	info := t.head.Run
	if !r.start.IsZero() {
		info.StartedAt = r.start
	}
	if r.end != nil {
		info, notes, t.unsent = r.end.Run, r.end.Notes, r.end.Unsent
		if r.end.Lines != r.lines {
			notes = append(notes, fmt.Sprintf("%s lacks lines: %d of %d could be read",
				runfolder.IntervalsName, r.lines, r.end.Lines))
			info.Partial = true
		}
	} else {
		info.Partial = true
		info.FinishedAt = info.StartedAt.Add(t.elapsed())
		notes = append(notes, fmt.Sprintf("the run was cut off; what it recorded in its first %s is all "+
			"there is", t.elapsed().Round(time.Millisecond)))
	}
	if r.damage != nil {
		notes = append(notes, fmt.Sprintf("%s is damaged: %v", runfolder.IntervalsName, r.damage))
		info.Partial = true
	}
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
	switch {
	case r.totals == nil:
		if l.Type != lineRun || l.Header == nil {
			return errors.New("its first line is not the header of a load run")
		}
		if l.Header.Schema != Schema {
			return fmt.Errorf("it is of schema %q, not %q", l.Header.Schema, Schema)
		}
		r.totals = newTotals(*l.Header)
	case l.Type == lineStart && l.Start != nil && r.end == nil:
		r.start = *l.Start
	case l.Type == lineInterval && l.Interval != nil && r.end == nil:
		times, err := l.Interval.distributions()
		if l.Interval.ToNS < l.Interval.FromNS || l.Interval.FromNS < 0 {
			err = errors.New("it ends before it starts")
		}
		if err != nil {
			return fmt.Errorf("interval %d: %w", l.Interval.N, err)
		}
		r.totals.add(l.Interval, times)
	case l.Type == lineEnd && l.End != nil:
		r.end = l.End
	}
	if r.end == nil {
		r.lines++
	}
	return nil
}

// readRecord reads the interval records of a folder.
func readRecord(dir string) (*reading, error) {
	r, n := &reading{}, 0
	for l, err := range lines(dir) {
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
	data, err := runfolder.ReadRecord(filepath.Join(dir, runfolder.RunName))
	if err != nil {
		return Read(dir)
	}
	var kind struct {
		Schema string `json:"schema"`
	}
	var run Run
	if json.Unmarshal(data, &kind) == nil && kind.Schema != "" && kind.Schema != Schema {
		return Run{}, fmt.Errorf("%s is of schema %q, not a load run that this version reads (%q)",
			filepath.Join(dir, runfolder.RunName), kind.Schema, Schema)
	}
	if err = json.Unmarshal(data, &run); err == nil {
		if run.Schema == Schema {
			return run, nil
		}
		err = errors.New("it names no schema")
	}
	rebuilt, again := Read(dir)
	if again != nil {
		return Run{}, fmt.Errorf("%s is not a recorded run: %w; and %w",
			filepath.Join(dir, runfolder.RunName), err, again)
	}
	rebuilt.Notes = append(rebuilt.Notes, "read from "+runfolder.IntervalsName+", as "+runfolder.RunName+" "+
		"cannot be read")
	return rebuilt, nil
}

const longestLine = 16 << 20

// lines walks the interval records. A last line that was torn off is left out; any other that cannot be read ends the
// walk with an error.
func lines(dir string) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		file, err := runfolder.Open(filepath.Join(dir, runfolder.IntervalsName), runfolder.LargestStream)
		if err != nil {
			yield(line{}, err)
			return
		}
		defer file.Close()
		in := bufio.NewReaderSize(file, 256<<10)
		for n := 1; ; n++ {
			data, err := readLine(in)
			if errors.Is(err, io.EOF) {
				return // nothing left, or a line without its end
			}
			var l line
			if err == nil {
				if err = json.Unmarshal(data, &l); err != nil {
					if _, more := in.Peek(1); more != nil {
						return // the last line, written in part and followed by a line break of the file system's
					}
					l, err = line{}, fmt.Errorf("line %d: %w", n, err)
				}
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

func readLine(in *bufio.Reader) ([]byte, error) {
	var whole []byte
	for {
		part, err := in.ReadSlice('\n')
		whole = append(whole, part...)
		if len(whole) > longestLine {
			return nil, errors.New("a line is longer than any that is written")
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

// intervals walks the intervals as far as they can be read; an error means that there is no record. What is damaged,
// Read reports.
func intervals(dir string) iter.Seq2[*interval, error] {
	return func(yield func(*interval, error) bool) {
		for l, err := range lines(dir) {
			if missing := new(os.PathError); errors.As(err, &missing) {
				yield(nil, err)
			} else if l.Type == lineInterval && l.Interval != nil && !yield(l.Interval, nil) {
				return
			}
		}
	}
}
