package loads_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/browser/browsertest"

	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// shared is the one browser of these tests, set before the first of them.
var shared *browser.Browser

func TestMain(m *testing.M) {
	browsertest.Main(m, func(b *browser.Browser) { shared = b })
}

func TestPagesAreAccessibleAndFitAPhone(t *testing.T) {
	axe, err := browser.Axe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range pages(t, "") {
		for mode, look := range map[string]browser.Look{
			"light": {}, "dark": {Dark: true}, "phone": {Width: 390, Height: 844, Phone: true},
		} {
			p := browsertest.Open(t, shared, path, look)
			if over := browsertest.Eval[float64](t, p,
				`document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
				t.Errorf("%s, %s: the page is %g pixels too wide", name, mode, over)
			}
			if look.Phone {
				continue // the same elements as in light
			}
			faults, err := p.Faults(axe)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults {
				t.Errorf("%s, %s: %s (%s): %s\n%s", name, mode, f.ID, f.Impact, f.Help, strings.Join(f.Where, "\n"))
			}
		}
	}
}

func TestHostileTextsAreInert(t *testing.T) {
	browsertest.Full(t)
	for kind, text := range map[string]string{
		"markup":   recordtest.Hostile,
		"megabyte": strings.Repeat(recordtest.Hostile, 1<<20/len(recordtest.Hostile)+1),
	} {
		for name, path := range pages(t, text) {
			if info, err := os.Stat(path); err != nil || info.Size() > 5<<20 {
				t.Errorf("%s, %s: %d bytes", kind, name, info.Size())
			}
			p := browsertest.Open(t, shared, path, browser.Look{})
			browsertest.Eval[bool](t, p, `document.querySelectorAll("details").forEach(d => d.open = true) || true`)
			if n := browsertest.Eval[int](t, p,
				`document.querySelectorAll("img, iframe, object, embed, link, base, form, [onerror]").length`); n != 0 {
				t.Errorf("%s, %s: %d elements that a text brought in", kind, name, n)
			}
			if n := browsertest.Eval[int](t, p, `document.scripts.length`); n != 3 {
				t.Errorf("%s, %s: %d scripts", kind, name, n)
			}
			if links := browsertest.Eval[[]string](t, p,
				`[...document.links].map(a => a.getAttribute("href")).filter(h => !/^#[a-z]+$/.test(h) && !/^probes\/[0-9]+\/report.html$/.test(h))`); len(links) != 0 {
				t.Errorf("%s, %s: links to %q", kind, name, links)
			}
			if n := browsertest.Eval[int](t, p,
				`[...document.body.innerText].filter(c => "\u0000\u001b\u202e\u0007".includes(c)).length`); n != 0 {
				t.Errorf("%s, %s: %d control characters are on the page", kind, name, n)
			}
		}
	}
}

// TestThePageOfARunThatWasKilled has only what a killed process leaves: the interval records, the last of them torn.
func TestThePageOfARunThatWasKilled(t *testing.T) {
	browsertest.Full(t)
	dir, killed := t.TempDir(), t.TempDir()
	recorded(t, dir, "", "p99<30ms")
	data, err := os.ReadFile(filepath.Join(dir, runfolder.IntervalsName))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(data)), "\n")
	last := lines[len(lines)-1]
	if err := os.WriteFile(filepath.Join(killed, runfolder.IntervalsName),
		[]byte(strings.Join(lines[:len(lines)-1], "")+last[:len(last)/2]), 0o600); err != nil {
		t.Fatal(err)
	}
	html, err := page(killed)
	p := browsertest.Open(t, shared, browsertest.Written(t, html, err), browser.Look{})
	if title := browsertest.Eval[string](t, p, `document.querySelector("h1").textContent`); !strings.Contains(title,
		"interrupted") {
		t.Errorf("the page is headed %q", title)
	}
	for _, id := range []string{"rate", "response", "service", "answers", "distribution", "lag"} {
		if !browsertest.Eval[bool](t, p, `!!document.querySelector("#plot-`+id+` canvas")`) {
			t.Errorf("%s is not drawn", id)
		}
	}
	if left, err := os.ReadDir(killed); err != nil || len(left) != 1 {
		t.Errorf("reading left %v in the folder", left)
	}
	if _, err := page(t.TempDir()); err == nil {
		t.Error("an empty folder has a page")
	}
}
