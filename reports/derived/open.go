package derived

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports/compare"
)

// Run is a recorded run that was opened to be shown.
type Run struct {
	compare.Subject
	Search   capacity.File // of a search for the capacity
	unpacked bool          // Dir is a temporary folder
	done     func()
}

// Close removes what was unpacked.
func (r Run) Close() {
	r.Subject.Close()
	if r.done != nil {
		r.done()
	}
}

// Open reads the run that path stands for: a folder, an archive, or one of the files that hold a run. A run that was cut
// off is read from what it recorded, a search for the capacity from its probes. The caller closes it.
func Open(path string) (Run, error) {
	subject, err := compare.Open(path)
	if err != nil {
		return unended(path, err)
	}
	r := Run{Subject: subject, unpacked: archived(path)}
	if r.Kind == compare.OfCapacity {
		if r.Search, err = capacity.Load(r.Dir); err != nil {
			r.Close()
			return Run{}, err
		}
	}
	return r, nil
}

// unended reads a search that was cut off before it wrote a record of its own. Where there is none, refused says why path
// could not be opened.
func unended(path string, refused error) (Run, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() && !archived(path) {
		return Run{}, refused
	}
	dir, done, err := archive.Open(path)
	if err != nil {
		return Run{}, refused
	}
	search, err := capacity.Load(dir)
	if err != nil || !Probed(dir) {
		done()
		return Run{}, refused
	}
	return Run{Subject: compare.Subject{Path: path, Dir: dir, Kind: compare.OfCapacity}, Search: search, unpacked: archived(path), done: done}, nil
}

func archived(path string) bool {
	_, named := archive.FormatOf(path)
	info, err := os.Stat(path)
	return named && err == nil && !info.IsDir()
}

// Probed reports whether a folder holds the probes of a search for the capacity.
func Probed(dir string) bool {
	return slices.ContainsFunc(runfolder.Records(), func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, capacity.Name(1), name))
		return err == nil
	})
}
