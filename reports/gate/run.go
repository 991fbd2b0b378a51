package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	if err := r.sound(); err != nil {
		return Run{}, damaged(err)
	}
	return r, nil
}

func damaged(err error) error { return fmt.Errorf("%s is damaged: %w", runfolder.RunName, err) }

// sound finds what no run that gateassay wrote lacks or holds. Whether somebody made another run.json shows in its hash, which
// report pack records.
func (r *Run) sound() error {
	verdicts := []string{string(results.Pass), string(results.Fail), string(results.Inconclusive)}
	if r.Kind == recorded.OfConformance {
		verdicts = []string{string(record.Conformant), string(record.Violations), string(record.Partial), string(record.NoVerdict)}
	}
	switch {
	case r.ID == "":
		return errors.New("run.id: expected the ID of the run, found nothing")
	case r.Deployment == "":
		return errors.New("run.deployment: expected the name of a deployment, found nothing")
	case r.Started.IsZero() || r.Finished.Before(r.Started):
		return errors.New("run.finished_at: expected a time after run.started_at, found none")
	case !slices.Contains(verdicts, r.Verdict):
		return fmt.Errorf("verdict: expected %s, found %s", strings.Join(verdicts, " or "), cited(r.Verdict))
	case r.Kind == recorded.OfLoad && r.Verdict == string(results.Pass) && r.Load.Requests.Sent <= 0:
		return errors.New("verdict: expected fail or inconclusive, as requests.sent is 0, found pass")
	}
	for _, one := range r.Conformance.Rules {
		if one.Verdict == record.Waived && one.Waiver == nil {
			return fmt.Errorf("%s: expected its waiver, found none", cited(one.ID))
		}
	}
	return nil
}

// shard says which part of a load run this is; empty: the whole.
func (r *Run) shard() string {
	if info := r.Load.Run; r.Kind == recorded.OfLoad && info.Shards > 1 && !info.Merged {
		return fmt.Sprintf("shard %d of %d", info.Shard, info.Shards)
	}
	return ""
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
