package plots_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/browser/browsertest"
	"github.com/gateassay/gateassay/reports/plot/plottest"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// shared is the one browser of these tests, set before the first of them.
var shared *browser.Browser

func TestMain(m *testing.M) {
	browsertest.Main(m, func(b *browser.Browser) { shared = b })
}

// open opens a page that must neither log an error nor ask any host for anything, until the test ends.
func open(t *testing.T, text string, look browser.Look) *browser.Page {
	t.Helper()
	page, err := plottest.Page(plottest.Samples(text))
	path := browsertest.Written(t, page, err)
	return browsertest.Open(t, shared, path, look)
}

// settled lets the page draw what was asked for.
const settled = `new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))`

// view is the part of the x axis that a plot shows.
func view(t *testing.T, p *browser.Page, id string) (from, to float64) {
	t.Helper()
	browsertest.Eval[bool](t, p, settled)
	v := browsertest.Eval[[]float64](
		t, p, fmt.Sprintf(`(() => { const d = document.querySelector("#plot-%s .surface").dataset; return [Number(d.from), Number(d.to)]; })()`, id))
	return v[0], v[1]
}

// point is a place within the plot, from 0 to 1.
func point(t *testing.T, p *browser.Page, id string, across float64) (x, y float64) {
	t.Helper()
	v := browsertest.Eval[[]float64](t, p, fmt.Sprintf(`(() => { document.querySelector("#plot-%[1]s").scrollIntoView({block: "center"});
		const b = document.querySelector("#plot-%[1]s .u-over").getBoundingClientRect(); return [b.left + b.width * %[2]v, b.top + b.height / 2]; })()`, id, across))
	return v[0], v[1]
}

func mouse(t *testing.T, p *browser.Page, kind input.DispatchMouseEventType, x, y float64, clicks int64) {
	t.Helper()
	e := input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: "left", ClickCount: clicks}
	if kind == "mouseMoved" && clicks == 0 {
		e.Button = "none"
	}
	if kind == "mouseMoved" && clicks > 0 || kind == "mousePressed" {
		e.Buttons = 1
	}
	if _, err := chromedp.Call(p.Ctx, input.DispatchMouseEvent, e); err != nil {
		t.Fatal(err)
	}
}

func drag(t *testing.T, p *browser.Page, id string, from, to float64) {
	t.Helper()
	x, y := point(t, p, id, from)
	end, _ := point(t, p, id, to)
	mouse(t, p, "mouseMoved", x, y, 0)
	mouse(t, p, "mousePressed", x, y, 1)
	mouse(t, p, "mouseMoved", (x+end)/2, y, 1)
	mouse(t, p, "mouseMoved", end, y, 1)
	mouse(t, p, "mouseReleased", end, y, 1)
}

func doubleClick(t *testing.T, p *browser.Page, id string) {
	t.Helper()
	x, y := point(t, p, id, 0.5)
	for clicks := range int64(2) {
		mouse(t, p, "mousePressed", x, y, clicks+1)
		mouse(t, p, "mouseReleased", x, y, clicks+1)
	}
}

func near(a, b float64) bool { return a > b-2 && a < b+2 }

func TestDraggingZoomsAndResetShowsAll(t *testing.T) {
	browsertest.Full(t)
	p := open(t, "", browser.Look{})
	if from, to := view(t, p, "first"); from != 0 || to != 100 {
		t.Fatalf("at first %g to %g is shown", from, to)
	}
	shown := `[...document.querySelectorAll("#plot-%s .tools button")].filter(b => b.offsetParent && b.textContent === "Reset zoom").length`
	for _, reset := range []func(){
		func() { doubleClick(t, p, "first") },
		func() {
			browsertest.Eval[bool](t, p,
				`[...document.querySelectorAll("#plot-first .tools button")].find(b => b.textContent === "Reset zoom").click() || true`)
		},
	} {
		if n := browsertest.Eval[int](t, p, fmt.Sprintf(shown, "first")); n != 0 {
			t.Error("there is something to reset before zooming")
		}
		drag(t, p, "first", 0.2, 0.6)
		for _, id := range []string{"first", "second"} {
			if from, to := view(t, p, id); !near(from, 20) || !near(to, 60) {
				t.Errorf("%s shows %g to %g after dragging from 20 to 60 in the first of its group", id, from, to)
			}
		}
		if from, to := view(t, p, "overlaid"); from != 1 || to != 1000 {
			t.Errorf("a plot of no group shows %g to %g", from, to)
		}
		if n := browsertest.Eval[int](t, p, fmt.Sprintf(shown, "first")); n != 1 {
			t.Error("nothing visible resets the zoom")
		}
		reset()
		for _, id := range []string{"first", "second"} {
			if from, to := view(t, p, id); from != 0 || to != 100 {
				t.Errorf("%s shows %g to %g after the reset", id, from, to)
			}
		}
	}
	drag(t, p, "overlaid", 0.3, 0.7)
	if from, to := view(t, p, "overlaid"); from < 5 || to > 200 || from >= to {
		t.Errorf("the distribution shows %g to %g", from, to)
	}
}

