// Package derived renders anew the files that follow from a recorded run: they hold nothing that its record does not,
// and so a run that was killed before it wrote them has them as well.
package derived

import (
	"errors"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/reports/junit"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/sarif"
	"github.com/gateassay/gateassay/reports/view"
)

// Format of a derived file.
type Format string

// The formats.
const (
	Markdown Format = "markdown"
	JSON     Format = "json"
	HTML     Format = "html"
	JUnit    Format = "junit"
	SARIF    Format = "sarif"
)

// Name is how the file is called in the folder of a run.
func (f Format) Name() string {
	return map[Format]string{
		Markdown: "summary.md", JSON: runfolder.RunName,
		HTML: "report.html", JUnit: "junit.xml", SARIF: "results.sarif",
	}[f]
}

// ErrNone reports a form that runs of a kind do not have.
var ErrNone = errors.New("a run of this kind has no such file")

// Formats are those that runs of a kind have.
func Formats(kind recorded.Kind) []Format {
	switch kind {
	case recorded.OfConformance:
		return []Format{Markdown, JSON, HTML, JUnit, SARIF}
	case recorded.OfCapacity:
		return []Format{Markdown, JSON, HTML}
	}
	return []Format{Markdown, JSON, HTML, JUnit}
}

// Render returns one form of an opened run. The error is ErrNone where its kind has no such form.
func Render(r recorded.Run, f Format) ([]byte, error) {
	switch judged := r.Kind == recorded.OfConformance; {
	case judged && f == JSON:
		return r.Conformance.JSON()
	case judged && f == Markdown:
		return conformance.Markdown(r.Conformance), nil
	case judged && f == HTML:
		return conformance.Page(r.Dir, r.Conformance)
	case judged && f == JUnit:
		return junit.Write(r.Conformance)
	case judged && f == SARIF:
		return sarif.Write(r.Conformance)
	case f == JUnit && r.Kind == recorded.OfLoad:
		return junit.Load(r.Load)
	case f == JSON && r.Kind == recorded.OfLoad:
		return r.Load.JSON()
	case f == JSON:
		return printable.JSON(r.Capacity)
	case f == Markdown:
		return view.WriteMarkdown(View(r)), nil
	case f == HTML:
		return view.WritePage(View(r))
	}
	return nil, ErrNone
}

// View is the report of a load run, or of a search for the capacity.
func View(r recorded.Run) view.Report {
	if r.Kind == recorded.OfCapacity {
		return loadreport.Search(r.Capacity)
	}
	return loadreport.Opened(r.Dir, r.Load)
}

// Files writes into the folder of a run what follows from its record, the report first. Each file is tried, whatever
// became of the others.
func Files(folder string) error {
	run, err := recorded.Open(folder)
	if err != nil {
		return err
	}
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
