// Package reports writes the files that follow from the record of a run: its page, its summary,
// its JUnit file. They hold nothing that the record does not, so a run that was killed before it
// wrote them has them as well.
package reports

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/reports/junit"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/sarif"
	"github.com/gateassay/gateassay/reports/view"
)

// Format is the format of a file that is made from a recorded run.
type Format string

// The formats. Runs of any kind have the first three.
const (
	Markdown Format = "markdown"
	JSON     Format = "json" // the record itself
	HTML     Format = "html"
	JUnit    Format = "junit" // conformance and load runs
	SARIF    Format = "sarif" // conformance runs
)

// Name returns the name of the file of this format in the folder of a run.
func (f Format) Name() string {
	return map[Format]string{
		Markdown: "summary.md", JSON: runfolder.RunName,
		HTML: "report.html", JUnit: "junit.xml", SARIF: "results.sarif",
	}[f]
}

// ErrFormat reports a format that runs of a kind do not have.
var ErrFormat = errors.New("runs of this kind have no such format")

// Formats returns the formats that runs of a kind have.
func Formats(kind recorded.Kind) []Format {
	switch all := []Format{Markdown, JSON, HTML, JUnit, SARIF}; kind {
	case recorded.KindConformance:
		return all
	case recorded.KindLoad:
		return all[:4]
	default:
		return all[:3]
	}
}

// Write renders the run recorded in a folder in each of the formats and writes the files into that
// folder, each whole or not at all. Without formats it writes report.html, junit.xml and
// summary.md, as far as runs of that kind have them. One file that cannot be written does not keep
// Write from the others; the errors are joined.
func Write(folder string, formats ...Format) error {
	run, err := recorded.Open(folder)
	if err != nil {
		return err
	}
	if len(formats) == 0 {
		formats = slices.DeleteFunc([]Format{HTML, JUnit, Markdown}, func(f Format) bool {
			return !slices.Contains(Formats(run.Kind), f)
		})
	}
	for _, f := range formats {
		data, failed := Render(run, f)
		if failed == nil && f != JSON { // the record stays as it is
			failed = runfolder.WriteAtomic(run.Dir, f.Name(), data)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// Render returns an opened run in a format. The error wraps ErrFormat where runs of that kind do
// not have it.
func Render(run recorded.Run, f Format) ([]byte, error) {
	if !slices.Contains(Formats(run.Kind), f) {
		return nil, fmt.Errorf("%s: %w", cmp.Or(f, "empty format"), ErrFormat)
	}
	ofConformance := run.Kind == recorded.KindConformance
	switch {
	case f == JSON:
		return printable.JSON(run.Record())
	case f == SARIF:
		return sarif.Write(run.Conformance)
	case f == JUnit && ofConformance:
		return junit.Write(run.Conformance)
	case f == JUnit:
		return junit.Load(run.Load)
	case f == HTML && ofConformance:
		return conformance.Page(run.Dir, run.Conformance)
	case f == HTML:
		return view.WritePage(loadReport(run))
	case ofConformance:
		return conformance.Markdown(run.Conformance), nil
	default:
		return view.WriteMarkdown(loadReport(run)), nil
	}
}

// Print writes an opened run as text for a terminal.
func Print(w io.Writer, run recorded.Run, s conformance.Style) error {
	if run.Kind == recorded.KindConformance {
		return conformance.Print(w, run.Conformance, s)
	}
	return view.WriteText(w, loadReport(run), s.Style)
}

// loadReport is the report of a load run, or of a search for the capacity.
func loadReport(run recorded.Run) view.Report {
	if run.Kind == recorded.KindCapacity {
		return loadreport.SearchReport(run.Capacity)
	}
	return loadreport.OpenReport(run.Dir, run.Load)
}
