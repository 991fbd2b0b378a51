// Screenshots writes the pictures of the documentation: it tests an embedded gateway that has defects, loads one that
// is slow, and looks at the reports in a headless Chromium. make screenshots runs it.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/browser"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/suites"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: screenshots FOLDER [conformance] [load] [capacity] [history]")
		os.Exit(2)
	}
	if err := shoot(context.Background(), os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots: "+err.Error())
		os.Exit(1)
	}
}

// picture is one screenshot: what is scrolled to, after an action of JavaScript.
type picture struct {
	name, at, before string
	look             browser.Look
}

var (
	desktop = browser.Look{Width: 1280, Height: 900}
	night   = browser.Look{Width: 1280, Height: 900, Dark: true}
	phone   = browser.Look{Width: 390, Height: 844, Phone: true}
)

var pictures = []picture{
	{"conformance-verdict", "", "", desktop},
	{
		"conformance-exchange", "rule-create.response.address.number",
		`document.querySelector("[id='rule-create.response.address.number'] .exchange").open = true`, night,
	},
	{"conformance-rules", "rules", "", desktop},
	{
		"conformance-timeline", "timeline",
		`(() => {
			document.getElementById("moment").value = 200
			document.getElementById("closer").click()
		})()`, night,
	},
	{"conformance-phone", "", "", phone},
}

// shoot makes the runs that are asked for, and takes the pictures of their pages.
func shoot(ctx context.Context, folder string, only []string) error {
	b, err := browser.Start(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	runs, err := os.MkdirTemp("", "gateassay-screenshots-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(runs) }()
	wanted := func(name string) bool { return len(only) == 0 || slices.Contains(only, name) }
	for _, set := range []struct {
		name     string
		report   func(ctx context.Context, folder string) (string, error)
		pictures []picture
	}{
		{"conformance", conformance, pictures},
		{"load", loaded, loadPictures},
		{"capacity", searched, capacityPictures},
	} {
		if !wanted(set.name) {
			continue
		}
		report, err := set.report(ctx, runs)
		if err != nil {
			return err
		}
		if err := takeAll(b, fileURL(report), folder, set.pictures); err != nil {
			return err
		}
	}
	if !wanted("history") {
		return nil
	}
	return shootHistory(ctx, b, filepath.Join(runs, "history"), folder)
}

// shootHistory takes the pictures of what reads several runs.
func shootHistory(ctx context.Context, b *browser.Browser, runs, folder string) error {
	if err := history(ctx, runs); err != nil {
		return err
	}
	loads, err := compared(runs, "load")
	if err != nil {
		return err
	}
	rules, err := compared(runs, "conform")
	if err != nil {
		return err
	}
	address, stop, err := serve(runs)
	if err != nil {
		return err
	}
	defer stop()
	return errors.Join(
		takeAll(b, fileURL(loads), folder, comparedPictures),
		takeAll(b, fileURL(rules), folder, []picture{{"compare-conformance", "", "", desktop}}),
		takeAll(b, address+"/", folder, servedPictures),
		takeAll(b, address+"/trends", folder, trendPictures),
	)
}

func fileURL(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

func takeAll(b *browser.Browser, address, folder string, pictures []picture) error {
	for _, shot := range pictures {
		if err := take(b, address, filepath.Join(folder, shot.name+".png"), shot); err != nil {
			return err
		}
	}
	return nil
}

func take(b *browser.Browser, address, path string, shot picture) error {
	p, err := b.Visit(address, shot.look)
	if err != nil {
		return err
	}
	defer p.Close()
	if _, err := browser.Eval[bool](p,
		shot.before+`; document.getElementById("`+shot.at+`")?.scrollIntoView(); true`); err != nil {
		return err
	}
	data, err := chromedp.Run(p.Ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return err
	}
	fmt.Println(path)
	return os.WriteFile(path, data, 0o644)
}

// conformance tests a gateway with four defects, one of them waived, and with something left unverified.
func conformance(ctx context.Context, folder string) (report string, err error) {
	gateway, err := suites.StartReference(ctx, reference.Options{Seed: 1, Faults: []string{
		"export.range.end_inclusive",
		"create.echo.income_int32", "create.response.address.number_text", "replay.none.same",
	}})
	if err != nil {
		return "", err
	}
	defer gateway.Close()
	dep := gateway.Deployment
	dep.Name = "staging"
	dep.Fixtures.ClientID = ""
	dep.Waivers = []deployment.Waiver{{
		Rule: "create.echo.income", Reason: "GW-123, 32-bit amounts until 2.4",
		Until: time.Now().AddDate(0, 1, 0),
	}}
	out := filepath.Join(folder, "run")
	if _, err := suites.Run(ctx, suites.Options{
		Deployment: dep, DeploymentPath: "staging.yaml", Out: out, Seed: 1,
		Version: "dev", Render: derived.Files, Command: "gateassay conform -d staging.yaml --seed 1",
	}); err != nil {
		return "", err
	}
	return filepath.Join(out, "report.html"), nil
}
