// Package runfolder creates the folder of a recorded run and writes files into it atomically.
package runfolder

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Names of files in the folder of a run that can each be read as the run.
const (
	RunName       = "run.json"         // the recorded run
	JournalName   = "journal.ndjson"   // of a conformance run; grows as checks end
	IntervalsName = "intervals.ndjson" // of a load run; grows every second
)

// RecordNames returns the files that a run can be read from, best first.
func RecordNames() []string { return []string{RunName, JournalName, IntervalsName} }

// Create creates the folder of a run and returns its path. out is the path that the user asked
// for; if empty, it is reports/runs/<UTC time>-<verb>, with a number added if that exists. Create
// refuses a folder that holds a run or is not writable, before any request is sent.
func Create(out, verb string, now time.Time) (string, error) {
	if out == "" {
		return createFreshFolder(
			filepath.Join(defaultParent, now.UTC().Format("20060102T150405Z")+"-"+verb))
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", fmt.Errorf("cannot create the folder of the run %s: %w; choose another with --out",
			out, err)
	}
	for _, name := range RecordNames() {
		if _, err := os.Lstat(filepath.Join(out, name)); err == nil {
			return "", ExistsError(out, name)
		}
	}
	return out, checkWritable(out)
}

const defaultParent = "reports/runs"

// Beside returns the folders beside out, a folder of a run, and those in which runs are by default.
func Beside(out string) (folders []string) {
	for _, parent := range []string{filepath.Dir(out), defaultParent} {
		entries, _ := os.ReadDir(parent) // there is none before the first run
		for _, e := range entries {
			if e.IsDir() {
				folders = append(folders, filepath.Join(parent, e.Name()))
			}
		}
	}
	return folders
}

// ExistsError returns the error for a folder that already holds a run, as the file name shows.
func ExistsError(dir, name string) error {
	return fmt.Errorf(
		"%s already holds a recorded run (%s) and was not overwritten; choose another folder with --out",
		dir, name)
}

// createFreshFolder creates base, or the first of base-2, base-3, … that does not exist.
func createFreshFolder(base string) (string, error) {
	err := os.MkdirAll(filepath.Dir(base), 0o755)
	for n, path := 2, base; err == nil; n++ {
		if err = os.Mkdir(path, 0o755); err == nil {
			return path, nil
		}
		if errors.Is(err, fs.ErrExist) && n < 10_000 {
			path, err = fmt.Sprintf("%s-%d", base, n), nil
		}
	}
	return "", fmt.Errorf("cannot create the folder of the run: %w; choose another with --out", err)
}

func checkWritable(dir string) error {
	probe, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return fmt.Errorf("the folder of the run cannot be written to: %w; choose another with --out",
			err)
	}
	_ = probe.Close()
	return os.Remove(probe.Name())
}

// WriteAtomic writes dir/name so that readers see either the old or the new content, even after a
// crash. On an error the old file stays and no temporary file remains.
func WriteAtomic(dir, name string, data []byte) error {
	return ReplaceFile(dir, name, 0o644, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// ReplaceFile is WriteAtomic for content that fill writes in pieces. The umask restricts mode, as
// for any new file.
func ReplaceFile(dir, name string, mode fs.FileMode, fill func(io.Writer) error) (err error) {
	path := filepath.Join(dir, name)
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot write %s: %w", path, hideTempName(err))
		}
	}()
	partial := filepath.Join(dir, "."+name+".tmp-"+rand.Text()[:8])
	temp, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(partial) }() // unless it was renamed
	buffered := bufio.NewWriterSize(temp, 64<<10)
	err = cmp.Or(fill(buffered), buffered.Flush(), temp.Sync())
	if err := cmp.Or(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(partial, path)
}

// hideTempName removes the name of the temporary file from an error, because users do not know
// it.
func hideTempName(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err
	}
	return err
}
