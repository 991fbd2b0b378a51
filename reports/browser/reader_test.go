package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/browser/browsertest"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

func press(t *testing.T, p *browser.Page, keys string) {
	t.Helper()
	if err := p.Do(chromedp.KeyEvent(keys)); err != nil {
		t.Fatal(err)
	}
}

const focused = `document.activeElement.id`

func TestKeyboard(t *testing.T) {
	browsertest.Full(t)
	p := sample(t, browser.Look{})
	press(t, p, kb.Tab)
	if at := browsertest.Eval[string](t, p,
		`document.activeElement.className + " " + (document.activeElement.getBoundingClientRect().top >= 0)`); at != "skip true" {
		t.Fatalf("the first stop is %q, not the visible skip link", at)
	}
	press(t, p, kb.Enter)
	press(t, p, "j")
	first := browsertest.Eval[string](t, p, focused)
	press(t, p, "j")
	second := browsertest.Eval[string](t, p, focused)
	if !strings.HasPrefix(first, "rule-") || !strings.HasPrefix(second, "rule-") || first == second {
		t.Errorf("j leads to %q, then to %q", first, second)
	}
	press(t, p, "k")
	if at := browsertest.Eval[string](t, p, focused); at != first {
		t.Errorf("k leads to %q, not back to %q", at, first)
	}
	if _, err := chromedp.Call(p.Ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Code: "Slash", Text: "/", WindowsVirtualKeyCode: 191,
	}); err != nil { // one event with its text, as from a keyboard: the page can keep the character out of the field
		t.Fatal(err)
	}
	if at := browsertest.Eval[string](t, p, focused); at != "search" {
		t.Fatalf("/ leads to %q", at)
	}
	press(t, p, "end_exclusive")
	if got := browsertest.Eval[[]string](t, p, visibleRules); len(got) != 1 || got[0] != "export.range.end_exclusive" {
		t.Errorf("typing a search shows %q", got)
	}
	press(t, p, kb.Escape)
	if got, want := len(browsertest.Eval[[]string](t, p, visibleRules)), len(recordtest.Run().Rules); got != want {
		t.Errorf("Escape shows %d of %d rules", got, want)
	}
	// From the search on, Tab reaches the matrix, and everything that it stops at shows that it does.
	browsertest.Eval[bool](t, p, `document.getElementById("search").focus() || true`)
	for range 30 {
		press(t, p, kb.Tab)
		if browsertest.Eval[string](t, p, `getComputedStyle(document.activeElement).outlineStyle`) == "none" {
			t.Errorf("no focus is visible on %s",
				browsertest.Eval[string](t, p, `document.activeElement.outerHTML.slice(0, 120)`))
		}
		if browsertest.Eval[bool](t, p, `!!document.activeElement.closest(".operation")`) {
			return
		}
	}
	t.Error("Tab does not reach the matrix")
}

func TestNothingOverflowsAPhone(t *testing.T) {
	browsertest.Full(t)
	for name, p := range map[string]*browser.Page{
		"sample": sample(t, browser.Look{Width: 360, Height: 740, Phone: true}),
		"hostile": browsertest.Open(t, shared, written(t, recordtest.Run(),
			archive{n: 50, text: strings.Repeat("unbroken", 200)}), browser.Look{Width: 360, Height: 740, Phone: true}),
	} {
		browsertest.Eval[bool](t, p, `document.querySelectorAll("details").forEach(d => d.open = true) || true`)
		if wide := browsertest.Eval[float64](t, p, `document.documentElement.scrollWidth`); wide > 360 {
			t.Errorf("%s: the page is %v pixels wide on a phone of 360", name, wide)
		}
	}
}

func TestAxeFindsNoSeriousFault(t *testing.T) {
	axe, err := browser.Axe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, look := range map[string]browser.Look{
		"light": {}, "dark": {Dark: true},
		"phone": {Width: 390, Height: 844, Phone: true},
	} {
		p := sample(t, look)
		browsertest.Eval[bool](t, p,
			`document.querySelectorAll(".card details, .group").forEach(d => d.open = true) || document.querySelector("button.open").click() || true`)
		faults, err := p.Faults(axe)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults {
			t.Errorf("%s: %s (%s): %s\n%s", name, f.ID, f.Impact, f.Help, strings.Join(f.Where, "\n"))
		}
	}
}

