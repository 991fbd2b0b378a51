package browser_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// full skips a test with -short.
func full(t *testing.T) {
	if testing.Short() {
		t.Skip("-short opens a few pages")
	}
}

var pictures = flag.String("pictures", "", "write a picture of each page to this `FOLDER`")

func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("-pictures FOLDER takes them")
	}
	for name, address := range pages(t, "") {
		for as, look := range map[string]look{"day": {}, "night": {Dark: true}, "phone": phone} {
			p := open(t, address, look)
			do(t, p, `true`) // wait until the page is drawn
			data, err := chromedp.Run(p.Ctx, chromedp.CaptureScreenshot())
			if err == nil {
				err = os.WriteFile(filepath.Join(*pictures, strings.ReplaceAll(name, " ", "-")+"-"+as+".png"),
					data, 0o600)
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

const unfolded = `document.querySelectorAll("details").forEach(d => d.open = true)`

// Every kind of page is accessible in both colour modes, follows the reader's mode, and fits a
// phone.
func TestPagesAreAccessibleAndFitAPhone(t *testing.T) {
	const luminance = `getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0) / 3`
	for name, address := range pages(t, "") {
		if testing.Short() && name != "conformance" && name != "two searches" && name != "list" {
			continue
		}
		p := open(t, address, phone)
		do(t, p, unfolded)
		if wide := eval[float64](t, p, `document.documentElement.scrollWidth`); wide > 390 {
			t.Errorf("%s is %g pixels wide on a phone of 390", name, wide)
		}
		for _, dark := range []bool{false, true} {
			p := open(t, address, look{Dark: dark, Width: 1280, Height: 900})
			do(t, p, unfolded)
			if light := eval[float64](t, p, luminance); dark && light > 60 || !dark && light < 200 {
				t.Errorf("%s, dark %t: the background is %g", name, dark, light)
			}
			faults, err := p.Faults()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, f := range faults {
				t.Errorf("%s, dark %t: %s (%s): %s\n%s", name, dark, f.ID, f.Impact, f.Help,
					strings.Join(f.Where, "\n"))
			}
		}
	}
}

// No text of a run becomes markup, a link or a script, on whichever page.
func TestHostileTextsStayInert(t *testing.T) {
	full(t)
	scripts := map[string]int{}
	for name, address := range pages(t, "") {
		scripts[name] = eval[int](t, open(t, address, look{}), `document.scripts.length`)
	}
	for name, address := range pages(t, recordtest.HostileText) {
		p := open(t, address, look{})
		do(t, p, unfolded)
		if n := eval[int](t, p,
			`document.querySelectorAll("img, iframe, object, embed, base, link:not([href='data:,']), [onerror], a[href^='javascript']").length`); n != 0 {
			t.Errorf("%s: %d elements that a text brought in", name, n)
		}
		testmust.Equal(t, eval[int](t, p, `document.scripts.length`), scripts[name], name, "scripts")
		if n := eval[int](t, p,
			`[...document.body.innerText].filter(c => "\u0000\u001b\u202e\u0007".includes(c)).length`); n != 0 {
			t.Errorf("%s: %d control characters are on the page", name, n)
		}
	}
}

const visibleRules = `[...document.querySelectorAll("tr.rule")].filter(r => r.offsetParent !== null).map(r => r.querySelector("code").textContent)`

func TestAReaderFindsRules(t *testing.T) {
	run := recordtest.SampleRun()
	p := open(t, rules(t, run, 60, ""), look{})
	shown := func() int { return len(eval[[]string](t, p, visibleRules)) }
	if n := shown(); n != len(run.Rules) {
		t.Fatalf("%d of %d rules are visible at first", n, len(run.Rules))
	}
	set(t, p, "verdict", "fail")
	testmust.Equal(t, shown(), run.Counts.Fail, "violated rules")
	do(t, p, `document.getElementById("reset").click()`)
	set(t, p, "search", "no such rule")
	if said := eval[string](t,
		p, `document.getElementById("matches").textContent`); said != fmt.Sprintf("0 of %d rules",
		len(run.Rules)) {
		t.Errorf("the page says %q", said)
	}
	press(t, p, kb.Escape)
	testmust.Equal(t, shown(), len(run.Rules), "rules after Escape")
	click(t, p, `a.tile[data-verdict="fail"]`)
	testmust.Equal(t, shown(), run.Counts.Fail, "rules of the tile")
	do(t, p, `document.activeElement.blur()`)
	press(t, p, "j")
	if at := eval[string](t, p, `document.activeElement.id`); !strings.HasPrefix(at, "rule-") {
		t.Errorf("j leads to %q", at)
	}
	press(t, p, "?")
	if !eval[bool](t, p, `!document.getElementById("keys").hidden`) {
		t.Error("? does not show the keys")
	}
	do(t, p, `location.hash = "#rule-create.success.status"`)
	testmust.Equal(t, eval[string](t, p, `document.activeElement.id`),
		"rule-create.success.status", "where a deep link leads")
}

func TestTheTimelineFiltersAndTellsTheExchange(t *testing.T) {
	full(t)
	p := open(t, rules(t, recordtest.SampleRun(), 300, "quite ordinary"), look{})
	set(t, p, "answer", "5xx")
	if said := eval[string](t,
		p, `document.getElementById("found").textContent`); said != "75 of 75 shown" {
		t.Errorf("the list says %q", said)
	}
	do(t, p, `document.getElementById("everything").click()`)
	set(t, p, "find", "#171")
	do(t, p, `document.querySelector(".log tbody button").click()`)
	said := eval[string](t, p, `document.querySelector(".log .detail").innerText`)
	for _, want := range []string{
		"POST https://gateway.staging.example/v1/exports", `"amount": 9007199254740993,`, "José",
	} {
		testmust.Contain(t, said, want)
	}
}

func TestAPhoneGetsFoldedSections(t *testing.T) {
	full(t)
	p := open(t, rules(t, recordtest.SampleRun(), 60, ""), phone)
	const opened = `[...document.querySelectorAll(".fold[open] > summary h2")].map(h => h.id).join()`
	testmust.Equal(t, eval[string](t, p, opened), "violations", "open at first")
	do(t, p, `document.querySelector("nav a[href='#timeline']").click()`)
	testmust.Equal(t, eval[string](t, p, opened),
		"violations,timeline", "open after the link to the timeline")
}

func TestPaperShowsTheFindingsAndNoControls(t *testing.T) {
	full(t)
	p := open(t, rules(t, recordtest.SampleRun(), 60, ""), look{Width: 560, Height: 900})
	if _, err := chromedp.Call(p.Ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	do(t, p, `dispatchEvent(new Event("beforeprint"))`)
	shown := func(selector string) int {
		return eval[int](t, p,
			`[...document.querySelectorAll(%q)].filter(e => e.checkVisibility()).length`, selector)
	}
	for _, selector := range []string{
		"nav", ".filter", ".copy", ".moment", "#log", ".keys", ".skip", ".matrix",
		".exchange:not([open])",
	} {
		if n := shown(selector); n != 0 {
			t.Errorf("%d × %s on paper", n, selector)
		}
	}
	if shown(".card h3") == 0 || shown(".card pre.command") == 0 {
		t.Error("the findings are not on paper")
	}
}

// Plots zoom together, show the values below the pointer, and hide lines.
func TestPlotsAreRead(t *testing.T) {
	full(t)
	p := open(t, pages(t, "")["load"], look{})
	seen := func(id string) (from, to float64) {
		v := eval[[]float64](t, p, `(d => [Number(d.from), Number(d.to)])`+
			`(document.querySelector("#plot-%s .surface").dataset)`, id)
		return v[0], v[1]
	}
	at := func(across float64) (x, y float64) {
		v := eval[[]float64](t, p, `(o => { o.scrollIntoView({block: "center"});
			const b = o.getBoundingClientRect(); return [b.left + b.width * %g, b.top + b.height / 2] })`+
			`(document.querySelector("#plot-rate .u-over"))`, across)
		return v[0], v[1]
	}
	mouse := func(kind input.DispatchMouseEventType, across float64) {
		x, y := at(across)
		if _, err := chromedp.Call(p.Ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: x, Y: y, Button: "left", ClickCount: 1, Buttons: 1,
		}); err != nil {
			t.Fatal(err)
		}
	}
	mouse("mousePressed", 0.2)
	mouse("mouseMoved", 0.6)
	mouse("mouseReleased", 0.6)
	do(t, p, `true`)
	for _, id := range []string{"rate", "response"} {
		if from, to := seen(id); from < 15 || from > 25 || to < 55 || to > 65 {
			t.Errorf("%s shows %g to %g after dragging from 20 to 60", id, from, to)
		}
	}
	said := eval[string](t, p,
		`[...document.querySelectorAll("#plot-rate .series b")].map(b => b.textContent).join()`)
	testmust.Contain(t, said, "60/s", "the legend says")
	do(t, p, `[...document.querySelectorAll("#plot-rate .tools button")]`+
		`.find(b => b.textContent === "Reset zoom").click()`)
	if from, to := seen("rate"); to-from < 90 {
		t.Errorf("%g to %g after the reset", from, to)
	}
	do(t, p, `document.querySelector("#plot-rate .series button").click()`)
	if state := eval[string](t, p,
		`document.querySelector("#plot-rate .series button").getAttribute("aria-pressed")`); state != "false" {
		t.Errorf("a line that is hidden says %q", state)
	}
}

// Two runs can be chosen on the list and compared. Each page has its own origin, with a link back.
func TestServedRunsAreComparedAndLeftAgain(t *testing.T) {
	full(t)
	p := open(t, served(t, "")+"/", look{})
	click(t, p, `a[href="/?a=2-conform"]`)
	click(t, p, `a[href="/compare?a=2-conform&b=3-conform"]`)
	visible := func(selector string) {
		t.Helper()
		if err := p.Do(chromedp.WaitVisible(chromedp.CSS(selector))); err != nil {
			t.Error(err)
		}
	}
	visible(`a[href="/compare?a=3-conform&b=2-conform"]`)
	title := eval[string](t, p, `document.title`)
	testmust.Contain(t, title, "Two conformance runs of staging", "the comparison is called")
	testmust.Equal(t, eval[string](t, p, `window.origin`),
		"null", "the comparison shares the origin of the pages")
	click(t, p, `p[aria-label=Runs] a[href="/"]`)
	visible(`a[href="/run/0-load/report.html"]`)
}