// legend are the values that the legend shows.
func legend(t *testing.T, p *browser.Page, id string) []string {
	t.Helper()
	return browsertest.Eval[[]string](
		t, p, fmt.Sprintf(`[...document.querySelectorAll("#plot-%s .series .at, #plot-%[1]s .series b")].map(e => e.textContent)`,
			id))
}

func TestHoverFillsTheLegendOfAllPlotsOfAGroup(t *testing.T) {
	browsertest.Full(t)
	p := open(t, "", browser.Look{})
	if got := legend(t, p, "first"); len(got) != 3 || strings.Join(got, "") != "" {
		t.Errorf("before hovering the legend says %q", got)
	}
	x, y := point(t, p, "first", 0.3)
	mouse(t, p, "mouseMoved", x, y, 0)
	browsertest.Eval[bool](t, p, settled)
	for _, id := range []string{"first", "second"} {
		if got := legend(t, p, id); got[0] != "30 s" || got[2] != "11 ms" ||
			!strings.HasSuffix(got[1], "µs") && !strings.HasSuffix(got[1], "ms") {
			t.Errorf("%s says %q", id, got)
		}
	}
	x, y = point(t, p, "overlaid", 0.5)
	mouse(t, p, "mouseMoved", x, y, 0)
	browsertest.Eval[bool](t, p, settled)
	if got := legend(t, p, "overlaid"); !strings.HasPrefix(got[0], "p9") || got[1] == "–" || got[2] == "–" {
		t.Errorf("of two runs with points of their own the legend says %q", got)
	}
}

// picture is what is drawn.
const picture = `document.querySelector("#plot-first canvas").toDataURL()`

func TestAClickInTheLegendHidesASeries(t *testing.T) {
	browsertest.Full(t)
	p := open(t, "", browser.Look{})
	before := browsertest.Eval[string](t, p, settled+`.then(() => `+picture+`)`)
	name := `[...document.querySelectorAll("#plot-first .series button")].find(b => b.textContent === "high")`
	if err := p.Do(chromedp.Evaluate[chromedp.Void](name + `.scrollIntoView({block: "center"})`)); err != nil {
		t.Fatal(err)
	}
	browsertest.Eval[bool](t, p, name+`.click() || true`)
	if state := browsertest.Eval[string](t, p, name+`.getAttribute("aria-pressed")`); state != "false" {
		t.Errorf("the button says %q", state)
	}
	hidden := browsertest.Eval[string](t, p, settled+`.then(() => `+picture+`)`)
	if hidden == before {
		t.Error("the plot is drawn as before")
	}
	if left := legend(t, p, "second"); len(left) != 3 {
		t.Errorf("another plot says %q", left)
	}
	browsertest.Eval[bool](t, p, name+`.click() || true`)
	if again := browsertest.Eval[string](t, p, settled+`.then(() => `+picture+`)`); again != before {
		t.Error("showing the series again draws something else than at first")
	}
}

func TestDarkRedrawsAndKeepsWhatTheReaderChose(t *testing.T) {
	browsertest.Full(t)
	p := open(t, "", browser.Look{})
	drag(t, p, "first", 0.2, 0.6)
	light := browsertest.Eval[[]string](t, p,
		settled+`.then(() => [`+picture+`, document.querySelector("#plot-first .series line").getAttribute("stroke")])`)
	if _, err := chromedp.Call(p.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	}); err != nil {
		t.Fatal(err)
	}
	dark := browsertest.Eval[[]string](t, p,
		settled+`.then(() => [`+picture+`, document.querySelector("#plot-first .series line").getAttribute("stroke")])`)
	if light[0] == dark[0] || light[1] == dark[1] || light[1] == "" {
		t.Errorf("lines are %s in light and %s in dark", light[1], dark[1])
	}
	if from, to := view(t, p, "first"); !near(from, 20) || !near(to, 60) {
		t.Errorf("%g to %g is shown after the change", from, to)
	}
	if _, err := chromedp.Call(p.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	}); err != nil {
		t.Fatal(err)
	}
	if paper := browsertest.Eval[string](t, p,
		settled+`.then(() => document.querySelector("#plot-first .series line").getAttribute("stroke"))`); paper != light[1] {
		t.Errorf("lines are %s on paper, %s in light", paper, light[1])
	}
}

