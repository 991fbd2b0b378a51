package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	load "github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

// Kind of a recorded run.
type Kind string

// The kinds.
const (
	OfConformance Kind = "conformance"
	OfLoad        Kind = "load"
	OfCapacity    Kind = "capacity"
)

const (
	capacitySchema = "gateassay/load-capacity/v1"
	largestRun     = 256 << 20       // bytes of run.json
	ahead          = 5 * time.Minute // by which clocks of two machines may differ
)

// Run is a recorded run that could be read and agrees with itself.
type Run struct {
	Path       string // as it was named
	Kind       Kind
	ID         string
	Deployment string
	BaseURL    string
	Started    time.Time
	Finished   time.Time
	Partial    bool
	Verdict    string
	Reason     string

	dir         string // where its files are
	conformance record.Run
	load        load.Run
	capacity    capacityRun
}

// capacityRun is what the gate needs of a search for the capacity.
type capacityRun struct {
	Run      load.Info    `json:"run"`
	Verdict  load.Verdict `json:"verdict"`
	Reason   string       `json:"reason"`
	Capacity struct {
		Rate  float64 `json:"rate"`
		Limit string  `json:"limit"`
	} `json:"capacity"`
	Violations int64 `json:"violations"`
}

// interrupted is how capacityRun calls a search that was stopped.
const interrupted = "interrupted"

// readRun reads the run in dir, which is a folder or names a run.json, and holds it against itself and against the
// record it was made from. path is what messages call it.
func readRun(path, dir string) (Run, error) {
	if info, err := os.Stat(dir); err != nil {
		return Run{}, fmt.Errorf("there is no run: %s", plainly(err))
	} else if !info.IsDir() {
		if filepath.Base(dir) != record.RunName {
			return Run{}, fmt.Errorf("it is no folder of a run and no %s", record.RunName)
		}
		dir = filepath.Dir(dir)
	}
	data, err := readWhole(filepath.Join(dir, record.RunName))
	if errors.Is(err, fs.ErrNotExist) {
		for _, name := range []string{record.JournalName, load.IntervalsName} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return Run{}, fmt.Errorf("the run did not end: it holds %s and no %s", name, record.RunName)
			}
		}
		return Run{}, fmt.Errorf("the folder holds no %s", record.RunName)
	}
	if err != nil {
		return Run{}, fmt.Errorf("%s cannot be read: %s", record.RunName, plainly(err))
	}
	var head struct {
		Schema *string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Run{}, fmt.Errorf("%s is damaged: %w", record.RunName, err)
	}
	if head.Schema == nil {
		return Run{}, fmt.Errorf("%s is damaged: it names no schema", record.RunName)
	}
	run := Run{Path: path, dir: dir}
	switch *head.Schema {
	case record.Schema:
		run.Kind = OfConformance
		err = run.readConformance(data)
	case load.Schema:
		run.Kind = OfLoad
		err = run.readLoad(data)
	case capacitySchema:
		run.Kind = OfCapacity
		err = run.readCapacity(data)
	default:
		return Run{}, fmt.Errorf("%s is of schema %q, which this version does not know", record.RunName, digest.Clip(digest.Clean(*head.Schema), 80))
	}
	if err != nil {
		return Run{}, fmt.Errorf("%s is damaged: %w", record.RunName, err)
	}
	switch {
	case run.Deployment == "":
		err = errors.New("it names no deployment")
	case run.Started.IsZero() || run.Finished.IsZero():
		err = errors.New("it does not say when it started and finished")
	case run.Finished.Before(run.Started):
		err = errors.New("it finished before it started")
	}
	if err != nil {
		return Run{}, fmt.Errorf("%s is damaged: %w", record.RunName, err)
	}
	return run, nil
}

