// Screenshots writes the pictures of the documentation: it tests an embedded gateway that has defects, loads one that
// is slow, and looks at the reports in a headless Chromium. make screenshots runs it.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gateassay/gateassay/reports/browse"
	"github.com/gateassay/gateassay/reports/browser"
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

// picture is one screenshot: of a page, what is scrolled to after an action of JavaScript.
type picture struct {
	name, page, at, before string
	look                   browser.Look
}

var (
	desktop = browser.Look{Width: 1280, Height: 900}
	night   = browser.Look{Width: 1280, Height: 900, Dark: true}
	phone   = browser.Look{Width: 390, Height: 844, Phone: true}
)

const resized = `dispatchEvent(new Event("resize"))`

// pictures by the runs that they need; a page is the path of a file below these, or an address.
var pictures = map[string][]picture{
	"conformance": {
		{"conformance-verdict", "report.html", "", "", desktop},
		{
			"conformance-exchange", "report.html", "rule-create.response.address.number",
			`document.querySelector("[id='rule-create.response.address.number'] .exchange").open = true`, night,
		},
		{"conformance-rules", "report.html", "rules", "", desktop},
		{
			"conformance-timeline", "report.html", "timeline",
			`document.getElementById("moment").value = 200; document.getElementById("closer").click()`, night,
		},
		{"conformance-phone", "report.html", "", "", phone},
	},
	"load": {
		{"load-verdict", "report.html", "", "", desktop},
		{"load-latency", "report.html", "rate-and-latency", resized, night},
		{"load-phone", "report.html", "rate-and-latency", "", phone},
	},
	"capacity": {
		{"load-capacity", "report.html", "", "", desktop}, {"load-capacity-curve", "report.html", "latency-over-throughput", "", night},
	},
	"history": {
		{"serve-list", "/", "", "", desktop},
		{"serve-phone", "/", "", "", phone},
		{"serve-trends", "/trends", "", "", night},
		{"compare-conformance", "conform", "", "", desktop},
		{"compare-load", "load", "", "", desktop},
		{"compare-load-plots", "load", "plot-response", resized, night},
	},
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
	for set, make := range map[string]func(out string) error{
		"conformance": func(out string) error {
			return conformance(ctx, out, waived, "export.range.end_inclusive", "create.echo.income_int32",
				"create.response.address.number_text", "replay.none.same")
		},
		"load": func(out string) error {
			return loaded(ctx, out, 400*time.Millisecond, setting("stage", "{name: climb, ramp: [10/s, 120/s], for: 8s}",
				"{name: hold, rate: 120/s, for: 16s}", "{name: leave, ramp: [120/s, 20/s], for: 6s}"),
				setting("slo", "p99<350ms", "service.p50<100ms", "errors<0.1%", "achieved>=99%"), setting("track-files", "5%"))
		},
		"capacity": func(out string) error { return searched(ctx, out) },
		"history":  func(out string) error { return history(ctx, out) },
	} {
		if len(only) > 0 && !slices.Contains(only, set) {
			continue
		}
		out := filepath.Join(runs, set)
		if err := make(out); err != nil {
			return err
		}
		if err := takeAll(b, out, folder, set == "history", pictures[set]); err != nil {
			return err
		}
	}
	return nil
}

// takeAll takes the pictures of a folder's pages: of files, or as report serve shows runs, the last two of a kind compared.
func takeAll(b *browser.Browser, runs, folder string, served bool, list []picture) error {
	address := func(page string) (string, error) {
		return (&url.URL{Scheme: "file", Path: filepath.Join(runs, page)}).String(), nil
	}
	if served {
		server := httptest.NewUnstartedServer(nil)
		h, err := browse.Open(runs, browse.Options{
			Hosts: []string{server.Listener.Addr().String()}, Title: "reports/runs", Patience: time.Minute,
		})
		if err != nil {
			return err
		}
		defer h.Close()
		server.Config.Handler = h
		server.Start()
		defer server.Close()
		address = func(page string) (string, error) {
			if page[0] == '/' {
				return server.URL + page, nil
			}
			made, err := filepath.Glob(filepath.Join(runs, "*-"+page))
			if err != nil || len(made) < 2 {
				return "", errors.Join(fmt.Errorf("%d runs to compare", len(made)), err)
			}
			q := url.Values{"a": {filepath.Base(made[len(made)-2])}, "b": {filepath.Base(made[len(made)-1])}}
			return server.URL + "/compare?" + q.Encode(), nil
		}
	}
	for _, shot := range list {
		at, err := address(shot.page)
		if err == nil {
			err = take(b, at, filepath.Join(folder, shot.name+".png"), shot)
		}
		if err != nil {
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
