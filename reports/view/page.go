package view

import (
	_ "embed"
	"html/template"
	"slices"
	"strings"

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
			if b.Copy != nil || slices.ContainsFunc(b.Items, func(i Item) bool { return len(i.Copy) > 0 }) {
				scripts = []string{frame.Copying}
			}
		}
	}
	if r.Own.Script != "" {
		scripts = []string{strings.Join(scripts, "") + r.Own.Script}
	}
	css, data := styles+r.Own.Styles, ""
	if r.Own.Data != nil {
		data = `<script type="application/json" id="data">` + string(r.Own.Data) + "</script>\n"
	}
	v := struct {
		Report
		Charts bool
		frame.Sealed
	}{Report: r, Charts: len(figures) > 0, Sealed: frame.Seal(css, data, scripts...)}
	if v.Charts {
		var err error
		if v.Sealed, err = plot.Seal(figures, css, scripts...); err != nil {
			return nil, err
		}
	}
	return frame.Render(layout, template.FuncMap{"words": strings.Fields}, v)
}
