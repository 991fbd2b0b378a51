package browser_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	permission "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/browser/browsertest"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// click clicks the first element that a selector finds, as a reader would.
func click(t *testing.T, p *browser.Page, selector string) {
	t.Helper()
	if err := p.Do(chromedp.Click(chromedp.CSS(selector))); err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
}

func TestADeepLinkOpensWhatIsCollapsed(t *testing.T) {
	browsertest.Full(t)
	run := recordtest.Unreachable(40)
	path := written(t, run, archive{n: 50, text: "quite ordinary"})
	p := browsertest.Open(t, shared, path, browser.Look{})
	const id = `document.getElementById("rule-create.topic4.detail004")`
	if browsertest.Eval[bool](t, p, id+`.closest("details").open`) {
		t.Fatal("forty rules with one reason are unfolded")
	}
	browsertest.Eval[bool](t, p, `(location.hash = "#rule-create.topic4.detail004") && true`)
	if !browsertest.Eval[bool](t, p,
		`new Promise(r => setTimeout(() => r(`+id+`.closest("details").open && document.activeElement === `+id+`), 200))`) {
		t.Error("the rule is not shown")
	}
}

func TestViolationsAreIndexedAndFurtherChecksFolded(t *testing.T) {
	browsertest.Full(t)
	run := recordtest.Run()
	further := run.Rules[10].Checks[0]
	further.Name = "another check of the rule than the first"
	run.Rules[10].Checks = append(run.Rules[10].Checks, further)
	p := browsertest.Open(t, shared, written(t, run, archive{n: 50, text: "quite ordinary"}), browser.Look{})
	const index = `[...document.querySelector("#violations").closest(".fold").querySelectorAll(".index tbody")]`
	rows := browsertest.Eval[[]int](t, p, index+`.map(part => part.querySelectorAll("td.text").length)`)
	if want := []int{run.Counts.Fail, run.Counts.Warn}; !slices.Equal(rows, want) {
		t.Errorf("the index has %d violations and warnings, want %d", rows, want)
	}
	const card = `document.getElementById("rule-export.range.end_exclusive")`
	if folded := browsertest.Eval[string](t, p,
		card+`.querySelector("details.check:not([open]) summary").innerText`); !strings.HasPrefix(folded,
		"another check of the rule than the first failed: 20 rows") {
		t.Errorf("the second failing check shows as %q", folded)
	}
	click(t, p, `.index a[href="#rule-export.range.end_exclusive"]`)
	if at := browsertest.Eval[string](t, p, focused); at != "rule-export.range.end_exclusive" {
		t.Errorf("the index leads to %q", at)
	}
}

func TestTheTimelineZoomsFiltersAndTellsTheExchange(t *testing.T) {
	browsertest.Full(t)
	p := sample(t, browser.Look{})
	const bars = `[...document.querySelectorAll("#lanes path")].map(b => [b.getAttribute("class"), (b.getAttribute("d").match(/M/g) || []).length].join(":")).sort().join(" ")`
	whole, ticks := browsertest.Eval[string](t, p, bars),
		browsertest.Eval[string](t, p, `document.querySelector(".ticks").innerText`)
	set(t, p, "answer", "5xx")
	if got := browsertest.Eval[string](t, p, bars); got != "bars 5xx:75" {
		t.Errorf("answers of 5xx alone are drawn as %q", got)
	}
	if said := browsertest.Eval[string](t, p,
		`document.getElementById("found").textContent`); said != "75 of 75 shown" {
		t.Errorf("the list says %q", said)
	}
	set(t, p, "answer", "slow")
	first := browsertest.Eval[string](t, p,
		`[...document.querySelectorAll(".log tr.x td:nth-child(3)")].slice(0, 2).map(d => d.textContent).join()`)
	if first != "34.0 ms,34.0 ms" {
		t.Errorf("the slowest are %q", first)
	}
	browsertest.Eval[bool](t, p, `document.getElementById("everything").click() || true`)
	if got := browsertest.Eval[string](t, p, bars); got != whole {
		t.Errorf("all exchanges are drawn as %q, at first as %q", got, whole)
	}
	// Drag over the middle.
	drag := `(() => { const c = document.querySelector(".canvas"), b = c.getBoundingClientRect();
		const at = (type, share, y) => c.dispatchEvent(new PointerEvent(type, {clientX: b.left + b.width * share, clientY: b.top + y, bubbles: true, pointerType: "mouse"}));
		at("pointerdown", 0.4, 5); at("pointermove", 0.6, 5); at("pointerup", 0.6, 5); return document.querySelector(".ticks").innerText; })()`
	if zoomed := browsertest.Eval[string](t, p, drag); zoomed == ticks || !strings.HasPrefix(zoomed, "30") {
		t.Errorf("dragging over 0.4 to 0.6 of %q shows %q", ticks, zoomed)
	}
	for _, button := range []string{"closer", "wider", "whole"} {
		click(t, p, "#"+button)
	}
	if got := browsertest.Eval[string](t, p, `document.querySelector(".ticks").innerText`); !strings.HasPrefix(got,
		"0\n") && !strings.HasPrefix(got, "0") || browsertest.Eval[string](t, p, bars) != whole {
		t.Errorf("the whole run shows %q", got)
	}
	// The exchange under the pointer: its text, and a click that opens it.
	tip := browsertest.Eval[string](t, p, `(() => { const c = document.querySelector(".canvas"), b = c.getBoundingClientRect();
		const at = type => c.dispatchEvent(new PointerEvent(type, {clientX: b.left + 1, clientY: b.top + 4, bubbles: true, pointerType: "mouse"}));
		at("pointermove"); const said = document.querySelector(".tip").textContent; at("pointerdown"); at("pointerup"); return said; })()`)
	if tip != "#1 export: request 0 quite ordinary, 201, 5.0 ms" {
		t.Errorf("the bar says %q", tip)
	}
	if opened := browsertest.Eval[string](t, p,
		`document.querySelector(".log button[aria-expanded='true']").textContent`); opened != "#1" {
		t.Errorf("a click on the bar opens %q", opened)
	}
}

