// Package derived renders anew the files that follow from a recorded run: they hold nothing that its record does not,
// and so a run that was killed before it wrote them has them as well.
package derived

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gateassay/gateassay/load/page"
	load "github.com/gateassay/gateassay/load/record"
	loads "github.com/gateassay/gateassay/load/run"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/junit"
	conformance "github.com/gateassay/gateassay/reports/page"
	"github.com/gateassay/gateassay/reports/record"
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
	return map[Format]string{Markdown: "summary.md", JSON: record.RunName, HTML: "report.html", JUnit: "junit.xml"}[f]
}

// ErrNone reports a form that runs of a kind do not have.
var ErrNone = errors.New("there is no such form")

// Formats are those that runs of a kind have.
func Formats(kind compare.Kind) []Format {
	switch kind {
	case compare.OfConformance:
		return []Format{Markdown, JSON, HTML, JUnit}
	case compare.OfLoad:
		return []Format{Markdown, JSON, HTML}
	}
	return []Format{JSON}
}

// Render gives one form of an opened run. The error is ErrNone where its kind has no such form.
func Render(s compare.Subject, f Format) ([]byte, error) {
	switch s.Kind {
	case compare.OfConformance:
		return ofConformance(s, f)
	case compare.OfLoad:
		return ofLoad(s, f)
	case compare.OfCapacity:
		if f == JSON {
			found, err := Capacity(s)
			if err != nil {
				return nil, err
			}
			return indented(found)
		}
	}
	return nil, ErrNone
}

func ofConformance(s compare.Subject, f Format) ([]byte, error) {
	switch f {
	case Markdown:
		return summary.Markdown(s.Conformance), nil
	case JSON:
		return s.Conformance.JSON()
	case HTML:
		return conformance.FromFolder(s.Dir, s.Conformance)
	case JUnit:
		return junit.Write(s.Conformance)
	}
	return nil, ErrNone
}

func ofLoad(s compare.Subject, f Format) ([]byte, error) {
	switch f {
	case Markdown:
		return loads.Markdown(s.Load), nil
	case JSON:
		return s.Load.JSON()
	case HTML:
		return page.FromFolder(s.Dir)
	}
	return nil, ErrNone
}

// Capacity reads the result of a search for the capacity.
func Capacity(s compare.Subject) (found loads.Capacity, err error) {
	data, err := os.ReadFile(filepath.Join(s.Dir, load.RunName))
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if err != nil {
		return found, fmt.Errorf("%s holds no search that can be read: %w", s.Path, err)
	}
	return found, nil
}

func indented(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}
