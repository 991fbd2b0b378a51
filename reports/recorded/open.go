package recorded

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/suites/record"
)

// Run is a recorded run, as it is read to be shown or compared.
type Run struct {
	Path        string // as it was named
	Dir         string // where its files are
	Kind        Kind
	Conformance record.Run    // OfConformance
	Load        results.Run   // OfLoad
	Capacity    capacity.File // OfCapacity
	Unpacked    bool          // Dir is a temporary folder
	done        func()
}

// Close removes what was unpacked.
func (r Run) Close() {
	if r.done != nil {
		r.done()
	}
}

// Open reads the run that path stands for: a folder, an archive, or one of the files that hold a run. A run that was
// interrupted is read from what it recorded. The caller closes it.
func Open(path string) (Run, error) {
	if _, err := os.Stat(path); err != nil {
		return Run{}, fmt.Errorf("no recorded run: %w", err)
	}
	dir, done, err := archive.Open(path)
	if err != nil {
		return Run{}, err
	}
	s, err := read(path, dir)
	if err != nil {
		done()
		return Run{}, err
	}
	s.done, s.Unpacked = done, dir != path
	return s, nil
}

func read(path, dir string) (Run, error) {
	s := Run{Path: path, Dir: dir}
	info, err := os.Stat(dir)
	if err != nil {
		return s, fmt.Errorf("no recorded run: %w", err)
	}
	from := dir
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			return s, fmt.Errorf("%s is neither a folder nor a file of a run", path)
		}
		s.Dir = filepath.Dir(dir)
	}
	if s.Kind, err = kindOf(dir, info.IsDir()); err != nil {
		return s, fmt.Errorf("%s %w", path, err)
	}
	switch s.Kind {
	case OfLoad:
		if !info.IsDir() && filepath.Base(dir) == runfolder.IntervalsName {
			s.Load, err = results.Read(s.Dir)
		} else {
			s.Load, err = results.Load(dir)
		}
	case OfConformance:
		s.Conformance, err = record.Load(from)
	case OfCapacity:
		s.Capacity, err = capacity.Load(s.Dir)
	}
	return s, err
}

// kindOf finds the kind by the schema in run.json, or by which record is there.
func kindOf(path string, folder bool) (Kind, error) {
	name := path
	if folder {
		name = filepath.Join(path, runfolder.RunName)
	} else if kind, ok := byName(filepath.Base(path)); ok {
		return kind, nil
	}
	var head struct {
		Schema string `json:"schema"`
	}
	data, err := runfolder.Read(name, runfolder.LargestRecord)
	if err == nil {
		err = json.Unmarshal(data, &head)
	}
	if kind, known := ofSchema(head.Schema); err == nil && known {
		return kind, nil
	} else if err == nil && head.Schema != "" {
		return "", UnknownSchema(head.Schema)
	}
	if folder {
		for _, record := range []string{runfolder.JournalName, runfolder.IntervalsName} {
			if _, err := os.Stat(filepath.Join(path, record)); err == nil {
				kind, _ := byName(record)
				return kind, nil
			}
		}
		if Probed(path) {
			return OfCapacity, nil // cut off: its probes hold what it found
		}
	}
	if err == nil {
		err = errors.New("it names no schema")
	}
	if errors.Is(err, os.ErrNotExist) {
		return "", errors.New("holds no recorded run")
	}
	return "", fmt.Errorf("holds no run that can be read: %w", err)
}

// Probed reports whether a folder holds the probes of a search for the capacity.
func Probed(dir string) bool {
	return slices.ContainsFunc(runfolder.Records(), func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, capacity.Name(1), name))
		return err == nil
	})
}
