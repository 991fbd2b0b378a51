package results

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results/histogram"
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
	r, err := readRecord(dir, nil)
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
		info, notes = r.end.Run, r.end.Notes
		if r.end.Lines != r.lines {
			notes = append(notes, fmt.Sprintf("%s lacks lines: %d of %d could be read",
				runfolder.IntervalsName, r.lines, r.end.Lines))
			info.Partial = true
		}
	} else {
		info.Partial = true
		info.FinishedAt = info.StartedAt.Add(t.elapsed())
		notes = append(notes, fmt.Sprintf("the run did not end by itself; what it recorded in its first %s is all "+
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
	first  time.Duration
	damage error // where reading stopped early
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
		if err := r.totals.read(l.Interval); err != nil {
			return fmt.Errorf("interval %d: %w", l.Interval.N, err)
		}
		if l.Interval.FirstNS > 0 {
			r.first = time.Duration(l.Interval.FirstNS)
		}
	case l.Type == lineEnd && l.End != nil:
		r.end = l.End
	}
	if r.end == nil {
		r.lines++
	}
	return nil
}

// readRecord reads the interval records of a folder. each, unless nil, is called for every interval.
func readRecord(dir string, each func(*interval)) (*reading, error) {
	r := &reading{}
	err := eachLine(dir, func(l line) error {
		ended := r.end != nil
		if err := r.take(l); err != nil {
			return err
		}
		if each != nil && l.Type == lineInterval && l.Interval != nil && !ended {
			each(l.Interval)
		}
		return nil
	})
	if r.totals == nil {
		if err == nil {
			err = ErrEmpty
		}
		return nil, fmt.Errorf("%s cannot be read: %w", filepath.Join(dir, runfolder.IntervalsName), err)
	}
	r.damage = err
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
	data, err := runfolder.Read(filepath.Join(dir, runfolder.RunName), runfolder.LargestRecord)
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

// read adds an interval as it was recorded.
func (t *totals) read(i *interval) error {
	if i.ToNS < i.FromNS || i.FromNS < 0 {
		return errors.New("it ends before it starts")
	}
	found := make([]histogram.Histogram, len(i.Times))
	for n, e := range i.Times {
		if _, known := classNumber(e.Class); !known {
			return fmt.Errorf("unknown class %q", e.Class)
		}
		if err := found[n].Decode(e.HDR); err != nil {
			return err
		}
	}
	for n, e := range i.Times {
		class, _ := classNumber(e.Class)
		t.times(e.Stage-1, class, e.Time, &found[n])
	}
	t.interval(i)
	t.last.Sent = max(t.last.Sent, t.recorded())
	return nil
}

const longestLine = 64 << 20

// eachLine reads the interval records. A last line that was torn off is left out; any other that cannot be read ends it
// with an error.
func eachLine(dir string, f func(line) error) error {
	file, err := runfolder.Open(filepath.Join(dir, runfolder.IntervalsName), runfolder.LargestStream)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 256<<10)
	for n := 1; ; n++ {
		data, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return nil // nothing left, or a line without its end
		}
		if err != nil {
			return err
		}
		var l line
		if err := json.Unmarshal(data, &l); err != nil {
			if _, more := in.Peek(1); more != nil {
				return nil // the last line, written in part and followed by a line break of the file system's
			}
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := f(l); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
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

// errStop ends a walk over intervals before the end of the file.
var errStop = errors.New("stop")

// eachInterval reads the intervals that can be read.
func eachInterval(dir string, f func(*interval) error) error {
	var failed error
	err := eachLine(dir, func(l line) error {
		if l.Interval == nil {
			return nil
		}
		if failed = f(l.Interval); failed != nil {
			return errStop
		}
		return nil
	})
	if failed != nil {
		return failed
	}
	var missing *os.PathError
	if errors.As(err, &missing) {
		return err
	}
	return nil // damage is told by Read
}
