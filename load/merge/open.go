package merge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
)

// errNothing is a folder in which no record was begun.
var errNothing = errors.New("no record")

// Find replaces folders that hold shards by these. Merged runs beside them are left out.
func Find(paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, errors.New("give the folders of all shards, or a folder that holds them")
	}
	var all []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("no recorded run: %w", err)
		}
		if !archive.Is(path) && !info.IsDir() {
			return nil, fmt.Errorf("%s is neither the folder of a shard nor an archive of one", path)
		}
		below, err := inside(path, info)
		if err != nil {
			return nil, err
		}
		if len(below) > 0 {
			all = append(all, below...)
		} else {
			all = append(all, filepath.Clean(path))
		}
	}
	return all, nil
}

// inside lists the runs of load in a folder that is none itself. A merged run among them is left out: it may have been
// written there.
func inside(path string, info fs.FileInfo) ([]string, error) {
	if !info.IsDir() || holds(path) {
		return nil, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("no recorded run: %w", err)
	}
	var all []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		below := filepath.Join(path, e.Name())
		if archive.Is(below) && e.Type().IsRegular() {
			all = append(all, below)
		} else if e.IsDir() && holds(below) {
			if _, err := os.Lstat(filepath.Join(below, runfolder.JournalName)); err == nil {
				continue // a conformance run
			}
			if s, err := results.ReadShard(below); err == nil && s.Info.Merged {
				continue
			}
			all = append(all, below)
		}
	}
	return all, nil
}

// holds reports whether a folder is that of a run.
func holds(dir string) bool {
	for _, name := range []string{runfolder.IntervalsName, runfolder.RunName} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// open reads the record of a shard. path is what it is called, dir where it is.
func open(path, dir string) (*results.ShardRecord, error) {
	_, err := os.Stat(filepath.Join(dir, runfolder.IntervalsName))
	if errors.Is(err, fs.ErrNotExist) {
		if holds(dir) {
			return nil, fmt.Errorf("%s holds no %s, which a run is merged from", path, runfolder.IntervalsName)
		}
		return nil, errNothing
	}
	s, err := results.ReadShard(dir)
	if errors.Is(err, results.ErrEmpty) {
		return nil, errNothing
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be merged: %w", path, err)
	}
	s.Name = path
	return s, nil
}
