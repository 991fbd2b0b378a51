// Package reports writes the reports of a recorded run: its page, its summary and its JUnit file.
// They are made from the record only, so they can also be written for a run that was killed.
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

// Format is the format of a report.
type Format string

// The formats. All kinds of runs have the first three.
const (
	FormatMarkdown Format = "markdown"
	FormatJSON     Format = "json" // the record itself
	FormatHTML     Format = "html"
	FormatJUnit    Format = "junit" // conformance and load runs
	FormatSARIF    Format = "sarif" // conformance runs
)

// FileName returns the name of the file of this format in the folder of a run.
func (f Format) FileName() string {
	return map[Format]string{
		FormatMarkdown: "summary.md", FormatJSON: runfolder.RunName,
		FormatHTML: "report.html", FormatJUnit: "junit.xml", FormatSARIF: "results.sarif",
	}[f]
}

// ErrFormat is the error for a format that a kind of run does not have.
var ErrFormat = errors.New("runs of this kind have no such format")

// Formats returns the formats that runs of a kind have.
func Formats(kind recorded.Kind) []Format {
	switch all := []Format{FormatMarkdown, FormatJSON, FormatHTML, FormatJUnit, FormatSARIF}; kind {
	case recorded.KindConformance:
		return all
	case recorded.KindLoad:
		return all[:4]
	default:
		return all[:3]
	}
}

// Write renders the run recorded in a folder in each format and writes the files atomically into
// that folder. Without formats it writes report.html, junit.xml and summary.md, if runs of that
// kind have them. After an error it continues with the other files and joins the errors.
func Write(folder string, formats ...Format) error {
	run, err := recorded.Open(folder)
	if err != nil {
		return err
	}
	if len(formats) == 0 {
		formats = slices.DeleteFunc([]Format{FormatHTML, FormatJUnit, FormatMarkdown},
			func(f Format) bool { return !slices.Contains(Formats(run.Kind), f) })
	}
	for _, f := range formats {
		data, failed := Render(run, f)
		if failed == nil && f != FormatJSON { // the record is not rewritten
			failed = runfolder.WriteAtomic(run.Dir, f.FileName(), data)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// Render returns an opened run in a format. The error wraps ErrFormat if runs of that kind do not
// have it.
func Render(run recorded.Run, f Format) ([]byte, error) {
	if !slices.Contains(Formats(run.Kind), f) {
		return nil, fmt.Errorf("%s: %w", cmp.Or(f, "empty format"), ErrFormat)
	}
	ofConformance := run.Kind == recorded.KindConformance
	switch {
	case f == FormatJSON:
		return printable.JSON(run.Record())
	case f == FormatSARIF:
		return sarif.Render(run.Conformance)
	case f == FormatJUnit && ofConformance:
		return junit.RenderConformance(run.Conformance)
	case f == FormatJUnit:
		return junit.RenderLoad(run.Load)
	case f == FormatHTML && ofConformance:
		return conformance.Page(run.Dir, run.Conformance)
	case f == FormatHTML:
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

// loadReport returns the report of a load run or of a search for the capacity.
func loadReport(run recorded.Run) view.Report {
	if run.Kind == recorded.KindCapacity {
		return loadreport.SearchReport(run.Capacity)
	}
	return loadreport.ReadReport(run.Dir, run.Load)
}
