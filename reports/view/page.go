package view

import (
	_ "embed"

	"github.com/gateassay/gateassay/reports/frame"
	"github.com/gateassay/gateassay/reports/plot"
)

//go:embed report.gohtml
var layout string

//go:embed report.css
var styles string

// WritePage is the report as a page that needs nothing else: it loads nothing, works from a file, follows light and
// dark, and shows every text of a run escaped.
func WritePage(r Report) ([]byte, error) {
	r = r.in(Page)
	var figures []plot.Figure
	var scripts []string
	for _, p := range r.Parts {
		for _, b := range p.Blocks {
			figures = append(figures, b.Charts...)
			if b.Copy != nil {
				scripts = []string{frame.Copying}
			}
		}
	}
	v := struct {
		Report
		Charts bool
		frame.Sealed
	}{Report: r, Charts: len(figures) > 0, Sealed: frame.Seal(styles, "", scripts...)}
	if v.Charts {
		var err error
		if v.Sealed, err = plot.Seal(figures, styles, scripts...); err != nil {
			return nil, err
		}
	}
	return frame.Render(layout, nil, v)
}
