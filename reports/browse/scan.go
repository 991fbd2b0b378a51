package browse

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"
	"time"

	load "github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

// Kinds of runs.
const (
	conformanceKind = "conformance"
	loadKind        = "load"
	capacityKind    = "capacity"
)

const (
	capacitySchema = "gateassay/load-capacity/v1"
	reportName     = "report.html"
	deepest        = 6        // folders below the one that is served
	mostEntries    = 100_000  // files and folders that are looked at
	mostRuns       = 2_000    // that are listed
	largestRun     = 64 << 20 // bytes of a run.json
)

// downloads are the files of a run that can be fetched, beside its report.
var downloads = []string{
	record.RunName, "summary.md", "junit.xml", "exchanges.har", load.SeriesName, load.HistogramName, record.JournalName, load.IntervalsName, load.ExchangesName,
}

// Run is one recorded run as the list shows it. Texts are as they were recorded; templates escape them.
type Run struct {
	Path       string // of its folder, with slashes, below the one that is served; "." is that one itself
	Kind       string // empty: it could not be read
	ID         string
	Deployment string
	BaseURL    string
	Started    time.Time
	Finished   time.Time
	Partial    bool
	Verdict    string
	Reason     string
	Trouble    string // why it could not be read; empty: it could
	Unfinished bool   // it was cut off, or is under way
	Report     bool   // report.html is there
	Files      []string

	Counts     record.Counts      // conformance
	Thresholds []threshold.Result // load
	Latency    load.Latency
	Rate       load.Rate
	Requests   load.Requests
	Capacity   float64 // requests per second

	written time.Time // when its record was last written
}

// at is when a run began, or as much as is known of that.
func (r Run) at() time.Time {
	if r.Started.IsZero() {
		return r.written
	}
	return r.Started
}

// shelf finds the runs below a folder and remembers what it read until the files change.
type shelf struct {
	root *os.Root
	mu   sync.Mutex
	read map[string]remembered
}

type remembered struct {
	size int64
	at   time.Time
	run  Run
}

// runs lists every run, the latest first. notes say what could not be looked at.
func (s *shelf) runs() (list []Run, notes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries, unread := 0, 0
	kept := map[string]remembered{}
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		found, err := fs.ReadDir(s.root.FS(), dir)
		if err != nil {
			unread++
			return
		}
		if run, is := s.run(dir, found, kept); is {
			list = append(list, run)
			return // what lies below belongs to it: the probes of a search
		}
		for _, e := range found {
			if entries++; entries > mostEntries || len(list) >= mostRuns {
				return
			}
			if e.IsDir() && depth < deepest { // links are not followed
				walk(path.Join(dir, e.Name()), depth+1)
			}
		}
	}
	walk(".", 0)
	s.read = kept
	if entries > mostEntries || len(list) >= mostRuns {
		notes = append(notes, fmt.Sprintf("There is more in this folder than is looked at: at most %d runs are shown.", mostRuns))
	}
	if unread > 0 {
		notes = append(notes, digest.Quantity(unread, "folder")+" could not be read.")
	}
	slices.SortStableFunc(list, func(a, b Run) int { return cmp.Or(b.at().Compare(a.at()), cmp.Compare(a.Path, b.Path)) })
	return list, notes
}

// run reads the run in a folder; false: the folder holds none.
func (s *shelf) run(dir string, entries []fs.DirEntry, kept map[string]remembered) (Run, bool) {
	r := Run{Path: dir}
	var file fs.DirEntry
	begun := false
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		switch name := e.Name(); {
		case name == record.RunName:
			file = e
		case name == record.JournalName || name == load.IntervalsName:
			begun = true
			if info, err := e.Info(); err == nil {
				r.written = info.ModTime()
			}
		case name == reportName:
			r.Report = true
		}
		if slices.Contains(downloads, e.Name()) {
			r.Files = append(r.Files, e.Name())
		}
	}
	if file == nil {
		r.Unfinished, r.Trouble = true, "it did not end, or is under way: there is no "+record.RunName
		return r, begun
	}
	info, err := file.Info()
	if err != nil {
		return r, false // gone in the meantime
	}
	have, known := s.read[dir]
	if !known || have.size != info.Size() || !have.at.Equal(info.ModTime()) {
		have = remembered{size: info.Size(), at: info.ModTime()}
		if err := s.parse(dir, &have.run); err != nil {
			have.run = Run{Trouble: err.Error()}
		}
	}
	kept[dir] = have
	report, files := r.Report, r.Files
	r = have.run
	r.Path, r.Report, r.Files, r.written = dir, report, files, have.at
	return r, true
}

// whole reads a file of a run.
func (s *shelf) whole(name string, most int64) ([]byte, error) {
	info, err := s.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	file, err := s.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("it has more than %d MiB", most>>20)
	}
	return data, err
}

// parse reads what the list shows of a run.json.
func (s *shelf) parse(dir string, r *Run) error {
	data, err := s.whole(path.Join(dir, record.RunName), largestRun)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", record.RunName, err)
	}
	var all struct {
		Schema     string             `json:"schema"`
		Run        load.Info          `json:"run"`
		Verdict    string             `json:"verdict"`
		Reason     string             `json:"reason"`
		Counts     record.Counts      `json:"counts"`
		Thresholds []threshold.Result `json:"thresholds"`
		Latency    load.Latency       `json:"latency_ms"`
		Rate       load.Rate          `json:"rate"`
		Requests   json.RawMessage    `json:"requests"`
		Capacity   struct {
			Rate float64 `json:"rate"`
		} `json:"capacity"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("%s is damaged: %w", record.RunName, err)
	}
	switch all.Schema {
	case record.Schema:
		r.Kind = conformanceKind
	case load.Schema:
		r.Kind = loadKind
		if err := json.Unmarshal(all.Requests, &r.Requests); err != nil {
			return fmt.Errorf("%s is damaged: %w", record.RunName, err)
		}
	case capacitySchema:
		r.Kind = capacityKind
	default:
		return fmt.Errorf("%s is of schema %q, which this version does not know", record.RunName, digest.Clip(all.Schema, 80))
	}
	r.ID, r.Deployment, r.BaseURL, r.Started, r.Finished = all.Run.ID, all.Run.Deployment, all.Run.BaseURL, all.Run.StartedAt, all.Run.FinishedAt
	r.Partial, r.Verdict, r.Reason = all.Run.Partial, all.Verdict, all.Reason
	r.Counts, r.Thresholds, r.Latency, r.Rate, r.Capacity = all.Counts, all.Thresholds, all.Latency, all.Rate, all.Capacity.Rate
	return nil
}

// find gives the run in a folder, as the list has it.
func find(list []Run, dir string) (Run, bool) {
	at := slices.IndexFunc(list, func(r Run) bool { return r.Path == dir })
	if at < 0 {
		return Run{}, false
	}
	return list[at], true
}

// conformance reads all of a conformance run.
func (s *shelf) conformance(dir string) (run record.Run, err error) {
	data, err := s.whole(path.Join(dir, record.RunName), largestRun)
	if err == nil {
		err = json.Unmarshal(data, &run)
	}
	return run, err
}