func readWhole(path string) ([]byte, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() { // a pipe would never end
		return nil, errors.New("it is no regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, largestRun+1))
	if err == nil && len(data) > largestRun {
		err = fmt.Errorf("it has more than %d MiB", largestRun>>20)
	}
	return data, err
}

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

func (r *Run) readConformance(data []byte) error {
	if err := json.Unmarshal(data, &r.conformance); err != nil {
		return err
	}
	run := r.conformance
	r.ID, r.Deployment, r.BaseURL, r.Started, r.Finished = run.Run.ID, run.Run.Deployment, run.Run.BaseURL, run.Run.StartedAt, run.Run.FinishedAt
	r.Partial, r.Verdict, r.Reason = run.Run.Partial, string(run.Verdict), run.Reason
	if err := agrees(run); err != nil {
		return err
	}
	journal := filepath.Join(r.dir, record.JournalName)
	if _, err := os.Stat(journal); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	again, err := record.Load(journal)
	switch {
	case err != nil:
		return fmt.Errorf("its journal cannot be read: %w", err)
	case again.Run.ID != run.Run.ID:
		return errors.New("the journal beside it is of another run")
	case again.Verdict != run.Verdict || again.Counts != run.Counts || again.Run.Partial != run.Run.Partial:
		return fmt.Errorf("it says %s (%d passed, %d violated), and its journal comes to %s (%d passed, %d violated)", run.Verdict,
			run.Counts.Pass, run.Counts.Fail, again.Verdict, again.Counts.Pass, again.Counts.Fail)
	}
	return nil
}

// agrees holds the verdicts of a run against the checks and rules that they follow from.
func agrees(run record.Run) error {
	if len(run.Rules) == 0 {
		return errors.New("it holds no rule")
	}
	var counts record.Counts
	seen := map[string]bool{}
	for _, r := range run.Rules {
		id := digest.Clip(digest.Clean(r.ID), 100)
		if r.ID == "" || seen[r.ID] {
			return fmt.Errorf("the rule %q is there twice or has no ID", id)
		}
		seen[r.ID] = true
		counts.Add(r.Verdict)
		switch r.Verdict {
		case record.Fail, record.NotVerified, record.Inconclusive, record.Observed:
		case record.Waived:
			if r.Waiver == nil {
				return fmt.Errorf("%s is waived, and no waiver is named", id)
			}
		case record.Pass:
			passed := false
			for _, c := range r.Checks {
				passed = passed || c.Verdict == record.Pass
				if c.Verdict != record.Pass && c.Verdict != record.Observed {
					return fmt.Errorf("%s passes, and a check of it does not", id)
				}
			}
			if !passed {
				return fmt.Errorf("%s passes, and no check of it did", id)
			}
		default:
			return fmt.Errorf("%s has the unknown verdict %q", id, digest.Clip(digest.Clean(string(r.Verdict)), 40))
		}
	}
	if counts != run.Counts {
		return errors.New("its counts are not those of its rules")
	}
	if outcome, why := record.Conclude(run.Rules, run.Run.Partial); outcome != run.Verdict {
		return fmt.Errorf("it says %q, and its rules come to %s: %s", digest.Clip(digest.Clean(string(run.Verdict)), 40), outcome, why)
	}
	return nil
}

func (r *Run) readLoad(data []byte) error {
	if err := json.Unmarshal(data, &r.load); err != nil {
		return err
	}
	run := r.load
	r.ID, r.Deployment, r.BaseURL, r.Started, r.Finished = run.Run.ID, run.Run.Deployment, run.Run.BaseURL, run.Run.StartedAt, run.Run.FinishedAt
	r.Partial, r.Verdict, r.Reason = run.Run.Partial, string(run.Verdict), run.Reason
	switch run.Verdict {
	case load.Fail, load.Inconclusive:
	case load.Pass:
		switch {
		case run.Requests.Sent <= 0:
			return errors.New("it passes, and no request was sent")
		case !run.Generator.Reliable:
			return errors.New("it passes, and its figures describe the generator")
		}
		for _, t := range run.Thresholds {
			if !t.OK {
				return fmt.Errorf("it passes, and the threshold %s does not hold", digest.Clip(digest.Clean(t.Expr), 80))
			}
		}
	default:
		return fmt.Errorf("it has the unknown verdict %q", digest.Clip(digest.Clean(string(run.Verdict)), 40))
	}
	if _, err := os.Stat(filepath.Join(r.dir, load.IntervalsName)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	again, err := load.Read(r.dir)
	switch {
	case err != nil:
		return err
	case again.Run.ID != run.Run.ID:
		return fmt.Errorf("%s beside it is of another run", load.IntervalsName)
	case again.Verdict != run.Verdict || again.Requests != run.Requests || again.Latency != run.Latency || again.Run.Partial != run.Run.Partial:
		return fmt.Errorf("it says %s of %d requests, and %s comes to %s of %d", run.Verdict, run.Requests.Sent, load.IntervalsName, again.Verdict, again.Requests.Sent)
	}
	return nil
}

func (r *Run) readCapacity(data []byte) error {
	if err := json.Unmarshal(data, &r.capacity); err != nil {
		return err
	}
	run := r.capacity
	r.ID, r.Deployment, r.BaseURL, r.Started, r.Finished = run.Run.ID, run.Run.Deployment, run.Run.BaseURL, run.Run.StartedAt, run.Run.FinishedAt
	r.Partial, r.Verdict, r.Reason = run.Run.Partial || run.Capacity.Limit == interrupted, string(run.Verdict), run.Reason
	switch run.Verdict {
	case load.Fail, load.Inconclusive:
	case load.Pass:
		if run.Capacity.Rate <= 0 {
			return errors.New("it passes, and found no rate")
		}
	default:
		return fmt.Errorf("it has the unknown verdict %q", digest.Clip(digest.Clean(string(run.Verdict)), 40))
	}
	return nil
}
