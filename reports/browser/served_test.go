package browser_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/browse"
	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/browser/browsertest"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// served serves runs the way report serve does and gives the address.
func served(t *testing.T, runs map[string]any) string {
	t.Helper()
	dir := t.TempDir()
	for name, run := range runs {
		data, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, runfolder.RunName), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewUnstartedServer(nil)
	h, err := browse.Open(dir, browse.Options{
		Hosts: []string{server.Listener.Addr().String()},
		Title: "runs", Patience: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = h
	server.Start()
	t.Cleanup(func() {
		server.Close()
		_ = h.Close()
	})
	return server.URL
}

func loadRun(id string, at time.Time, p99 float64) results.Run {
	times := results.Times{P50: 10, P90: 20, P95: 25, P99: p99, P999: p99 + 5, Max: p99 + 10, Mean: 12}
	return results.Run{
		Schema: results.Schema, Run: results.Info{
			ID: id, Deployment: "staging",
			StartedAt: at, FinishedAt: at.Add(time.Minute),
		},
		Plan: json.RawMessage("{}"), Verdict: results.Pass, Reason: "all thresholds held",
		Thresholds: []threshold.Result{{Expr: "p99<300ms", Observed: "212ms", OK: true}},
		Requests:   results.Requests{Scheduled: 6000, Sent: 6000, Accepted: 6000},
		Rate:       results.Rate{Target: 100, Achieved: 99.5},
		Latency:    results.Latency{Service: times, Response: times},
		Generator:  results.Generator{Reliable: true},
	}
}

// history is runs of weeks.
func history(n int) map[string]any {
	runs := map[string]any{}
	for i := range n {
		at := recordtest.Start.Add(time.Duration(i) * 11 * time.Hour)
		if i%3 == 0 {
			runs[fmt.Sprintf("load-%03d", i)] = loadRun(fmt.Sprint("l", i), at, 200+float64(i%40))
			continue
		}
		run := recordtest.Clean()
		if i%3 == 1 {
			run = recordtest.Run()
		}
		run.Run.StartedAt, run.Run.FinishedAt = at, at.Add(42*time.Second)
		runs[fmt.Sprintf("conform-%03d", i)] = run
	}
	return runs
}

// pages are those that are looked at.
var pages = map[string]string{
	"list": "/", "trends": "/trends", "compare": "/compare?a=conform-004&b=conform-005",
	"load compare": "/compare?a=load-000&b=load-003", "report": "/report?run=conform-004",
	"load report": "/report?run=load-003", "apart": "/compare?a=conform-004&b=load-003", "missing": "/nowhere",
}

// looked opens a page to be examined by scripts. One that is served without any is opened as a file: axe-core would
// wait for ever in it.
func looked(t *testing.T, address string, look browser.Look) (*browser.Page, error) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.HasSuffix(policy, "; sandbox") {
		return shared.Visit(address, look)
	}
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		return nil, err
	}
	return shared.Open(file, look)
}

func TestServedPagesHaveNoSeriousFault(t *testing.T) {
	axe, err := browser.Axe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	address := served(t, history(12))
	for name, page := range pages {
		for _, look := range []browser.Look{{}, {Dark: true}, {Width: 390, Height: 844, Phone: true}} {
			p, err := looked(t, address+page, look)
			if err != nil {
				t.Fatal(err)
			}
			browsertest.Eval[bool](t, p, `document.querySelectorAll("details").forEach(d => d.open = true) || true`)
			if wide := browsertest.Eval[float64](t, p, `document.documentElement.scrollWidth`); look.Phone &&
				wide > 390 {
				t.Errorf("%s is %v pixels wide on a phone of 390", name, wide)
			}
			faults, err := p.Faults(axe)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, f := range faults {
				t.Errorf("%s, %+v: %s (%s): %s\n%s", name, look, f.ID, f.Impact, f.Help, strings.Join(f.Where, "\n"))
			}
			p.Close()
		}
	}
}

func TestServedPagesAskNoOtherHostAndFollowTheReader(t *testing.T) {
	browsertest.Full(t)
	address := served(t, history(12))
	const luminance = `(() => { const c = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number); return (c[0] + c[1] + c[2]) / 3; })()`
	for name, page := range pages {
		if name == "missing" || name == "apart" {
			continue // the browser itself logs their status as an error
		}
		if light := browsertest.Eval[float64](t, browsertest.Visit(t, shared, address+page, browser.Look{}),
			luminance); light < 200 {
			t.Errorf("%s: the light page's background is %v", name, light)
		}
		if dark := browsertest.Eval[float64](t, browsertest.Visit(t, shared, address+page, browser.Look{Dark: true}),
			luminance); dark > 60 {
			t.Errorf("%s: the dark page's background is %v", name, dark)
		}
	}
	for _, run := range []string{"conform-004", "load-003"} { // with scripts, in an origin of its own
		p := browsertest.Visit(t, shared, address+"/report?run="+run, browser.Look{})
		if browsertest.Eval[string](t, p, `window.origin`) != "null" {
			t.Errorf("the report of %s shares the origin of the pages", run)
		}
		if n := browsertest.Eval[int](t, p, `document.scripts.length`); n == 0 {
			t.Errorf("the report of %s has no script", run)
		}
		if err := p.Do(chromedp.Click(chromedp.CSS(`a[href="/"]`)),
			chromedp.WaitVisible(chromedp.CSS(`table.runs`))); err != nil {
			t.Errorf("no way back from the report of %s: %v", run, err)
		}
	}
}