// Every copy button puts exactly the text beside it into the clipboard.
func TestEveryCopyButtonCopiesExactlyItsText(t *testing.T) {
	browsertest.Full(t)
	run := recordtest.Run()
	p := browsertest.Open(t, shared, written(t, run, archive{n: 50, text: "quite ordinary"}), browser.Look{})
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		if _, err := chromedp.CallBrowser(p.Ctx, permission.SetPermission, permission.SetPermissionParams{
			Permission: &permission.PermissionDescriptor{Name: name}, Setting: permission.PermissionSettingGranted,
		}); err != nil {
			t.Fatal(err)
		}
	}
	n := browsertest.Eval[int](t, p, `document.querySelectorAll(".copyable").length`)
	if n < 8 {
		t.Fatalf("%d texts to copy", n)
	}
	for i := range n {
		got := browsertest.Eval[[]string](t, p, fmt.Sprintf(`(async () => { const c = document.querySelectorAll(".copyable")[%d]; c.querySelector("button").click();
			for (let n = 0; n < 200 && c.querySelector("button").textContent === "Copy"; n++) { await new Promise(r => setTimeout(r, 10)); }
			return [await navigator.clipboard.readText(), c.querySelector("pre").textContent]; })()`, i))
		if got[0] != got[1] || got[0] == "" {
			t.Errorf("text %d: the clipboard holds %q, want %q", i, got[0], got[1])
		}
	}
	var yaml string
	for _, c := range browsertest.Eval[[]string](t, p,
		`[...document.querySelectorAll(".copyable pre")].map(c => c.textContent)`) {
		if strings.HasPrefix(c, "credentials:") {
			yaml = c
		}
	}
	if !strings.Contains(yaml, "fixtures:\n  foreign_shareholder_id: ") && !strings.Contains(yaml, "\n  client_id: ") {
		t.Errorf("the lines for the deployment file are %q", yaml)
	}
}

func TestTheFieldThatARuleIsAboutIsMarkedInTheBody(t *testing.T) {
	browsertest.Full(t)
	run := recordtest.Run()
	for i := range run.Rules {
		if run.Rules[i].ID == "create.required.mother_name" {
			run.Rules[i].ID = "create.required.name"
		}
	}
	p := browsertest.Open(t, shared, written(t, run, archive{n: 50, text: "quite ordinary"}), browser.Look{Dark: true})
	if got := browsertest.Eval[string](t, p,
		`document.querySelector("[id='rule-create.required.name'] mark").textContent`); got != `"name": "José"` {
		t.Errorf("what is marked is %q", got)
	}
}

func TestPaperShowsTheFindingsAndNoControls(t *testing.T) {
	browsertest.Full(t)
	run := recordtest.Run()
	for _, r := range run.Rules {
		for i := range r.Checks {
			if r.Checks[i].Curl != "" {
				r.Checks[i].Curl += strings.Repeat("\n# one of many lines", 40)
			}
		}
	}
	p := browsertest.Open(t, shared, written(t, run, archive{n: 300, text: "quite ordinary"}),
		browser.Look{Width: 560, Height: 900}) // as wide as a sheet is
	if _, err := chromedp.Call(p.Ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	browsertest.Eval[bool](t, p,
		`(document.querySelector(".card .exchange:not(.decisive)").open = true) && dispatchEvent(new Event("beforeprint"))`)
	shown := func(selector string) int {
		return browsertest.Eval[int](
			t, p, fmt.Sprintf(`[...document.querySelectorAll(%q)].filter(e => e.checkVisibility()).length`, selector))
	}
	for _, selector := range []string{
		"nav", ".filter", ".copy", ".moment",
		"#log", ".keys", ".skip", "#lanes", ".map .dots a", ".matrix", ".exchange:not([open])",
	} {
		if n := shown(selector); n != 0 {
			t.Errorf("%d × %s on paper", n, selector)
		}
	}
	for _, selector := range []string{".card .exchange .part", ".index", ".card pre.command", ".needs"} {
		if shown(selector) == 0 {
			t.Errorf("no %s on paper", selector)
		}
	}
	if n := browsertest.Eval[int](t, p,
		`[...document.querySelectorAll("a")].filter(a => a.checkVisibility() && getComputedStyle(a).textDecorationLine !== "none").length`); n != 0 {
		t.Errorf("%d links are underlined on paper", n)
	}
	if n := browsertest.Eval[int](t, p,
		`[...document.querySelectorAll(".card pre")].filter(p => p.scrollHeight > p.clientHeight + 1 || p.scrollWidth > p.clientWidth + 1).length`); n != 0 {
		t.Errorf("%d texts are cut on paper", n)
	}
	browsertest.Eval[bool](t, p, `dispatchEvent(new Event("afterprint"))`)
}
