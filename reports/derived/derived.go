// Package derived renders anew the files that follow from a recorded run: they hold nothing that its record does not,
// and so a run that was killed before it wrote them has them as well.
package derived

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/reports/junit"
	"github.com/gateassay/gateassay/reports/loadpage"
	"github.com/gateassay/gateassay/reports/loadtext"
	"github.com/gateassay/gateassay/reports/page"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/summary"
)

// Format of a derived file.
type Format string

// The formats.
const (
	Markdown Format = "markdown"
	JSON     Format = "json"
	HTML     Format = "html"
	JUnit    Format = "junit"
)

// Name is how the file is called in the folder of a run.
func (f Format) Name() string {
	return map[Format]string{Markdown: "summary.md", JSON: runfolder.RunName, HTML: "report.html", JUnit: "junit.xml"}[f]
}

// ErrNone reports a form that runs of a kind do not have.
var ErrNone = errors.New("there is no such form")

// Formats are those that runs of a kind have.
func Formats(kind recorded.Kind) []Format {
	if kind == recorded.OfConformance {
		return []Format{Markdown, JSON, HTML, JUnit}
	}
	return []Format{Markdown, JSON, HTML}
}

// Render gives one form of an opened run. The error is ErrNone where its kind has no such form.
func Render(r recorded.Run, f Format) ([]byte, error) {
	data, err := render(r, f)
	if r.Unpacked { // where an archive was unpacked is no part of what it holds
		data = bytes.ReplaceAll(data, []byte(r.Dir+string(filepath.Separator)), nil)
	}
	return data, err
}

func render(r recorded.Run, f Format) ([]byte, error) {
	switch r.Kind {
	case recorded.OfConformance:
		return ofConformance(r, f)
	case recorded.OfLoad:
		return ofLoad(r, f)
	case recorded.OfCapacity:
		return ofCapacity(r, f)
	}
	return nil, ErrNone
}

func ofConformance(r recorded.Run, f Format) ([]byte, error) {
	switch f {
	case Markdown:
		return summary.Markdown(r.Conformance), nil
	case JSON:
		return r.Conformance.JSON()
	case HTML:
		return page.FromFolder(r.Dir, r.Conformance)
	case JUnit:
		return junit.Write(r.Conformance)
	}
	return nil, ErrNone
}

func ofLoad(r recorded.Run, f Format) ([]byte, error) {
	switch f {
	case Markdown:
		return loadtext.Markdown(r.Load), nil
	case JSON:
		return r.Load.JSON()
	case HTML:
		return loadpage.FromFolder(r.Dir)
	}
	return nil, ErrNone
}

func ofCapacity(r recorded.Run, f Format) ([]byte, error) {
	switch f {
	case Markdown:
		return loadtext.CapacityMarkdown(r.Capacity), nil
	case JSON:
		data, err := json.MarshalIndent(r.Capacity, "", "  ")
		return append(data, '\n'), err
	case HTML:
		return loadpage.WriteCapacity(r.Capacity, loadpage.ReadCapacity(r.Dir, r.Capacity))
	}
	return nil, ErrNone
}

// Files writes into the folder of a run what follows from its record, the report first. Each file is tried, whatever
// became of the others.
func Files(folder string) error {
	run, err := recorded.Open(folder)
	if err != nil {
		return err
	}
	defer run.Close()
	var errs []error
	for _, f := range []Format{HTML, JUnit, Markdown} {
		data, err := Render(run, f)
		if errors.Is(err, ErrNone) {
			continue
		}
		if err == nil {
			err = runfolder.WriteAtomic(folder, f.Name(), data)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