// upTo presses Tab until what has the focus matches a selector.
func upTo(t *testing.T, p *browser.Page, selector string) {
	t.Helper()
	for range 200 {
		press(t, p, kb.Tab)
		if browsertest.Eval[bool](t, p, fmt.Sprintf(`document.activeElement.matches(%q)`, selector)) {
			if browsertest.Eval[string](t, p, `getComputedStyle(document.activeElement).outlineStyle`) == "none" {
				t.Errorf("no focus is visible on %s", selector)
			}
			return
		}
	}
	t.Fatalf("Tab does not lead to %s", selector)
}

func TestTwoRunsAreComparedByKeyboard(t *testing.T) {
	browsertest.Full(t)
	p := browsertest.Visit(t, shared, served(t, history(6))+"/?kind=conformance", browser.Look{})
	upTo(t, p, "input[name=a]")
	press(t, p, kb.ArrowDown)
	press(t, p, kb.ArrowDown)
	upTo(t, p, "input[name=b]") // of the same row
	press(t, p, kb.ArrowUp)
	chosen := browsertest.Eval[[]string](t, p,
		`[...document.querySelectorAll("input:checked")].map(i => i.name + " " + i.value).sort()`)
	if len(chosen) != 2 {
		t.Fatalf("chosen: %q", chosen)
	}
	upTo(t, p, "button[formaction]")
	press(t, p, kb.Enter)
	if err := p.Do(chromedp.WaitVisible(chromedp.CSS(`p[aria-label=Runs]`))); err != nil {
		t.Fatal(err)
	}
	at := browsertest.Eval[string](t, p,
		`location.pathname + " " + ["a", "b"].map(n => n + " " + new URLSearchParams(location.search).get(n)).join()`)
	if at != "/compare "+strings.Join(chosen, ",") {
		t.Errorf("%q was chosen, and %q is shown", chosen, at)
	}
}

func TestWhatWasChosenStaysOnOtherPagesOfTheList(t *testing.T) {
	browsertest.Full(t)
	p := browsertest.Visit(t, shared, served(t, history(130)), browser.Look{})
	first := browsertest.Eval[string](t, p, `document.querySelector("input[name=a]").value`)
	click := func(selector, wait string) {
		t.Helper()
		if err := p.Do(chromedp.Click(chromedp.CSS(selector)), chromedp.WaitVisible(chromedp.CSS(wait))); err != nil {
			t.Fatal(err)
		}
	}
	if n := browsertest.Eval[int](t, p, `document.querySelectorAll("input:checked").length`); n != 0 {
		t.Errorf("%d runs are chosen from the start", n)
	}
	click(`input[name=a]`, `button[value="2"]`)
	click(`button[value="2"]`, `button[value="1"]`)
	if n := browsertest.Eval[int](t, p, `document.querySelectorAll("tbody tr").length`); n != 30 {
		t.Errorf("the second page has %d runs", n)
	}
	if kept := browsertest.Eval[string](t, p,
		`document.querySelector(".sticky input[name=a]:checked").value`); kept != first {
		t.Errorf("%s was chosen, and %q is", first, kept)
	}
	click(`tbody tr:last-child input[name=b]`, `button[formaction]`)
	last := browsertest.Eval[string](t, p, `document.querySelector("tbody input[name=b]:checked").value`)
	click(`button[formaction]`, `p[aria-label=Runs]`) // which the list does not have
	if got := browsertest.Eval[string](t, p,
		`["a", "b"].map(n => new URLSearchParams(location.search).get(n)).join()`); got != first+","+last {
		t.Errorf("compared: %s", got)
	}
}

func TestHostileRunsAreServedInert(t *testing.T) {
	browsertest.Full(t)
	runs := history(6)
	for name, text := range map[string]string{
		"hostile":  recordtest.Hostile,
		"megabyte": strings.Repeat(recordtest.Hostile, 1<<20/len(recordtest.Hostile)),
	} {
		run := recordtest.Run()
		run.Run.Deployment, run.Run.BaseURL, run.Run.ID, run.Reason = text, text, text, text
		runs[name] = run
		bad := loadRun(text, recordtest.Start, 10)
		bad.Run.Deployment, bad.Run.BaseURL, bad.Reason, bad.Thresholds[0].Expr,
			bad.Thresholds[0].Observed = text, text, text, text, text
		runs["load-"+name] = bad
	}
	address := served(t, runs)
	for _, page := range []string{
		"/", "/trends", "/report?run=load-megabyte", "/compare?a=hostile&b=megabyte",
		"/compare?a=load-hostile&b=load-megabyte", "/report?run=hostile", "/report?run=load-hostile",
	} {
		p := browsertest.Visit(t, shared, address+page, browser.Look{})
		if n := browsertest.Eval[int](t, p,
			`document.querySelectorAll("img, iframe, object, embed, base, [onerror], a[href^='javascript']").length`); n != 0 {
			t.Errorf("%s: %d elements that a text brought in", page, n)
		}
		if n := browsertest.Eval[int](t, p,
			`[...document.body.innerText].filter(c => "\u0000\u001b\u202e\u0007".includes(c)).length`); n != 0 {
			t.Errorf("%s: %d control characters are on the page", page, n)
		}
		if wide := browsertest.Eval[float64](t, p, `document.documentElement.scrollWidth`); wide > 1280 {
			t.Errorf("%s is %v pixels wide", page, wide)
		}
	}
}