func TestHostileTextsStayInert(t *testing.T) {
	browsertest.Full(t)
	for name, text := range map[string]string{
		"markup":   recordtest.Hostile,
		"megabyte": strings.Repeat(recordtest.Hostile, 1<<20/len(recordtest.Hostile)+1),
	} {
		run := recordtest.Run()
		if name == "megabyte" {
			run = recordtest.Large(12, 1<<20)
		}
		run.Run.Deployment, run.Run.BaseURL, run.Run.Command, run.Run.ID = text, text, text, text
		run.Rules[0].ID, run.Rules[0].Level, run.Rules[0].Section = text, text, text
		p := browsertest.Open(t, shared, written(t, run, archive{n: 120, text: text}), browser.Look{})
		browsertest.Eval[bool](t, p,
			`document.querySelectorAll("details").forEach(d => d.open = true) || document.querySelectorAll("button.open").forEach(b => b.click()) || true`)
		if n := browsertest.Eval[int](t, p,
			`document.querySelectorAll("img, iframe, object, embed, link, base, form, [onerror], [style]:not(.cursor), a:not([href^='#']):not([href^='https://github.com/gateassay/gateassay/blob/main/docs/api.md#'])").length`); n != 0 {
			t.Errorf("%s: %d elements that a text brought in", name, n)
		}
		if n := browsertest.Eval[int](t, p, `document.scripts.length`); n != 2 {
			t.Errorf("%s: %d scripts", name, n)
		}
		if n := browsertest.Eval[int](t, p,
			`[...document.body.innerText].filter(c => "\u0000\u001b\u202e\u0007".includes(c)).length`); n != 0 {
			t.Errorf("%s: %d control characters are on the page", name, n)
		}
	}
}

func TestAPhoneGetsFoldedSections(t *testing.T) {
	browsertest.Full(t)
	p := sample(t, browser.Look{Width: 390, Height: 844, Phone: true})
	const open = `[...document.querySelectorAll(".fold[open] > summary h2")].map(h => h.id).join()`
	if at := browsertest.Eval[string](t, p, open); at != "violations" {
		t.Errorf("open at first: %s", at)
	}
	browsertest.Eval[bool](t, p, `document.querySelector("nav a[href='#timeline']").click() || true`)
	if at := browsertest.Eval[string](t, p,
		`new Promise(r => setTimeout(() => r(`+open+`), 200))`); at != "violations,timeline" {
		t.Errorf("open after the link to the timeline: %s", at)
	}
	click(t, p, `.tile[data-verdict="pass"]`)
	if at := browsertest.Eval[string](t, p, open); at != "violations,rules,timeline" {
		t.Errorf("open after a tile: %s", at)
	}
	if all := browsertest.Eval[string](t, sample(t, browser.Look{}),
		`String(document.querySelectorAll(".fold:not([open])").length)`); all != "0" {
		t.Errorf("%s sections are folded on a desktop", all)
	}
}

func TestTheKeysAreShownAtTheTop(t *testing.T) {
	browsertest.Full(t)
	p := sample(t, browser.Look{})
	const shown = `(() => { const k = document.getElementById("keys"), b = k.getBoundingClientRect(); return !k.hidden && b.top >= 0 && b.bottom < 200 && k.innerText.includes("next and previous card"); })()`
	if browsertest.Eval[bool](t, p, shown) {
		t.Error("the keys are shown before anybody asks")
	}
	press(t, p, "j")
	press(t, p, "?")
	if !browsertest.Eval[bool](t, p, shown) {
		t.Error("? does not show the keys at the top of a page that is scrolled")
	}
	press(t, p, "?")
	if browsertest.Eval[bool](t, p, shown) {
		t.Error("? does not hide the keys again")
	}
	click(t, p, "#help")
	if !browsertest.Eval[bool](t, p,
		`!document.getElementById("keys").hidden && document.getElementById("help").getAttribute("aria-expanded") === "true"`) {
		t.Error("the button does not show the keys")
	}
}
