// Package browser_test opens written pages in a headless Chromium.
package browser_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// start starts Chromium and returns its context; stop ends it.
func start(ctx context.Context) (browser context.Context, stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("force-device-scale-factor", "1"), chromedp.WSURLReadTimeout(60*time.Second),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("disable-dev-shm-usage", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox does not work for root
	}
	ctx, end := chromedp.NewExecAllocator(ctx, options...)
	ctx, closeAll := chromedp.NewContext(ctx)
	stop = func() { closeAll(); end() }
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, nil, fmt.Errorf("chromium does not start, make browser installs it: %w", err)
	}
	return ctx, stop, nil
}

// look is the way to view a page; the zero value is a desktop in light mode.
type look struct {
	Width, Height int64 // pixels; 0: 1280 by 900
	Dark          bool
	Phone         bool
}

// Page is an open page. Its log and its requests are recorded from the start.
type Page struct {
	Ctx   context.Context
	Close func()

	mu       sync.Mutex
	errors   []string
	requests []string
}

// visit opens an address in a browser and waits until the page is loaded.
func visit(browser context.Context, address string, as look) (*Page, error) {
	ctx, cancel := chromedp.NewContext(browser)
	p := &Page{Ctx: ctx, Close: cancel}
	if as.Width == 0 {
		as.Width, as.Height = 1280, 900
	}
	scheme := "light"
	if as.Dark {
		scheme = "dark"
	}
	err := errors.Join(
		chromedp.Listen(ctx, p.heard),
		call(ctx, network.Enable, network.EnableParams{}),
		call(ctx, log.Enable, cdp.Empty{}),
		call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: as.Width, Height: as.Height, DeviceScaleFactor: 1, Mobile: as.Phone,
		}),
		call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		}),
	)
	if err == nil {
		err = chromedp.Do(ctx, chromedp.Navigate(address))
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("%s does not open: %w", address, err)
	}
	return p, nil
}

func (p *Page) heard(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, thrown(e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			p.errors = append(p.errors, fmt.Sprintf("console.%s", e.Type))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.errors = append(p.errors, e.Entry.Text)
		}
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "data:") {
			p.requests = append(p.requests, u)
		}
	}
}

// Heard returns the exceptions, errors and warnings of the page so far, and the addresses that it
// requested; a self-contained page requests none.
func (p *Page) Heard() (errors, requests []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.errors), slices.Clone(p.requests)
}

// Do runs actions of chromedp in the page, with a timeout of a minute.
func (p *Page) Do(steps ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(p.Ctx, time.Minute)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// evaluate runs JavaScript in the page as a user action and waits for a promise.
func evaluate[T any](p *Page, script string) (T, error) {
	ctx, cancel := context.WithTimeout(p.Ctx, time.Minute)
	defer cancel()
	return chromedp.Run(ctx,
		chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise, func(e *runtime.EvaluateParams) {
			yes := true
			e.UserGesture = &yes
		}))
}

func call[P, R any](ctx context.Context, command cdp.Command[P, R], params P) error {
	_, err := chromedp.Call(ctx, command, params)
	return err
}

func thrown(e *runtime.ExceptionDetails) string {
	if e.Exception != nil {
		return e.Text + " " + e.Exception.Description
	}
	return e.Text
}

// Fault is a problem that axe-core finds in a page.
type Fault struct {
	ID, Impact, Help string
	Where            []string
}

// Faults runs axe-core in the page and returns its serious and critical problems.
func (p *Page) Faults() ([]Fault, error) {
	axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		return nil, fmt.Errorf("axe-core is not there, make browser gets it: %w", err)
	}
	if _, err := evaluate[int](p, string(axe)+";0"); err != nil {
		return nil, err
	}
	return evaluate[[]Fault](p, `axe.run(document, {preload: false, resultTypes: ["violations"]}).then(
		r => r.violations.filter(v => v.impact === "serious" || v.impact === "critical").map(v => ({
			ID: v.id, Impact: v.impact, Help: v.help,
			Where: v.nodes.slice(0, 5).map(n => n.html.slice(0, 200) + " " + n.failureSummary)})))`)
}
