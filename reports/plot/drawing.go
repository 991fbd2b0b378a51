package plot

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/tsenart/vegeta/v12/lib/plot"
)

var (
	//go:embed plot.css
	styles string
	//go:embed axes.js
	axes string
	//go:embed paint.js
	paint string
	//go:embed plot.js
	drawing string
	//go:embed uplot.txt
	licence string
)

// Drawing is what draws the figures of a page: the script reads the data from the element with the
// ID plotted.
type Drawing struct {
	Styles, Script string
	Data           []byte // JSON
}

// Draw makes a drawing of figures. It fails when uPlot is not in the program, which a test shows.
func Draw(figures []Figure) (d Drawing, err error) {
	plotter, err := vegetaAsset("uPlot.min.js")
	if err != nil {
		return d, err
	}
	look, err := vegetaAsset("uPlot.min.css")
	if err != nil {
		return d, err
	}
	d.Styles = look + "\n" + styles
	// one function, so that its parts see each other and nothing else does
	d.Script = "/*\n" + licence + "*/\n" + plotter +
		"\n(function () {\n\"use strict\";\n" + axes + paint + drawing + "})();\n"
	if d.Data, err = encodeFigures(figures); err != nil {
		return d, fmt.Errorf("the figures of the page: %w", err)
	}
	return d, nil
}

// vegetaAsset reads a file that vegeta's plots are made with.
func vegetaAsset(name string) (string, error) {
	file, err := plot.Assets.Open(name)
	if err != nil {
		return "", fmt.Errorf("the plots' %s: %w", name, err)
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(file)
	return strings.TrimSpace(string(data)), err
}
