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

// Load reads the run recorded in dir: run.json, or, when that is missing or unreadable, what the journal holds. dir
// may also name one of the two files.
func Load(dir string) (Run, error) {
	if info, err := os.Stat(dir); err != nil {
		return Run{}, fmt.Errorf("no recorded run: %w", err)
	} else if !info.IsDir() {
		if filepath.Base(dir) == runfolder.JournalName {
			return loadJournal(dir)
		}
		return loadRun(dir)
	}
	run, err := loadRun(filepath.Join(dir, runfolder.RunName))
	var other *otherSchema
	if err == nil || errors.As(err, &other) {
		return run, err
	}
	rebuilt, journalErr := loadJournal(filepath.Join(dir, runfolder.JournalName))
	switch {
	case journalErr == nil:
		if !errors.Is(err, fs.ErrNotExist) {
			rebuilt.Notes = append(rebuilt.Notes, "rebuilt from the journal, as "+runfolder.RunName+" cannot be read")
		}
		return rebuilt, nil
	case errors.Is(err, fs.ErrNotExist) && errors.Is(journalErr, fs.ErrNotExist):
		return Run{}, fmt.Errorf("%s holds no recorded run: neither %s nor %s is there", dir, runfolder.RunName,
			runfolder.JournalName)
	case errors.Is(err, fs.ErrNotExist):
		return Run{}, journalErr
	}
	return Run{}, fmt.Errorf("%w; and %w", err, journalErr)
}

// otherSchema reports a run.json of another kind or version.
type otherSchema struct{ path, schema string }

func (e *otherSchema) Error() string {
	return fmt.Sprintf("%s is of schema %q, not a conformance run that this version reads (%q)", e.path, e.schema,
		Schema)
}

func loadRun(path string) (Run, error) {
	data, err := runfolder.ReadRecord(path)
	if err != nil {
		return Run{}, fmt.Errorf("cannot read the run: %w", err)
	}
	var kind struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &kind); err != nil {
		return Run{}, fmt.Errorf("%s is not a recorded run: %w", path, err)
	}
	if kind.Schema != Schema {
		return Run{}, &otherSchema{path: path, schema: kind.Schema}
	}
	var run Run
	if err := json.Unmarshal(data, &run); err != nil {
		return Run{}, fmt.Errorf("%s is not a recorded run: %w", path, err)
	}
	for _, r := range run.Rules {
		for i := range r.Checks {
			r.Checks[i].Location = Place(r.Checks[i].Location)
		}
	}
	return run, nil
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