func TestPlotsWorkFromTheKeyboard(t *testing.T) {
	browsertest.Full(t)
	p := open(t, "", browser.Look{})
	browsertest.Eval[bool](t, p, `document.querySelector("#plot-first .surface").focus() || true`)
	press := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			if err := p.Do(chromedp.KeyEvent(k)); err != nil {
				t.Fatal(err)
			}
		}
	}
	said := `document.querySelector("#plot-first .surface").getAttribute("aria-valuetext")`
	press(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	if got := browsertest.Eval[string](t, p, said); !strings.HasPrefix(got, "3 s: low ") ||
		!strings.Contains(got, "high 12 ms") {
		t.Errorf("three steps to the right read %q", got)
	}
	if got := legend(t, p, "second"); got[0] != "3 s" {
		t.Errorf("the other plot of the group says %q", got)
	}
	press(kb.End)
	if got := browsertest.Eval[string](t, p, said); !strings.HasPrefix(got, "100 s:") {
		t.Errorf("End reads %q", got)
	}
	press("+", "+")
	if from, to := view(t, p, "first"); from < 50 || to != 100 {
		t.Errorf("zooming in at the end shows %g to %g", from, to)
	}
	press(kb.Home)
	if from, to := view(t, p, "first"); from > 1 || to > 50 {
		t.Errorf("the start is not in view: %g to %g", from, to)
	}
	press("0")
	if from, to := view(t, p, "first"); from != 0 || to != 100 {
		t.Errorf("0 shows %g to %g", from, to)
	}
	reached := map[string]bool{}
	for range 12 {
		press(kb.Tab)
		reached[browsertest.Eval[string](t, p, `document.activeElement.dataset.part || ""`)] = true
	}
	for _, part := range []string{"series0", "series1", "log", "surface"} {
		if !reached[part] {
			t.Errorf("Tab does not reach %s", part)
		}
	}
}

func TestTheScaleCanBeChosen(t *testing.T) {
	browsertest.Full(t)
	p := open(t, "", browser.Look{})
	name := `[...document.querySelectorAll("#plot-first .tools button")].find(b => b.textContent === "Log scale")`
	before := browsertest.Eval[[]string](t, p,
		settled+`.then(() => [`+picture+`, `+name+`.getAttribute("aria-pressed")])`)
	browsertest.Eval[bool](t, p, name+`.click() || true`)
	after := browsertest.Eval[[]string](t, p,
		settled+`.then(() => [`+picture+`, `+name+`.getAttribute("aria-pressed")])`)
	if before[0] == after[0] || before[1] == after[1] {
		t.Errorf("the scale stays %s", before[1])
	}
}

func TestPlotsFitAPhoneAndAreAccessible(t *testing.T) {
	browsertest.Full(t)
	axe, err := browser.Axe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, look := range map[string]browser.Look{
		"light": {}, "dark": {Dark: true}, "phone": {Width: 390, Height: 844, Phone: true},
	} {
		p := open(t, "", look)
		browsertest.Eval[bool](t, p, settled)
		if over := browsertest.Eval[float64](t, p,
			`document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			t.Errorf("%s: the page is %g pixels too wide", name, over)
		}
		faults, err := p.Faults(axe)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults {
			t.Errorf("%s: %s (%s): %s\n%s", name, f.ID, f.Impact, f.Help, strings.Join(f.Where, "\n"))
		}
	}
}

func TestHostileTextsStayTexts(t *testing.T) {
	browsertest.Full(t)
	p := open(t, recordtest.Hostile, browser.Look{})
	browsertest.Eval[bool](t, p, settled)
	if n := browsertest.Eval[int](t, p, `document.querySelectorAll("img, iframe, object, [onerror]").length`); n != 0 {
		t.Errorf("%d elements that a text brought in", n)
	}
	if n := browsertest.Eval[int](t, p,
		`[...document.body.innerText].filter(c => "\u0000\u001b\u202e\u0007".includes(c)).length`); n != 0 {
		t.Errorf("%d control characters are on the page", n)
	}
	if n := browsertest.Eval[int](t, p, `document.querySelectorAll("canvas").length`); n != 4 {
		t.Errorf("%d plots are drawn", n)
	}
}
