package browse

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/reports/recorded"
)

const (
	largestRun    = 64 << 20  // bytes of a run.json
	largestRecord = 512 << 20 // bytes of a journal
)

// summary reads what the list shows of a run.
func (s *shelf) summary(p place) Run {
	var r Run
	var err error
	switch {
	case p.archive:
		r, err = s.ofArchive(p)
	case p.probes:
		r, err = s.recorded(p)
		r.Unfinished = true
	default:
		r, err = s.ofFolder(p)
	}
	if err != nil {
		r.Kind, r.Trouble = "", printable.Clean(printable.Clip(err.Error(), 1000))
	}
	return r
}

// ofFolder reads run.json, and what the run recorded as it went where that is missing or cannot be read.
func (s *shelf) ofFolder(p place) (Run, error) {
	var failed error
	if slices.Contains(p.records, runfolder.RunName) {
		var data []byte
		file, err := s.regular(path.Join(p.path, runfolder.RunName))
		if err == nil {
			data, err = all(file, largestRun)
		}
		if err != nil {
			return Run{}, fmt.Errorf("%s cannot be read: %w", runfolder.RunName, err)
		}
		r, err := parse(data)
		var other recorded.UnknownSchema
		if err == nil || errors.As(err, &other) {
			return r, err
		}
		failed = err
	}
	r, err := s.recorded(p) // its error names both files
	if err != nil && failed != nil && len(p.records) == 1 {
		err = failed
	}
	r.Unfinished = failed == nil
	return r, err
}

// recorded reads a run whole, from what it recorded as it went.
func (s *shelf) recorded(p place) (Run, error) {
	run, release, err := s.open(p, "")
	if err != nil {
		return Run{}, err
	}
	defer release()
	return summaryOf(run), nil
}

// ofArchive reads run.json out of an archive, or unpacks it where only the record that the run made as it went is
// there. All of the archive is read, so that damage is noticed.
func (s *shelf) ofArchive(p place) (Run, error) {
	file, err := s.root.Open(p.path)
	if err != nil {
		return Run{}, errors.New("it cannot be opened")
	}
	defer file.Close()
	manifest, data, err := archive.Peek(file, unpackLimits(), runfolder.RunName, largestRun)
	if err != nil {
		return Run{}, undamaged(err)
	}
	var r Run
	failed := errors.New("it holds no record of a run")
	if data != nil {
		r, failed = parse(data)
	}
	if failed != nil && slices.ContainsFunc(manifest.Files, func(f archive.File) bool {
		return slices.Contains(records[1:], f.Path) || strings.HasPrefix(f.Path, probesName+"/")
	}) {
		r, failed = s.recorded(p)
		r.Unfinished = data == nil
	}
	for _, f := range manifest.Files {
		r.Report = r.Report || f.Path == reportName
		if slices.Contains(downloads, f.Path) {
			r.Files = append(r.Files, f.Path)
		}
	}
	return r, failed
}

// undamaged is why an archive cannot be read, without where it lies.
func undamaged(err error) error {
	var damage *archive.Damage
	if errors.As(err, &damage) {
		return fmt.Errorf("the archive cannot be trusted: %w", damage.Err)
	}
	return err
}

// open reads all of a run, or of what lies in a folder of it. release ends the use of it.
func (s *shelf) open(p place, folder string) (run recorded.Run, release func(), err error) {
	dir, leave, err := s.files(p)
	if err != nil {
		return recorded.Run{}, nil, err
	}
	run, err = recorded.Open(filepath.Join(dir, filepath.FromSlash(folder)))
	if err != nil {
		leave()
		return recorded.Run{}, nil, fmt.Errorf("%s", relative(err.Error(), dir))
	}
	run.Path, run.Unpacked = p.path, p.archive
	return run, func() { run.Close(); leave() }, nil
}

// files returns a folder with the files of a run, which is its own, or where its archive was unpacked.
func (s *shelf) files(p place) (dir string, release func(), err error) {
	if p.archive {
		return s.store.folder(p.path+"\n"+p.key, func() (*os.File, error) { return s.root.Open(p.path) })
	}
	return filepath.Join(s.folderAt, filepath.FromSlash(p.path)), func() {}, s.plain(p.path)
}

// plain refuses a folder with anything but files and folders below it: a link could lead out of what is served.
func (s *shelf) plain(dir string) error {
	seen := 0
	return fs.WalkDir(s.root.FS(), dir, func(name string, e fs.DirEntry, err error) error {
		if seen++; seen > mostEntries {
			return errors.New("it holds too many files")
		}
		switch {
		case err != nil:
			return errors.New("its files cannot be listed")
		case !e.IsDir() && !e.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file", printable.Clip(path.Base(name), 100))
		}
		if slices.Contains(records, path.Base(name)) {
			if info, err := e.Info(); err == nil && info.Size() > largestRecord {
				return fmt.Errorf("%s has more than %d MiB", path.Base(name), largestRecord>>20)
			}
		}
		return nil
	})
}

// regular opens a file below the folder that is served. Others are refused: a pipe would wait for ever.
func (s *shelf) regular(name string) (*os.File, error) {
	info, err := s.root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return nil, err
	}
	return s.root.Open(name)
}

// all reads a file of at most so many bytes, and closes it.
func all(file *os.File, most int64) ([]byte, error) {
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("it is larger than %d MiB", most>>20)
	}
	return data, err
}

// parse reads what the list shows of a run.json.
func parse(data []byte) (Run, error) {
	run, err := recorded.Parse(data)
	var other recorded.UnknownSchema
	switch {
	case errors.As(err, &other):
		return Run{}, fmt.Errorf("%s %w", runfolder.RunName, err)
	case err != nil:
		return Run{}, fmt.Errorf("%s is damaged: %w", runfolder.RunName, err)
	}
	return summaryOf(run), nil
}
