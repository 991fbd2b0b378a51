package browser_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/har"
	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/browser/browsertest"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// shared is the one browser of these tests, set before the first of them.
var shared *browser.Browser

func TestMain(m *testing.M) {
	browsertest.Main(m, func(b *browser.Browser) { shared = b })
}

// archive makes exchanges up to a number, with a text in every place where one can be.
type archive struct {
	n    int
	text string
}

// folder is that of a run, with the exchanges.
func (a archive) folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	h, err := har.Create(filepath.Join(dir, conformance.HARName), "gateassay", "1")
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.n {
		status := []int{201, 400, 503, 0}[i%4]
		x := &client.Exchange{
			Seq: i + 1, Attempt: 1, Label: fmt.Sprintf("request %d %s", i%50, a.text), Operation: client.Export, Status: status,
			StartedAt: recordtest.Start.Add(time.Duration(i/8) * 20 * time.Millisecond),
			Service:   time.Duration(5+i%30) * time.Millisecond, FirstByte: time.Duration(5+i%30) * time.Millisecond,
			Recorded: client.Record{
				Method: "POST", URL: "https://gateway.staging.example/v1/exports?x=" + a.text, Status: status,
				RequestHeader:  map[string][]string{"Content-Type": {"application/json"}},
				RequestBody:    []byte(`{"amount": 9007199254740993, "name": "José"}`),
				ResponseHeader: map[string][]string{"X-Text": {a.text}}, ResponseBody: []byte(a.text),
			},
		}
		if status == 0 {
			x.Err = &client.Trouble{Kind: client.Reset}
		}
		if err := h.Append(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func written(t *testing.T, run record.Run, a archive) string {
	t.Helper()
	html, err := conformance.Page(a.folder(t), run)
	return browsertest.Written(t, html, err)
}

func sample(t *testing.T, look browser.Look) *browser.Page {
	t.Helper()
	return browsertest.Open(t, shared, written(t, recordtest.Run(), archive{n: 300, text: "quite ordinary"}), look)
}

const visibleRules = `[...document.querySelectorAll("tr.rule")].filter(r => r.offsetParent !== null).map(r => r.querySelector("code").textContent)`

// set changes a control the way a reader's input does.
func set(t *testing.T, p *browser.Page, id, value string) {
	t.Helper()
	browsertest.Eval[bool](
		t, p, fmt.Sprintf(`(() => { const c = document.getElementById(%q); c.value = %q; c.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`, id, value))
}

func TestFiltersAndSearchKeepWhatIsAskedFor(t *testing.T) {
	browsertest.Full(t)
	p := sample(t, browser.Look{})
	run := recordtest.Run()
	if got := len(browsertest.Eval[[]string](t, p, visibleRules)); got != len(run.Rules) {
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
		got := browsertest.Eval[[]string](t, p, visibleRules)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	set(t, p, "verdict", "fail")
	expect("violated", func(r record.Rule) bool { return r.Shown() == record.Fail })
	set(t, p, "level", "should")
	expect("violated should rules", func(r record.Rule) bool { return r.Shown() == record.Fail && r.Level == "should" })
	browsertest.Eval[bool](t, p, `document.getElementById("reset").click() || true`)
	set(t, p, "verdict", "warning")
	expect("warnings", func(r record.Rule) bool { return r.Shown() == record.Warned })
	set(t, p, "verdict", "")
	set(t, p, "level", "security")
	expect("security rules", func(r record.Rule) bool { return r.Security })
	browsertest.Eval[bool](t, p, `document.getElementById("reset").click() || true`)
	set(t, p, "topic", "export.filter")
	expect("a topic", func(r record.Rule) bool {
		return r.ID == "export.filter.client_id" ||
			r.ID == "export.filter.prefix"
	})
	set(t, p, "topic", "")
	set(t, p, "search", "QUOTE bound")
	if got := browsertest.Eval[[]string](t, p, visibleRules); len(got) == 0 ||
		!slices.Contains(got, "export.range.end_exclusive") {
		set(t, p, "search", "date_end")
		expect("a word of the statement", func(r record.Rule) bool { return r.ID == "export.range.end_exclusive" })
	}
	set(t, p, "search", "no such rule")
	expect("nothing", func(record.Rule) bool { return false })
	if said := browsertest.Eval[string](t, p,
		`document.getElementById("matches").textContent`); said != fmt.Sprintf("0 of %d rules", len(run.Rules)) {
		t.Errorf("the page says %q", said)
	}
}
