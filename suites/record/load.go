package record

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// Load reads run.json in the folder of a run.
func Load(dir string) (run Run, err error) {
	path := filepath.Join(dir, runfolder.RunName)
	data, err := runfolder.ReadRecord(path)
	if err != nil {
		return Run{}, fmt.Errorf("cannot read the run: %w", err)
	}
	if err := json.Unmarshal(data, &run); err != nil {
		return Run{}, fmt.Errorf("%s is not a recorded run: %w", path, err)
	}
	if run.Schema != Schema {
		return Run{}, fmt.Errorf("%s is of schema %q, not a conformance run that this version reads (%q)", path, run.Schema, Schema)
	}
	return run, nil
}

// LoadJournal rebuilds a run from a file.
func LoadJournal(path string) (Run, error) {
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
