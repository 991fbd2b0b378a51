package browse

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/digest"
)

const (
	reportName  = "report.html"
	probesName  = capacity.Folder
	deepest     = 6       // folders below the one that is served
	mostEntries = 200_000 // files and folders that are looked at
	mostRuns    = 10_000  // that are listed
	mostProbes  = 1_000   // of a search that was cut off
)

// records are the files that a run can be read from, the best first.
var records = runfolder.Records()

// downloads are the files of a run that can be fetched, beside its report.
var downloads = []string{
	runfolder.RunName, "summary.md", "junit.xml", "exchanges.har", results.SeriesName,
	results.HistogramName, runfolder.JournalName, runfolder.IntervalsName, results.ExchangesName,
}

// place is where a run lies: a folder, or an archive.
type place struct {
	path    string   // below the folder that is served, with slashes; "." is that one itself
	archive bool     // then what it holds is known when it was read
	key     string   // changes when its record does
	records []string // of those above
	probes  bool     // it has no record of its own, but those of its probes: a search that was cut off
	report  bool     // report.html is there
	files   []string // those of downloads that are there
	written time.Time
}

// Find returns the paths of the runs below a folder, with slashes and relative to it, the latest first, and at most so
// many.
func Find(folder string, most int) ([]string, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	s := shelf{root: root}
	places, _ := s.places()
	var paths []string
	for _, p := range places[:min(most, len(places))] {
		paths = append(paths, p.path)
	}
	return paths, nil
}

// places finds the runs below the folder, the one written last first. notes say what could not be looked at.
func (s *shelf) places() (list []place, notes []string) {
	if s.only != "" {
		if p, is := s.archived(s.only); is {
			list = append(list, p)
		}
		return list, nil
	}
	entries := 0
	var unread []string
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		found, err := fs.ReadDir(s.root.FS(), dir)
		if err != nil {
			unread = append(unread, dir)
			return
		}
		if p, is := s.folder(dir, found); is {
			list = append(list, p)
			return // what lies below belongs to it: the probes of a search
		}
		for _, e := range found {
			if entries++; entries > mostEntries || len(list) >= mostRuns {
				return
			}
			name := path.Join(dir, e.Name())
			_, packed := archive.FormatOf(e.Name())
			switch {
			case strings.HasPrefix(e.Name(), "."):
			case e.IsDir() && depth < deepest: // links are not followed
				walk(name, depth+1)
			case packed:
				if p, is := s.archived(name); is {
					list = append(list, p)
				}
			}
		}
	}
	walk(".", 0)
	if entries > mostEntries || len(list) >= mostRuns {
		notes = append(notes, fmt.Sprintf("This folder holds more than is searched: at most %d runs are shown.",
			mostRuns))
	}
	if n := len(unread); n > 0 {
		text := printable.Clean(printable.Clip(unread[0], 200))
		if n > 1 {
			text += " and " + digest.Quantity(n-1, "more folder")
		}
		notes = append(notes, text+" could not be read.")
	}
	slices.SortStableFunc(list,
		func(a, b place) int { return cmp.Or(b.written.Compare(a.written), cmp.Compare(a.path, b.path)) })
	return list, notes
}

// folder finds the run in a folder by its files; false: it holds none.
func (s *shelf) folder(dir string, entries []fs.DirEntry) (place, bool) {
	p := place{path: dir}
	probes := false
	for _, e := range entries {
		probes = probes || e.IsDir() && e.Name() == probesName
		if !e.Type().IsRegular() {
			continue
		}
		if slices.Contains(records, e.Name()) {
			info, err := e.Info()
			if err != nil {
				continue // gone in the meantime
			}
			p.records = append(p.records, e.Name())
			p.wrote(e.Name(), info)
		}
		p.report = p.report || e.Name() == reportName
		if slices.Contains(downloads, e.Name()) {
			p.files = append(p.files, e.Name())
		}
	}
	if len(p.records) == 0 && probes {
		s.probed(&p)
	}
	return p, len(p.records) > 0 || p.probes
}

// wrote takes note of a file of the record.
func (p *place) wrote(name string, info fs.FileInfo) {
	p.key += fmt.Sprintf("%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	if info.ModTime().After(p.written) {
		p.written = info.ModTime()
	}
}

// probed looks for the records of probes in a folder without a record of its own.
func (s *shelf) probed(p *place) {
	entries, _ := fs.ReadDir(s.root.FS(), path.Join(p.path, probesName)) // those that can be read are in it
	for _, e := range entries[:min(len(entries), mostProbes)] {
		for _, record := range records {
			name := path.Join(e.Name(), record)
			info, err := s.root.Lstat(path.Join(p.path, probesName, name))
			if err == nil && e.IsDir() && info.Mode().IsRegular() {
				p.probes = true
				p.wrote(name, info)
			}
		}
	}
}

// archived finds out when an archive was written; what it holds is read later.
func (s *shelf) archived(name string) (place, bool) {
	info, err := s.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return place{}, false
	}
	p := place{path: name, archive: true}
	p.wrote("archive", info)
	return p, true
}
