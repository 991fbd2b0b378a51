// Package recorded opens recorded runs of every kind, for packages that show, compare or judge
// them.
package recorded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/suites/record"
)

// Kind is the kind of a recorded run.
type Kind string

// The kinds.
const (
	KindConformance Kind = "conformance"
	KindLoad        Kind = "load"
	KindCapacity    Kind = "capacity"
)

// WithArticle returns the kind with its article, for use in a sentence.
func (k Kind) WithArticle() string {
	if k == KindCapacity {
		return "a search for the capacity"
	}
	return "a " + string(k) + " run"
}

// Run is an opened recorded run.
type Run struct {
	Path string // path as given
	Dir  string // folder of its files
	Kind Kind
	RunHead
	Conformance record.Run         // KindConformance
	Load        results.Run        // KindLoad
	Capacity    capacity.SearchRun // KindCapacity
	// why it was rebuilt from its journal or intervals; nil: run.json was read
	Rebuilt error
}

// Record returns the contents of run.json for the kind of the run.
func (r Run) Record() any {
	switch r.Kind {
	case KindConformance:
		return r.Conformance
	case KindCapacity:
		return r.Capacity
	default:
		return r.Load
	}
}

// ShardText returns which shard of a load run this is; empty: a whole run.
func (r Run) ShardText() string {
	if info := r.Load.Run; r.Kind == KindLoad && info.Shards > 1 && !info.Merged {
		return fmt.Sprintf("shard %d of %d", info.Shard, info.Shards)
	}
	return ""
}

// Open reads the run in a folder, or in one of its files: run.json, or if that is missing or
// damaged, the records written during the run.
func Open(path string) (Run, error) {
	r := Run{Path: path}
	if err := r.read(); err != nil {
		return Run{}, err
	}
	r.RunHead = r.head()
	return r, nil
}

func (r *Run) read() error {
	at, name := r.Path, filepath.Join(r.Path, runfolder.RunName)
	if info, err := os.Stat(at); err != nil {
		return fmt.Errorf("no recorded run: %w", err)
	} else if !info.IsDir() {
		name = at
	}
	r.Dir = filepath.Dir(name)
	data, err := runfolder.ReadRecord(name)
	if err == nil {
		err = r.parseRunFile(data)
	}
	switch {
	case err == nil:
		return nil
	case strings.EqualFold(filepath.Ext(name), ".zip"):
		return fmt.Errorf("%s holds no run that can be read: unpack it, and name the folder", r.Path)
	case errors.Is(err, errUnknownSchema):
		return fmt.Errorf("%s cannot be read: %w", r.Path, err)
	}
	r.Rebuilt = err
	for _, file := range []string{runfolder.JournalName, runfolder.IntervalsName} {
		if _, missing := os.Stat(filepath.Join(r.Dir, file)); name != at && missing == nil ||
			filepath.Base(at) == file {
			return r.rebuild(file)
		}
	}
	switch {
	case r.Kind == KindCapacity:
		return fmt.Errorf("%s is damaged: %w; each run of the search lies under %s and can be read by "+
			"itself", r.Path, err, capacity.ProbesFolder)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s holds no recorded run: it has none of %s", r.Path,
			strings.Join(runfolder.RecordNames(), ", "))
	}
	return fmt.Errorf("%s holds no run that can be read: %w", r.Path, err)
}

// rebuild rebuilds a run from the records written during it.
func (r *Run) rebuild(file string) (err error) {
	notes := &r.Conformance.Notes
	if file == runfolder.JournalName {
		r.Kind = KindConformance
		r.Conformance, err = record.LoadJournal(filepath.Join(r.Dir, file))
	} else {
		r.Kind, notes = KindLoad, &r.Load.Notes
		r.Load, err = results.ReadRun(r.Dir)
	}
	if !errors.Is(r.Rebuilt, fs.ErrNotExist) && filepath.Base(r.Path) != file {
		*notes = append(*notes, "read from "+file+", as "+runfolder.RunName+" cannot be read")
	}
	return err
}

// errUnknownSchema is the error for a run.json of another version.
var errUnknownSchema = errors.New("which this version does not know")

// parseRunFile parses a run.json of any kind. With an error, it sets the kind if it is known.
func (r *Run) parseRunFile(data []byte) error {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	switch head.Schema {
	case record.Schema:
		r.Kind = KindConformance
		return json.Unmarshal(data, &r.Conformance)
	case results.Schema:
		r.Kind = KindLoad
		return json.Unmarshal(data, &r.Load)
	case capacity.Schema:
		r.Kind = KindCapacity
		return json.Unmarshal(data, &r.Capacity)
	}
	if head.Schema == "" {
		return errors.New("it names no schema")
	}
	return fmt.Errorf("it is of schema %s, %w", printable.Quote(head.Schema), errUnknownSchema)
}

// RunHead is the data that runs of every kind have, also as JSON in comparisons.
type RunHead struct {
	ID         string    `json:"id"`
	Deployment string    `json:"deployment"`
	BaseURL    string    `json:"base_url"`
	Started    time.Time `json:"started_at"`
	Finished   time.Time `json:"-"`
	Verdict    string    `json:"verdict"`
	Reason     string    `json:"reason,omitempty"`
	Partial    bool      `json:"partial"`
	Embedded   bool      `json:"-"` // the embedded reference gateway was tested
	// see deployment.File.Fingerprint; empty: an earlier version made the run
	Fingerprint string               `json:"-"`
	Depth       string               `json:"-"` // conformance
	Selected    record.RuleSelection `json:"-"` // conformance
}

// VerdictText returns the verdict with its extent, as in lists.
func (h RunHead) VerdictText() string { return strings.TrimSuffix(h.Verdict+", "+h.Extent(), ", ") }

// Extent returns the depth and the selection of a run, if they are not the default.
func (h RunHead) Extent() string {
	var parts []string
	if h.Depth != "" && h.Depth != deployment.DepthStandard {
		parts = append(parts, "depth "+h.Depth)
	}
	if h.Selected.IsPartial() {
		parts = append(parts, h.Selected.String())
	}
	return strings.Join(parts, ", ")
}

// head returns the head of a run of any kind.
func (r *Run) head() RunHead {
	if c := r.Conformance; r.Kind == KindConformance {
		return RunHead{
			c.Run.ID, c.Run.Deployment, c.Run.BaseURL, c.Run.StartedAt, c.Run.FinishedAt,
			string(c.Verdict), c.Reason, c.Run.Partial, c.Run.Embedded, c.Run.Fingerprint, c.Run.Depth,
			c.Run.Selected,
		}
	}
	i, verdict, reason := r.Load.Run, r.Load.Verdict, r.Load.Reason
	if c := r.Capacity; r.Kind == KindCapacity {
		i, verdict, reason = c.Run, c.Verdict, c.Reason
		i.Partial = i.Partial || c.Capacity.Limit == capacity.LimitedByInterrupt
	}
	return RunHead{
		i.ID, i.Deployment, i.BaseURL, i.StartedAt, i.FinishedAt, string(verdict), reason, i.Partial,
		i.Embedded, i.Fingerprint, "",
		record.RuleSelection{},
	}
}
