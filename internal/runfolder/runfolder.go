// Package runfolder makes the folder of a recorded run and writes files into it whole or not at
// all.
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

// Names of files in the folder of a run. It can be read from each of the first three.
const (
	RunName       = "run.json"         // the recorded run
	JournalName   = "journal.ndjson"   // of a conformance run, appended to as its checks end
	IntervalsName = "intervals.ndjson" // of a load run, appended to each second
	ReportName    = "report.html"
	SummaryName   = "summary.md"
)

// RecordNames are the files that a run can be read from, the best first.
func RecordNames() []string { return []string{RunName, JournalName, IntervalsName} }

// Create makes the folder of a run and returns its path. out is what the user asked for; when
// empty, the folder is reports/runs/<UTC time>-<verb>, with a number added when that exists
// already. A folder that holds a run is refused, and so is one that cannot be written to, before
// any request is sent.
func Create(out, verb string, now time.Time) (string, error) {
	if out == "" {
		return createFreshFolder(
			filepath.Join("reports", "runs", now.UTC().Format("20060102T150405Z")+"-"+verb))
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

// ExistsError is the error of a folder that holds a run already, by the file that shows it.
func ExistsError(dir, name string) error {
	return fmt.Errorf(
		"%s already holds a recorded run (%s) and was not overwritten; choose another folder with --out",
		dir, name)
}

// createFreshFolder makes base, or the first of base-2, base-3, … that does not exist.
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

// WriteAtomic puts data into dir/name so that a reader, or a crash, sees the old content or the
// new, never a part. On an error the old file is still there and nothing is left beside it.
func WriteAtomic(dir, name string, data []byte) error {
	return ReplaceFile(dir, name, 0o644, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// ReplaceFile is WriteAtomic for what is written bit by bit. The umask narrows who may read it, as
// it does for any new file.
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
	defer func() { _ = os.Remove(partial) }() // unless it is in place
	buffered := bufio.NewWriterSize(temp, 64<<10)
	err = cmp.Or(fill(buffered), buffered.Flush(), temp.Sync())
	if err := cmp.Or(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(partial, path)
}

// hideTempName is an error without the name of the temporary file, which says nothing to who
// asked for another.
func hideTempName(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err
	}
	return err
}
