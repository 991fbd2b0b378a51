package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// Load reads the run recorded in a folder: run.json, or, when that is missing or unreadable, what the journal holds. path
// may also name one of the two files.
func Load(path string) (Run, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Run{}, fmt.Errorf("no recorded run: %w", err)
	case filepath.Base(path) == runfolder.JournalName:
		return loadJournal(path)
	case !info.IsDir():
		run, _, err := loadRun(path)
		return run, err
	}
	run, other, err := loadRun(filepath.Join(path, runfolder.RunName))
	if err == nil || other {
		return run, err
	}
	rebuilt, again := loadJournal(filepath.Join(path, runfolder.JournalName))
	switch missing := errors.Is(err, fs.ErrNotExist); {
	case again == nil && !missing:
		rebuilt.Notes = append(rebuilt.Notes, "rebuilt from the journal, as "+runfolder.RunName+" cannot be read")
	case again != nil && missing && errors.Is(again, fs.ErrNotExist):
		again = fmt.Errorf("%s holds no recorded run: neither %s nor %s is there", path, runfolder.RunName, runfolder.JournalName)
	case again != nil && !missing:
		again = fmt.Errorf("%w; and %w", err, again)
	}
	return rebuilt, again
}

// loadRun reads a run.json. other: it is of another kind or version, whatever lies beside it.
func loadRun(path string) (run Run, other bool, err error) {
	data, err := runfolder.ReadRecord(path)
	if err != nil {
		return Run{}, false, fmt.Errorf("cannot read the run: %w", err)
	}
	if err := json.Unmarshal(data, &run); err != nil {
		return Run{}, false, fmt.Errorf("%s is not a recorded run: %w", path, err)
	}
	if run.Schema != Schema {
		return Run{}, true, fmt.Errorf("%s is of schema %q, not a conformance run that this version reads (%q)", path, run.Schema, Schema)
	}
	return run, false, nil
}

func loadJournal(path string) (Run, error) {
	file, err := runfolder.Open(path, runfolder.LargestStream)
	if err != nil {
		return Run{}, fmt.Errorf("cannot read the journal: %w", err)
	}
	defer file.Close()
	run, err := Rebuild(file)
	if err != nil {
		return Run{}, fmt.Errorf("%s: %w", path, err)
	}
	return run, nil
}
