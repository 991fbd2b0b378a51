package gate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// ahead is by how much the clocks of two machines may differ.
const ahead = 5 * time.Minute

// Run is a recorded run that could be read and keeps to its schema.
type Run struct {
	recorded.Run
	recorded.Head
}

// page is the path of its report, as far as one can be named.
func (r *Run) page() string {
	if info, err := os.Stat(r.Path); err == nil && !info.IsDir() && filepath.Base(r.Path) != runfolder.RunName {
		return "report.html in " + r.Path
	}
	return filepath.Join(strings.TrimSuffix(r.Path, runfolder.RunName), "report.html")
}

// readRun reads the run in dir, which is a folder or names a run.json, and checks that it keeps to its schema. path is
// what messages call it.
func readRun(path, dir string) (Run, error) {
	if info, err := os.Stat(dir); err != nil {
		return Run{}, fmt.Errorf("expected the folder or archive of a run, found %s", plainly(err))
	} else if !info.IsDir() {
		if filepath.Base(dir) != runfolder.RunName {
			return Run{}, fmt.Errorf("expected the folder or archive of a run, found a file that is not %s",
				runfolder.RunName)
		}
		dir = filepath.Dir(dir)
	}
	data, err := runfolder.ReadRecord(filepath.Join(dir, runfolder.RunName))
	if errors.Is(err, fs.ErrNotExist) {
		for _, name := range []string{runfolder.JournalName, runfolder.IntervalsName, capacity.Folder} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return Run{}, fmt.Errorf("expected %s, found %s alone: the run did not end: run it again",
					runfolder.RunName, name)
			}
		}
		return Run{}, fmt.Errorf("expected %s in the folder, found none", runfolder.RunName)
	}
	if err != nil {
		return Run{}, fmt.Errorf("%s cannot be read: %s", runfolder.RunName, plainly(err))
	}
	run, err := recorded.Parse(data)
	var other recorded.UnknownSchema
	switch {
	case errors.As(err, &other) && other == "":
		return Run{}, damaged(errors.New("schema: expected one, found nothing"))
	case errors.As(err, &other):
		return Run{}, fmt.Errorf("%s: schema: expected %s, %s or %s, found %s: decide with the version of gateassay "+
			"that made the run", runfolder.RunName, record.Schema, results.Schema, capacity.Schema,
			cited(string(other)))
	case err != nil:
		return Run{}, damaged(fmt.Errorf("expected JSON of a run, found something else: %w", err))
	}
	run.Path, run.Dir = path, dir
	r := Run{run, run.Head()}
	if err := cmp.Or(r.valid(), r.whole()); err != nil {
		return Run{}, damaged(err)
	}
	return r, nil
}

func damaged(err error) error { return fmt.Errorf("%s is damaged: %w", runfolder.RunName, err) }

// whole finds facts that no run lacks.
func (r *Run) whole() error {
	switch {
	case r.ID == "":
		return errors.New("run.id: expected the ID of the run, found nothing")
	case r.Deployment == "":
		return errors.New("run.deployment: expected the name of a deployment, found nothing")
	case r.Started.IsZero():
		return errors.New("run.started_at: expected a time, found none")
	case r.Finished.IsZero():
		return errors.New("run.finished_at: expected a time, found none")
	case r.Finished.Before(r.Started):
		return fmt.Errorf("run.finished_at: expected a time after %s, found %s",
			moment(r.Started), moment(r.Finished))
	}
	return nil
}

func moment(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// cited shows a text of a run within a message.
func cited(s string) string { return strconv.Quote(printable.Clip(printable.Clean(s), 80)) }

// plainly is the reason of an error without the path, which is named beside it.
func plainly(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file or folder"
	}
	return err.Error()
}
