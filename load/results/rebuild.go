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

// Read makes the run of what its interval records hold. A run whose process was killed is partial and lacks at most its
// last two seconds; what was sent and not recorded is called unknown.
func Read(dir string) (Run, error) {
	r, err := readRecord(dir)
	if err != nil {
		return Run{}, err
	}
	t, info, notes := r.totals, r.totals.head.Run, []string(nil)
	if r.end != nil {
		info, notes = r.end.Run, r.end.Notes
	} else {
		info.StartedAt = cmp.Or(r.start, info.StartedAt)
		info.FinishedAt, info.Partial = info.StartedAt.Add(t.elapsed()), true
		notes = append(notes, fmt.Sprintf("the run was cut off; what it recorded in its first %s is all there is",
			t.elapsed().Round(time.Millisecond)))
	}
	if r.damage != nil {
		info.Partial = true
		notes = append(notes, fmt.Sprintf("%s is damaged: %v", runfolder.IntervalsName, r.damage))
	}
	return t.assemble(info, notes), nil
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
	var kind struct{ Schema string }
	switch err = json.Unmarshal(data, &run); {
	case json.Unmarshal(data, &kind) == nil && kind.Schema != "" && kind.Schema != Schema:
		return Run{}, fmt.Errorf("%s is of schema %q, not a load run that this version reads (%q)", name, kind.Schema,
			Schema)
	case err == nil && kind.Schema != "":
		return run, nil
	}
	rebuilt, again := Read(dir)
	if again != nil {
		return Run{}, fmt.Errorf("%s is not a recorded run: %w", name, errors.Join(err, again))
	}
	rebuilt.Notes = append(rebuilt.Notes, "read from "+runfolder.IntervalsName+", as "+runfolder.RunName+" cannot be read")
	return rebuilt, nil
}
