// Package frame holds what all pages of reports share: one palette, one set of parts, a policy that allows nothing but
// a page's own styles and scripts, and functions that show texts of runs so that nothing in them acts.
package frame

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
)

// Styles are the palette and the parts.
//
//go:embed frame.css
var Styles string

// Copying makes the buttons beside commands copy them.
//
//go:embed copy.js
var Copying string

//go:embed parts.gohtml
var parts string

// SizeLimit is how many bytes a page may have; larger ones open slowly and are refused by mail and by chat.
const SizeLimit = 5 << 20

// Sealed is what makes a page stand on its own.
type Sealed struct {
	Policy string        // content of the page's Content-Security-Policy; names the styles and scripts by their hashes
	Styles template.CSS  // of the one style element, in the head
	Tail   template.HTML // the scripts, at the end of the body
}

// Seal puts the page's own style sheet behind the shared one. What stands before the scripts is part of the tail.
func Seal(css, before string, scripts ...string) Sealed {
	css = Styles + css
	tail, policy := bytes.NewBufferString(before), "default-src 'none'; style-src '"+hash(css)+"'"
	for i, s := range scripts {
		if i == 0 {
			policy += "; script-src"
		}
		fmt.Fprintf(tail, "<script>%s</script>\n", s)
		policy += " '" + hash(s) + "'"
	}
	policy += "; img-src data:; base-uri 'none'; form-action 'none'"
	return Sealed{Policy: policy, Styles: template.CSS(css), Tail: template.HTML(tail.String())}
}

// PolicyOf is the policy that a page of ours names in its head; one that allows nothing where it names none.
func PolicyOf(page []byte) string {
	const before = `<meta http-equiv="Content-Security-Policy" content="`
	_, rest, found := bytes.Cut(page, []byte(before))
	policy, _, closed := bytes.Cut(rest, []byte(`"`))
	if !found || !closed {
		return "default-src 'none'"
	}
	return html.UnescapeString(string(policy))
}

// hash names a style or a script in a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// functions are those that the templates of all pages use; longest bounds each text of a run, in characters.
func functions(longest int) template.FuncMap {
	lines := func(s string) string { return printable.CleanLines(printable.Clip(s, longest)) }
	return template.FuncMap{
		"clean":    func(s string) string { return printable.Clean(printable.Clip(s, longest)) },
		"lines":    lines,
		"command":  func(s string) string { return printable.CleanLines(printable.Clip(s, 4*longest)) }, // cut it is of no use
		"brief":    func(s string) string { return printable.Clean(printable.Clip(s, min(longest, 200))) },
		"utc":      func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
		"quantity": digest.Quantity,
		"anchor":   digest.Anchor,
	}
}

// Template is the layout of a page, which may use the parts and the functions above; those of its own replace them.
func Template(layout string, longest int, own template.FuncMap) (*template.Template, error) {
	t, err := template.New("page").Funcs(functions(longest)).Funcs(own).Parse(parts + layout)
	if err != nil {
		return nil, fmt.Errorf("the page's template: %w", err)
	}
	return t, nil
}

// Piece fills one template of a layout, to be put into a page.
func Piece(layout, name string, own template.FuncMap, longest int, data any) (template.HTML, error) {
	t, err := Template(layout, longest, own)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = t.ExecuteTemplate(&out, name, data)
	return template.HTML(out.String()), err
}

// Render fills the layout of a page, with texts cut shorter where it would get too large.
func Render(layout string, own template.FuncMap, view any) ([]byte, error) {
	var out bytes.Buffer
	for _, longest := range []int{4000, 500, 80} {
		t, err := Template(layout, longest, own)
		if err != nil {
			return nil, err
		}
		out.Reset()
		if err := t.Execute(&out, view); err != nil {
			return nil, fmt.Errorf("cannot write the page: %w", err)
		}
		if out.Len() <= SizeLimit {
			break
		}
	}
	return out.Bytes(), nil
}
