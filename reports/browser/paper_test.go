package browser_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/browser/browsertest"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/suites"
)

// What is printed on of an A4 sheet, 210 by 297 mm without margins of 14 mm, in pixels of 1/96 inch.
const sheetWide, sheetHigh = 687, 1016

// Paper holds the summary and half a page for each violation, so that a report is read on the way to a meeting: three
// violations in two pages or three, a run without any in one or two.
func TestPaperIsTheSummaryAndHalfAPageForEachViolation(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults []string
		most   int
	}{
		{"none", nil, 2},
		{"three", []string{"auth.alg_none_accepted", "export.range.end_inclusive", "create.echo.income_int32"}, 3},
		{"rows and records", []string{
			"export.range.whole_days", "create.response.birth_date_slashes", "create.echo.document.number_reversed",
		}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := browsertest.Open(t, shared, tested(t, c.faults...), browser.Look{Width: sheetWide, Height: 1000})
			if n := browsertest.Eval[int](t, p, `document.querySelectorAll("#violations").length`); (n > 0) != (len(c.faults) > 0) {
				t.Fatalf("%d sections of violations", n)
			}
			if n := printed(t, p); n > c.most {
				t.Errorf("%d pages, want at most %d", n, c.most)
			}
			if _, err := chromedp.Call(p.Ctx, emulation.SetEmulatedMedia,
				emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
				t.Fatal(err)
			}
			cards := browsertest.Eval[map[string]float64](t, p, `Object.fromEntries([...document.querySelectorAll(".card")].map(
				c => [c.id, c.getBoundingClientRect().height]).filter(c => c[1] > 0))`)
			if len(cards) < len(c.faults) {
				t.Errorf("%d cards on paper, want %d", len(cards), len(c.faults))
			}
			for id, height := range cards {
				if height > sheetHigh/2 {
					t.Errorf("%s takes %.2f pages", id, height/sheetHigh)
				}
			}
		})
	}
}

// tested runs the suites against a reference gateway and gives the path of the report.
func tested(t *testing.T, faults ...string) string {
	t.Helper()
	gateway, err := suites.StartReference(context.Background(), reference.Options{Seed: 1, Faults: faults})
	if err != nil {
		t.Fatal(err)
	}
	defer gateway.Close()
	out := filepath.Join(t.TempDir(), "run")
	if _, err := suites.Run(context.Background(), suites.Options{
		Deployment: gateway.Deployment, DeploymentPath: "staging.yaml", Out: out, Seed: 1, Version: "dev",
		Render: derived.Files,
	}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(out, "report.html")
}
