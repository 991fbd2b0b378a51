package view

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/plot"
)

//go:embed report.gohtml
var pageLayout string

// Style sheets: the palette and parts shared with other pages, then those of reports.
var (
	//go:embed frame.css
	frameCSS string
	//go:embed report.css
	reportCSS string
)

// copyScript makes the buttons copy their commands.
//
//go:embed copy.js
var copyScript string

// maxPageBytes limits a page: larger ones open slowly, and mail and chat systems refuse them.
const maxPageBytes = 5 << 20

// WritePage returns the report as a self-contained page. It loads nothing, works from a file,
// follows light and dark mode, allows only its own style sheet and script, and escapes every text
// of a run. Texts are shortened if the page would be too large.
func WritePage(r Report) ([]byte, error) {
	r = r.only(FormPage)
	var figures []plot.Figure
	for _, p := range r.Parts {
		for _, b := range p.Blocks {
			figures = append(figures, b.Charts...)
		}
	}
	drawn, err := plot.Draw(figures)
	if err != nil {
		return nil, err
	}
	script := drawn.Script + copyScript + r.Own.Script
	css := frameCSS + drawn.Styles + reportCSS + r.Own.Styles
	connect := ""
	if r.Own.Asks {
		connect = "; connect-src 'self'"
	}
	page := struct {
		Report
		Drawn, Data, Script template.JS
		Policy              string
		Style               template.CSS
	}{
		r, template.JS(drawn.Data), template.JS(r.Own.Data), template.JS(script),
		"default-src 'none'; style-src '" + cspHash(css) + "'; script-src '" + cspHash(script) +
			"'; img-src data:" + connect + "; base-uri 'none'; form-action 'none'",
		template.CSS(css),
	}
	var out bytes.Buffer
	for _, longest := range []int{4000, 500, 80} {
		out.Reset()
		t, err := parseLayout(longest, r.Own)
		if err == nil {
			err = t.Execute(&out, page)
		}
		if err != nil {
			return nil, fmt.Errorf("cannot write the page: %w", err)
		}
		if out.Len() <= maxPageBytes {
			break
		}
	}
	return out.Bytes(), nil
}

// parseLayout parses the layout with its functions. longest limits each text of a run, in
// characters.
func parseLayout(longest int, own PageExtras) (*template.Template, error) {
	t := template.New("page")
	return t.Funcs(template.FuncMap{
		"clean": func(s string) string { return printable.Clip(s, longest) },
		"lines": func(s string) string { return printable.CleanLines(printable.Truncate(s, longest)) },
		// a shortened command is useless
		"command": func(s string) string {
			return printable.CleanLines(printable.Truncate(s, 4*longest))
		},
		"brief":    func(s string) string { return printable.Clip(s, min(longest, 200)) },
		"quantity": printable.Quantity[int], "words": strings.Fields,
		"own": func(p *CustomBlock) (template.HTML, error) {
			var out bytes.Buffer
			err := t.ExecuteTemplate(&out, p.Template, p.Data)
			return template.HTML(out.String()), err
		},
	}).Funcs(own.Functions).Parse(pageLayout + own.Layout)
}

// cspHash returns the hash of a style or script for a content security policy.
func cspHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// ContentSecurityPolicy returns the policy in the head of a page; without one it allows nothing.
func ContentSecurityPolicy(page []byte) string {
	_, rest, found := bytes.Cut(page, []byte(`<meta http-equiv="Content-Security-Policy" content="`))
	policy, _, closed := bytes.Cut(rest, []byte(`"`))
	if !found || !closed {
		return "default-src 'none'"
	}
	return html.UnescapeString(string(policy))
}
