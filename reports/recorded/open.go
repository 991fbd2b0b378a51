// Package recorded opens recorded runs of every kind: for all that shows, compares or judges them.
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

// Kind of a recorded run.
type Kind string

// The kinds.
const (
	KindConformance Kind = "conformance"
	KindLoad        Kind = "load"
	KindCapacity    Kind = "capacity"
)

// WithArticle is the kind within a sentence, with its article.
func (k Kind) WithArticle() string {
	if k == KindCapacity {
		return "a search for the capacity"
	}
	return "a " + string(k) + " run"
}

// Run is a recorded run, as it is read to be shown or compared.
type Run struct {
	Path        string // as it was named
	Dir         string // where its files are
	Kind        Kind
	Conformance record.Run         // KindConformance
	Load        results.Run        // KindLoad
	Capacity    capacity.SearchRun // KindCapacity
	// why it was read from what it recorded as it went; nil: it was read from run.json
	Rebuilt error
}

// Record is what run.json of the run holds, whatever its kind.
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

// ShardText says which part of a load run this is; empty: the whole.
func (r Run) ShardText() string {
	if info := r.Load.Run; r.Kind == KindLoad && info.Shards > 1 && !info.Merged {
		return fmt.Sprintf("shard %d of %d", info.Shard, info.Shards)
	}
	return ""
}

// Open reads the run in a folder, or in one of its files: run.json, or where that is missing or
// damaged what the run recorded as it went.
func Open(path string) (Run, error) {
	r := Run{Path: path}
	if err := r.read(); err != nil {
		return Run{}, err
	}
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
	var unknown UnknownSchemaError
	data, err := runfolder.ReadRecord(name)
	if err == nil {
		err = r.parseRunFile(data)
	}
	switch {
	case err == nil:
		return nil
	case strings.EqualFold(filepath.Ext(name), ".zip"):
		return fmt.Errorf("%s holds no run that can be read: unpack it, and name the folder", r.Path)
	case errors.As(err, &unknown) && unknown != "":
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

// rebuild reads what a run recorded as it went.
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

// UnknownSchemaError reports a run.json of another version; "" where it names none.
type UnknownSchemaError string

func (u UnknownSchemaError) Error() string {
	if u == "" {
		return "it names no schema"
	}
	return fmt.Sprintf("it is of schema %q, which this version does not know",
		printable.Truncate(printable.Clean(string(u)), 80))
}

// parseRunFile reads a run.json of whichever kind. With an error comes the kind, where it is known.
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
	return UnknownSchemaError(head.Schema)
}

// RunHead is what runs of every kind say of themselves; as JSON what a comparison says of them.
type RunHead struct {
	ID         string    `json:"id"`
	Deployment string    `json:"deployment"`
	BaseURL    string    `json:"base_url"`
	Started    time.Time `json:"started_at"`
	Finished   time.Time `json:"-"`
	Verdict    string    `json:"verdict"`
	Reason     string    `json:"reason,omitempty"`
	Partial    bool      `json:"partial"`
	Embedded   bool      `json:"-"` // the reference gateway answered, in place of a deployment
	// see deployment.File.Fingerprint; empty: an earlier version made the run
	Fingerprint string               `json:"-"`
	Depth       string               `json:"-"` // conformance
	Selected    record.RuleSelection `json:"-"` // conformance
}

// VerdictText is the verdict as lists show it, with its extent.
func (h RunHead) VerdictText() string { return strings.TrimSuffix(h.Verdict+", "+h.Extent(), ", ") }

// Extent is how much was tried, where that is not what a run tries that is asked for nothing else.
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

// Head is that of the run, whatever its kind.
func (r Run) Head() RunHead {
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
