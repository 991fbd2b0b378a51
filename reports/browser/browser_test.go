package browser_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/page"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/reports/record/recordtest"
)

// shared is the one browser of these tests, set before the first of them.
var shared *browser.Browser

func TestMain(m *testing.M) {
	b, err := browser.Start(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared = b
	code := m.Run()
	b.Close()
	os.Exit(code)
}

// archive makes exchanges up to a number, with a text in every place where one can be.
type archive struct {
	n    int
	text string
}

func (a archive) Exchange(seq int) *page.Exchange {
	if seq < 1 || seq > a.n {
		return nil
	}
	return &page.Exchange{
		Method: "POST", URL: "https://gateway.staging.example/v1/exports?x=" + a.text, Status: 201,
		RequestHead: "Content-Type: application/json\nNonce: " + a.text, RequestBody: `{"amount": 9007199254740993, "name": "José"}`,
		ResponseHead: "X-Text: " + a.text, ResponseBody: a.text,
	}
}

func (a archive) Moments() []page.Moment {
	var list []page.Moment
	for i := range a.n {
		list = append(list, page.Moment{
			Seq: i + 1, Attempt: 1, Label: fmt.Sprintf("request %d %s", i%50, a.text), Operation: "export", Status: []int{201, 400, 503, 0}[i%4],
			StartedAt: recordtest.Start.Add(time.Duration(i/8) * 20 * time.Millisecond), Service: time.Duration(5+i%30) * time.Millisecond,
		})
	}
	return list
}

func written(t *testing.T, run record.Run, x page.Exchanges) string {
	t.Helper()
	data, err := page.Write(run, x)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a page that must neither log an error nor ask any host for anything, until the test ends.
func open(t *testing.T, path string, look browser.Look) *browser.Page {
	t.Helper()
	p, err := shared.Open(path, look)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, e := range p.Errors() {
			t.Errorf("the page logs: %s", e)
		}
		for _, u := range p.Requests() {
			t.Errorf("the page asks for %s", u)
		}
		p.Close()
	})
	return p
}

func sample(t *testing.T, look browser.Look) *browser.Page {
	t.Helper()
	return open(t, written(t, recordtest.Run(), archive{n: 300, text: "quite ordinary"}), look)
}

func eval[T any](t *testing.T, p *browser.Page, script string) T {
	t.Helper()
	v, err := browser.Eval[T](p, script)
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

const visibleRules = `[...document.querySelectorAll("tr.rule")].filter(r => r.offsetParent !== null).map(r => r.querySelector("code").textContent)`

// set changes a control the way a reader's input does.
func set(t *testing.T, p *browser.Page, id, value string) {
	t.Helper()
	eval[bool](t, p, fmt.Sprintf(`(() => { const c = document.getElementById(%q); c.value = %q; c.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`, id, value))
}

func TestFiltersAndSearchKeepWhatIsAskedFor(t *testing.T) {
	p := sample(t, browser.Look{})
	run := recordtest.Run()
	if got := len(eval[[]string](t, p, visibleRules)); got != len(run.Rules) {
		t.Fatalf("%d of %d rules are visible at first", got, len(run.Rules))
	}
	expect := func(what string, keep func(record.Rule) bool) {
		t.Helper()
		var want []string
		for _, r := range run.Rules {
			if keep(r) {
				want = append(want, r.ID)
			}
		}
		got := eval[[]string](t, p, visibleRules)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	set(t, p, "verdict", "fail")
	expect("violated", func(r record.Rule) bool { return r.Verdict == record.Fail })
	set(t, p, "level", "should")
	expect("violated should rules", func(r record.Rule) bool { return r.Verdict == record.Fail && r.Level == "should" })
	eval[bool](t, p, `document.getElementById("reset").click() || true`)
	set(t, p, "topic", "export.filter")
	expect("a topic", func(r record.Rule) bool { return r.ID == "export.filter.client_id" || r.ID == "export.filter.prefix" })
	set(t, p, "topic", "")
	set(t, p, "search", "QUOTE bound")
	if got := eval[[]string](t, p, visibleRules); len(got) == 0 || !slices.Contains(got, "export.range.end_exclusive") {
		set(t, p, "search", "date_end")
		expect("a word of the statement", func(r record.Rule) bool { return r.ID == "export.range.end_exclusive" })
	}
	set(t, p, "search", "no such rule")
	expect("nothing", func(record.Rule) bool { return false })
	if said := eval[string](t, p, `document.getElementById("matches").textContent`); said != fmt.Sprintf("0 of %d rules", len(run.Rules)) {
		t.Errorf("the page says %q", said)
	}
}
