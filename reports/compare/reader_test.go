package compare

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/browser/browsertest"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// conformances compares two runs that differ in every way, with a text wherever a run holds one.
func conformances(t testing.TB, text string) Result {
	verdicts := map[string]record.Verdict{}
	for i, r := range recordtest.Clean().Rules {
		verdicts[r.ID] = []record.Verdict{record.Fail, record.NotVerified, record.Pass, record.Waived, record.Inconclusive}[i%5]
	}
	before := edited(t, map[string]record.Verdict{recordtest.Clean().Rules[2].ID: record.Fail}, func(r *record.Run) {
		r.Observations = []record.Observation{
			{ID: "export.observed.success_status", Observed: "200"},
			{ID: "export.observed.file_state", Observed: "{state string}"},
			{ID: "only.before", Observed: text},
			{ID: "both", Observed: "x"},
		}
	})
	after := edited(t, verdicts, func(r *record.Run) {
		for i := range r.Rules {
			r.Rules[i].Statement, r.Rules[i].Reason = text, text
			if len(r.Rules[i].Checks) > 0 {
				r.Rules[i].Checks[0].Message = text
			}
		}
		r.Rules = append(r.Rules, record.Rule{ID: "new." + text, Level: text, Statement: text, Verdict: record.Fail, Reason: text})
		r.Run.Deployment, r.Run.BaseURL, r.Reason = text, text, text
		r.Observations = []record.Observation{
			{ID: "export.observed.success_status", Observed: "202"},
			{ID: "export.observed.file_state", Observed: "{status {name string, final boolean}}"},
			{ID: "both", Observed: text},
			{ID: text, Observed: text},
		}
	})
	return compared(t, before, after, 0.05)
}

func loadRuns(t testing.TB, text string) Result {
	slower := steady
	slower.median *= 1.3
	plain := func(r *results.Run) {}
	full := func(r *results.Run) {
		r.Run.Deployment, r.Run.BaseURL, r.Reason = text, text, text
		r.Violations = []results.Violation{{Rule: text, Count: 3}}
		r.Stages[0].Name = text
		r.Thresholds = []threshold.Result{{Expr: text, Observed: text}}
		r.Plan, _ = json.Marshal(map[string]any{text: text, "http": text})
	}
	return compared(t, recordRun(t, steady.run(seeded(1), 40), plain), recordRun(t, slower.run(seeded(2), 45), full), 0.05)
}

func searches(t testing.TB, text string) Result {
	after := search(t, 200, 210, func(run map[string]any, r *capacity.Result) {
		run["reason"], run["slo"], run["verdict"] = text, []string{text}, "fail"
		run["run"] = results.Info{Deployment: text, BaseURL: text}
		run["plan"] = map[string]any{text: text}
		r.Reason, r.Unstable, r.Limit = text, []string{text}, capacity.Limit(text)
		r.Knee = &capacity.Knee{Rate: 100, P99MS: 30, Bend: 0.5}
		for i := range r.Curve {
			r.Curve[i].Reason = text
		}
	})
	return compared(t, search(t, 300, 315, nil), after, 0.05)
}

// kinds of comparisons, each with the scripts that its page has: plots take three.
var pages = []struct {
	name    string
	make    func(t testing.TB, text string) Result
	scripts int
}{{"conformance", conformances, 0}, {"load", loadRuns, 3}, {"capacity", searches, 3}}

func TestPagesAsAReaderSeesThem(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time: make test opens one")
	}
	b, err := browser.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	axe, err := browser.Axe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	megabyte := strings.Repeat(recordtest.Hostile, 1<<20/len(recordtest.Hostile)+1)
	for _, kind := range pages {
		path := written(t, kind.make(t, "quite ordinary"))
		for name, look := range map[string]browser.Look{"light": {}, "dark phone": {Width: 390, Height: 844, Phone: true, Dark: true}} {
			p := browsertest.Open(t, b, path, look)
			faults, err := p.Faults(axe)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults {
				t.Errorf("%s, %s: %s (%s): %s\n%s", kind.name, name, f.ID, f.Impact, f.Help, strings.Join(f.Where, "\n"))
			}
			if wide := browsertest.Eval[float64](t, p, `document.documentElement.scrollWidth`); look.Phone && wide > 390 {
				t.Errorf("%s: the page is %v pixels wide on a phone of 390", kind.name, wide)
			}
			// A column that is squeezed to a letter makes its rows as tall as their texts are long.
			if tall := browsertest.Eval[float64](t, p, `Math.max(...[...document.querySelectorAll("table:not(.stack) tbody tr")].map(r => r.offsetHeight))`); tall > 160 {
				t.Errorf("%s, %s: a row of a table is %v pixels tall", kind.name, name, tall)
			}
			back := browsertest.Eval[float64](t, p, `(() => { const c = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number); return (c[0] + c[1] + c[2]) / 3; })()`)
			if look.Dark != (back < 128) {
				t.Errorf("%s, %s: the background is %v", kind.name, name, back)
			}
		}
		inert(t, browsertest.Open(t, b, written(t, kind.make(t, megabyte)), browser.Look{Width: 390, Height: 844, Phone: true}), kind.name, kind.scripts)
	}
	t.Run("plots", func(t *testing.T) {
		plots(t, browsertest.Open(t, b, written(t, loadRuns(t, "quite ordinary")), browser.Look{}))
	})
}

// inert tells that no text of a run became a part of the page.
func inert(t *testing.T, p *browser.Page, name string, scripts int) {
	t.Helper()
	if n := browsertest.Eval[int](t, p, `document.querySelectorAll("img, iframe, object, embed, base, form, [onerror], a").length`); n != 0 {
		t.Errorf("%s: %d elements that a text brought in", name, n)
	}
	if n := browsertest.Eval[int](t, p, `document.scripts.length`); n != scripts {
		t.Errorf("%s: %d scripts, not %d", name, n, scripts)
	}
	if n := browsertest.Eval[int](t, p, `[...document.body.innerText].filter(c => "\u0000\u001b\u202e\u0007".includes(c)).length`); n != 0 {
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
	labels := browsertest.Eval[[]string](t, p, `[...document.querySelectorAll("#plot-response .series button")].map(b => b.textContent)`)
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

func written(t testing.TB, r Result) string {
	t.Helper()
	html, err := HTML(r)
	return browsertest.Written(t, html, err)
}
