package plot

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/reports/frame"
	"github.com/tsenart/vegeta/v12/lib/plot"
)

//go:embed plot.css
var styles string

//go:embed axes.js
var axes string

//go:embed paint.js
var paint string

//go:embed plot.js
var drawing string

// script is one script, so that its parts see each other and nothing else does.
var script = "(function () {\n\"use strict\";\n" + axes + paint + drawing + "})();\n"

//go:embed uplot.txt
var licence string

// Seal is frame.Seal for a page with figures: its style sheet and scripts stand after those of the plots. It fails when
// uPlot is not in the program, which a test shows.
func Seal(figures []Figure, css string, scripts ...string) (frame.Sealed, error) {
	plotter, err := asset("uPlot.min.js")
	if err != nil {
		return frame.Sealed{}, err
	}
	look, err := asset("uPlot.min.css")
	if err != nil {
		return frame.Sealed{}, err
	}
	data, err := encode(figures)
	if err != nil {
		return frame.Sealed{}, fmt.Errorf("the figures of the page: %w", err)
	}
	before := "<script type=\"application/json\" id=\"plotted\">" + string(data) +
		"</script>\n<!--\n" + licence + "-->\n"
	return frame.Seal(look+"\n"+styles+css, before, plotter, script+strings.Join(scripts, "")), nil
}

// asset reads a file that vegeta's plots are made with.
func asset(name string) (string, error) {
	file, err := plot.Assets.Open(name)
	if err != nil {
		return "", fmt.Errorf("the plots' %s: %w", name, err)
	}
	defer func(f http.File) { _ = f.Close() }(file)
	data, err := io.ReadAll(file)
	if err != nil {
		return "", fmt.Errorf("the plots' %s: %w", name, err)
	}
	return strings.TrimSpace(string(data)), nil
}

var place = template.Must(template.New("place").Parse(
	`<section class="plot" id="plot-{{.ID}}"><h3>{{.Title}}</h3>{{with .Note}}<p class="quiet">{{.}}</p>{{end}}
{{- if .Series}}<p class="unseen">{{range .Said}}{{.}}. {{end}}</p><div class="drawing"></div>{{else}}<p class="nothing">{{.Instead}}</p>{{end}}</section>
`))

// HTML is the place of the figure on its page: title, note, its values in words for those who do not see it, and where
// the script draws. A figure without values says why instead.
func (f Figure) HTML() (template.HTML, error) {
	f = f.drawn()
	view := struct {
		Figure
		Said    []string
		Instead string
	}{Figure: f, Instead: f.Empty}
	if view.Instead == "" {
		view.Instead = "Nothing was measured."
	}
	for _, s := range f.Series {
		view.Said = append(view.Said, f.says(s))
	}
	var out bytes.Buffer
	err := place.Execute(&out, view)
	return template.HTML(out.String()), err
}
