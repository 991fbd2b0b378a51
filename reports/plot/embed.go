package plot

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strings"

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

// Embedded is what a page with plots contains.
type Embedded struct {
	Policy string        // content of the page's Content-Security-Policy; names the styles and scripts by their hashes
	Styles template.CSS  // of the one style element, in the head
	Tail   template.HTML // the scripts with the figures and the licence of uPlot, at the end of the body
}

// Embed makes what a page with figures needs: css and scripts are the page's own and stand after those of the plots. It
// fails when uPlot is not in the program, which a test shows.
func Embed(figures []Figure, css string, scripts ...string) (Embedded, error) {
	plotter, err := asset("uPlot.min.js")
	if err != nil {
		return Embedded{}, err
	}
	look, err := asset("uPlot.min.css")
	if err != nil {
		return Embedded{}, err
	}
	data, err := encode(figures)
	if err != nil {
		return Embedded{}, fmt.Errorf("the figures of the page: %w", err)
	}
	css = look + "\n" + styles + "\n" + css
	tail := bytes.NewBufferString("<script type=\"application/json\" id=\"figures\">" + string(data) + "</script>\n<!--\n" + licence + "-->\n")
	policy := "default-src 'none'; style-src '" + Hash(css) + "'; script-src"
	for _, s := range append([]string{plotter, script}, scripts...) {
		fmt.Fprintf(tail, "<script>%s</script>\n", s)
		policy += " '" + Hash(s) + "'"
	}
	return Embedded{
		Policy: policy + "; img-src data:; base-uri 'none'; form-action 'none'",
		Styles: template.CSS(css), Tail: template.HTML(tail.String()),
	}, nil
}

// Hash names a style or a script in a content security policy.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
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
