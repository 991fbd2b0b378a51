package recorded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

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

// Part opens the run in a folder of this one, such as a probe of a search. It is closed in place of the whole.
func (r Run) Part(folder string) (Run, error) {
	part, err := Open(filepath.Join(r.Dir, folder))
	if err != nil {
		r.Close()
		return Run{}, err
	}
	part.done, part.Unpacked = r.done, r.Unpacked
	return part, nil
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
	info, err := os.Stat(dir)
	if err != nil {
		return Run{}, fmt.Errorf("no recorded run: %w", err)
	}
	name, folder := filepath.Join(dir, runfolder.RunName), dir
	if !info.IsDir() {
		if name, folder = dir, filepath.Dir(dir); !info.Mode().IsRegular() {
			return Run{}, fmt.Errorf("%s is neither a folder nor a file of a run", path)
		}
	}
	var s Run
	if s.Kind = asItGoes()[filepath.Base(name)]; s.Kind == "" {
		var data []byte
		if data, err = runfolder.Read(name, runfolder.LargestRecord); err == nil {
			s, err = Parse(data)
		}
		var other UnknownSchema
		switch {
		case err == nil:
			s.Path, s.Dir = path, folder
			return s, nil
		case errors.As(err, &other) && other != "":
			return s, fmt.Errorf("%s %w", path, err)
		case s.Kind == "" && info.IsDir():
			s.Kind = left(dir)
		}
	}
	s.Path, s.Dir = path, folder
	switch {
	case s.Kind == OfConformance:
		s.Conformance, err = record.Load(dir)
	case s.Kind == OfCapacity:
		s.Capacity, err = capacity.Load(folder)
	case s.Kind == OfLoad && filepath.Base(name) == runfolder.IntervalsName:
		s.Load, err = results.Read(folder)
	case s.Kind == OfLoad:
		s.Load, err = results.Load(dir)
	case errors.Is(err, os.ErrNotExist):
		err = fmt.Errorf("%s holds no recorded run", path)
	default:
		err = fmt.Errorf("%s holds no run that can be read: %w", path, err)
	}
	return s, err
}

// left finds the kind of a run without a run.json by what it recorded as it went; "" where that is nothing.
func left(dir string) Kind {
	for _, name := range runfolder.Records() {
		if kind, known := asItGoes()[name]; known && there(filepath.Join(dir, name)) {
			return kind
		}
	}
	return ""
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
