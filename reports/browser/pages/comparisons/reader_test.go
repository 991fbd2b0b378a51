package comparisons_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/browser/browsertest"
)

// kinds of comparisons, each with the scripts that its page has: plots take three.
var pages = []struct {
	name    string
	scripts int
}{{"conformance", 0}, {"load", 3}, {"capacity", 3}}

// written is a folder with a page of each kind. The comparisons are made by the tests of their own package.
func written(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	command := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-run", "^TestPagesAreWritten$", ".")
	command.Dir, command.Env = "../../../compare", append(os.Environ(), "PAGES="+folder)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

func TestPagesAsAReaderSeesThem(t *testing.T) {
	b, err := browser.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	axe, err := browser.Axe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folder := written(t)
	for _, kind := range pages {
		path := filepath.Join(folder, kind.name+".html")
		for name, look := range map[string]browser.Look{
			"light":      {},
			"dark phone": {Width: 390, Height: 844, Phone: true, Dark: true},
		} {
			p := browsertest.Open(t, b, path, look)
			faults, err := p.Faults(axe)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults {
				t.Errorf("%s, %s: %s (%s): %s\n%s", kind.name, name, f.ID, f.Impact,
					f.Help, strings.Join(f.Where, "\n"))
			}
			if wide := browsertest.Eval[float64](t, p, `document.documentElement.scrollWidth`); look.Phone &&
				wide > 390 {
				t.Errorf("%s: the page is %v pixels wide on a phone of 390", kind.name, wide)
			}
			// A column that is squeezed to a letter makes its rows as tall as their texts are long. On a phone the rows of lists
			// are cards, in which a text has to have most of the width.
			rows, narrow := "table tbody tr", 0.0
			if look.Phone {
				rows = "table:not(.list) tbody tr"
				narrow = browsertest.Eval[float64](t, p, `Math.min(...[...document.querySelectorAll(".list tbody td")]
					.filter(d => d.innerText.length > 40).map(d => d.offsetWidth), 999)`)
			}
			if tall := browsertest.Eval[float64](t, p, `Math.max(0, ...[...document.querySelectorAll("`+rows+
				`")].map(r => r.offsetHeight))`); tall > 160 {
				t.Errorf("%s, %s: a row of a table is %v pixels tall", kind.name, name, tall)
			}
			if look.Phone && narrow < 200 {
				t.Errorf("%s, %s: a long text is %v pixels wide", kind.name, name, narrow)
			}
			back := browsertest.Eval[float64](t, p,
				`(() => { const c = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number); return (c[0] + c[1] + c[2]) / 3; })()`)
			if look.Dark != (back < 128) {
				t.Errorf("%s, %s: the background is %v", kind.name, name, back)
			}
		}
		inert(t, browsertest.Open(t, b, filepath.Join(folder, kind.name+"-hostile.html"),
			browser.Look{Width: 390, Height: 844, Phone: true}), kind.name, kind.scripts)
	}
	t.Run("plots", func(t *testing.T) {
		plots(t, browsertest.Open(t, b, filepath.Join(folder, "load.html"), browser.Look{}))
	})
}

// inert reports that no text of a run became a part of the page.
func inert(t *testing.T, p *browser.Page, name string, scripts int) {
	t.Helper()
	if n := browsertest.Eval[int](t, p,
		`document.querySelectorAll("img, iframe, object, embed, base, form, [onerror], a:not(.skip):not(nav a)").length`); n != 0 {
		t.Errorf("%s: %d elements that a text brought in", name, n)
	}
	if n := browsertest.Eval[int](t, p, `document.scripts.length`); n != scripts {
		t.Errorf("%s: %d scripts, not %d", name, n, scripts)
	}
	if n := browsertest.Eval[int](t, p,
		`[...document.body.innerText].filter(c => "\u0000\u001b\u202e\u0007".includes(c)).length`); n != 0 {
		t.Errorf("%s: %d control characters are on the page", name, n)
	}
	if wide := browsertest.Eval[float64](t, p, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("%s: the page is %v pixels wide on a phone of 390", name, wide)
	}
}

// plots zoom, read their values and hide series, from the keyboard and with the pointer.
func plots(t *testing.T, p *browser.Page) {
	at := func(selector string) string { return "document.querySelector(`#plot-response " + selector + "`)" }
	if n := browsertest.Eval[int](t, p, `document.querySelectorAll(".drawing canvas").length`); n != 4 {
		t.Fatalf("%d plots are drawn", n)
	}
	labels := browsertest.Eval[[]string](t, p,
		`[...document.querySelectorAll("#plot-response .series button")].map(b => b.textContent)`)
	if got := strings.Join(labels, ", "); got != "p99 before, p50 before, p99 after, p50 after" {
		t.Errorf("the plot overlays %s", got)
	}
	browsertest.Eval[bool](t, p, at(".surface")+".focus() || true")
	for range 3 {
		if err := p.Do(chromedp.KeyEvent("+")); err != nil {
			t.Fatal(err)
		}
	}
	if browsertest.Eval[bool](t, p, at(`button[data-part="reset"]`)+".hidden") {
		t.Error("plus does not zoom in")
	}
	if err := p.Do(chromedp.KeyEvent("0")); err != nil {
		t.Fatal(err)
	}
	if !browsertest.Eval[bool](t, p, at(`button[data-part="reset"]`)+".hidden") {
		t.Error("0 does not show everything again")
	}
	browsertest.Eval[bool](t, p, at(`.series button`)+".click() || true")
	if on := browsertest.Eval[string](t, p, at(`.series button`)+`.getAttribute("aria-pressed")`); on != "false" {
		t.Errorf("a series that was clicked is pressed: %s", on)
	}
}
