package browse

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	load "github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/archive"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

const (
	capacitySchema = "gateassay/load-capacity/v1"
	largestRun     = 64 << 20  // bytes of a run.json
	largestRecord  = 512 << 20 // bytes of a journal
)

// summary reads what the list shows of a run.
func (s *shelf) summary(p place) Run {
	var r Run
	var err error
	switch {
	case p.archive:
		r, err = s.ofArchive(p)
	case p.probes:
		r, err = s.ofProbes(p.path)
	default:
		r, err = s.ofFolder(p)
	}
	if err != nil {
		r.Kind, r.Trouble = "", digest.Clean(digest.Clip(err.Error(), 1000))
	}
	return r
}

// ofFolder reads run.json, and what the run recorded as it went where that is missing or cannot be read.
func (s *shelf) ofFolder(p place) (Run, error) {
	var failed error
	if p.has(record.RunName) {
		data, err := s.whole(path.Join(p.path, record.RunName), largestRun)
		if err != nil {
			return Run{}, fmt.Errorf("%s cannot be read: %w", record.RunName, err)
		}
		r, err := parse(data)
		var other unknown
		if err == nil || errors.As(err, &other) || len(p.records) == 1 {
			return r, err
		}
		failed = err
	}
	subject, release, err := s.open(p)
	if err != nil {
		return Run{}, err // tells of both files
	}
	defer release()
	r := summaryOf(subject)
	r.Unfinished = failed == nil
	return r, nil
}

// ofArchive reads run.json out of an archive, or unpacks it where only the record that the run made as it went is there.
// All of the archive is read, and so damage is told.
func (s *shelf) ofArchive(p place) (Run, error) {
	file, err := s.root.Open(p.path)
	if err != nil {
		return Run{}, errors.New("it cannot be opened")
	}
	defer file.Close()
	manifest, data, err := archive.Peek(file, unpackLimits(), record.RunName, largestRun)
	if err != nil {
		return Run{}, undamaged(err)
	}
	var r Run
	failed := errors.New("it holds no record of a run")
	if data != nil {
		r, failed = parse(data)
	}
	if failed != nil && slices.ContainsFunc(manifest.Files, func(f archive.File) bool { return slices.Contains(records[1:], f.Path) }) {
		subject, release, err := s.open(p)
		if err != nil {
			return Run{}, err
		}
		defer release()
		r, failed = summaryOf(subject), nil
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

// ofProbes reads the probes of a search that was cut off before it wrote a record of its own.
func (s *shelf) ofProbes(dir string) (Run, error) {
	r := Run{Kind: capacityKind, Partial: true, Unfinished: true, Verdict: string(load.Inconclusive)}
	lowest := 0.0 // rate that missed
	for _, name := range s.probes(dir) {
		data, err := s.whole(path.Join(name, record.RunName), largestRun)
		if err != nil {
			continue // the one that was under way
		}
		probe, err := parse(data)
		if err != nil || probe.Kind != loadKind {
			continue
		}
		if r.Probes++; r.Probes == 1 {
			r.ID, r.Deployment, r.BaseURL, r.Started = probe.ID, probe.Deployment, probe.BaseURL, probe.Started
		}
		r.Finished = probe.Finished
		if probe.Verdict == string(load.Pass) {
			r.Capacity = max(r.Capacity, probe.Rate.Target)
		} else if lowest == 0 || probe.Rate.Target < lowest {
			lowest = probe.Rate.Target
		}
	}
	if r.Probes == 0 {
		return r, errors.New("the search was cut off before its first probe ended")
	}
	r.Reason = fmt.Sprintf("cut off after %s: the highest rate that held was %.5g/s", digest.Quantity(r.Probes, "probe"), r.Capacity)
	if lowest > 0 {
		r.Reason += fmt.Sprintf(", the lowest that missed %.5g/s", lowest)
	}
	r.Capacity = 0 // it was not found
	return r, nil
}

// open reads all of a run. release ends the use of it.
func (s *shelf) open(p place) (subject compare.Subject, release func(), err error) {
	dir, leave, err := s.files(p)
	if err != nil {
		return compare.Subject{}, nil, err
	}
	subject, err = compare.Open(dir)
	if err != nil {
		leave()
		return compare.Subject{}, nil, fmt.Errorf("%s", relative(err.Error(), dir))
	}
	subject.Path = p.path
	return subject, func() { subject.Close(); leave() }, nil
}

// files gives a folder with the files of a run, which is its own, or where its archive was unpacked.
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
			return fmt.Errorf("%s is no regular file", digest.Clip(path.Base(name), 100))
		}
		if slices.Contains(records, path.Base(name)) {
			if info, err := e.Info(); err == nil && info.Size() > largestRecord {
				return fmt.Errorf("%s has more than %d MiB", path.Base(name), largestRecord>>20)
			}
		}
		return nil
	})
}

// whole reads a file below the folder that is served.
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

// unknown is a schema of another version.
type unknown string

func (u unknown) Error() string {
	return fmt.Sprintf("%s is of schema %q, which this version does not know", record.RunName, digest.Clip(string(u), 80))
}

// parse reads what the list shows of a run.json.
func parse(data []byte) (r Run, err error) {
	var all struct {
		Schema  string        `json:"schema"`
		Run     load.Info     `json:"run"`
		Verdict string        `json:"verdict"`
		Reason  string        `json:"reason"`
		Counts  record.Counts `json:"counts"`
		Rules   []struct {
			Level   string         `json:"level"`
			Verdict record.Verdict `json:"verdict"`
		} `json:"rules"`
		Thresholds []threshold.Result `json:"thresholds"`
		Latency    load.Latency       `json:"latency_ms"`
		Rate       load.Rate          `json:"rate"`
		Requests   json.RawMessage    `json:"requests"`
		Probes     []struct{}         `json:"probes"`
		Capacity   struct {
			Rate float64 `json:"rate"`
		} `json:"capacity"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return Run{}, fmt.Errorf("%s is damaged: %w", record.RunName, err)
	}
	switch all.Schema {
	case record.Schema:
		r.Kind = conformanceKind
	case load.Schema:
		r.Kind = loadKind
		if err := json.Unmarshal(all.Requests, &r.Requests); err != nil {
			return Run{}, fmt.Errorf("%s is damaged: %w", record.RunName, err)
		}
	case capacitySchema:
		r.Kind = capacityKind
	default:
		return Run{}, unknown(all.Schema)
	}
	r.info(all.Run)
	r.Verdict, r.Reason = all.Verdict, all.Reason
	r.Counts, r.Thresholds, r.Latency, r.Rate, r.Capacity, r.Probes = all.Counts, all.Thresholds, all.Latency, all.Rate, all.Capacity.Rate, len(all.Probes)
	for _, rule := range all.Rules {
		r.tally(rule.Level, rule.Verdict)
	}
	return r, nil
}
