package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/load/driver"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/reports/browse"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

var (
	comparedPictures = []picture{
		{"compare-load", "", "", desktop},
		{"compare-load-plots", "plot-response", `dispatchEvent(new Event("resize"))`, night},
	}
	servedPictures = []picture{{"serve-list", "", "", desktop}, {"serve-phone", "", "", phone}}
	trendPictures  = []picture{{"serve-trends", "", "", night}}
)

// history records runs over a week: a deployment that gets better rule by rule, and slower at the end.
func history(ctx context.Context, folder string) error {
	day := func(n int) time.Time { return time.Now().UTC().Truncate(time.Hour).AddDate(0, 0, n-7) }
	for n, faults := range [][]string{ // a rule that fails by turns, and one that fails from the fourth run on
		{"export.range.end_inclusive"},
		{"export.range.end_inclusive", "replay.none.same"},
		{"export.range.end_inclusive"},
		{"export.range.end_inclusive", "create.echo.income_int32", "replay.none.same"},
		{"export.range.end_inclusive", "create.echo.income_int32"},
		{"export.range.end_inclusive", "create.echo.income_int32", "create.response.pep_text"},
	} {
		gateway, err := suites.StartReference(ctx, reference.Options{Seed: 1, Faults: faults})
		if err != nil {
			return err
		}
		gateway.Deployment.Name = "staging"
		out := filepath.Join(folder, fmt.Sprintf("%s-conform", day(n).Format("20060102T150405Z")))
		_, err = suites.Run(ctx, suites.Options{
			Deployment:     gateway.Deployment,
			DeploymentPath: "staging.yaml", Out: out, Seed: 1, Version: "dev", Render: derived.Files,
		})
		gateway.Close()
		if err != nil {
			return err
		}
		if err := dated(out, day(n)); err != nil {
			return err
		}
	}
	stalls := []time.Duration{
		100 * time.Millisecond, 120 * time.Millisecond,
		110 * time.Millisecond, 600 * time.Millisecond,
	}
	errs := make([]error, len(stalls))
	var loads sync.WaitGroup
	for n, stall := range stalls { // at once, as each waits most of the time
		loads.Go(func() {
			out := filepath.Join(folder, fmt.Sprintf("%s-load", day(n+2).Format("20060102T150405Z")))
			if errs[n] = steady(ctx, out, stall); errs[n] == nil {
				errs[n] = dated(out, day(n+2).Add(time.Hour))
			}
		})
	}
	loads.Wait()
	return errors.Join(errs...)
}

// steady drives one rate against a gateway that stalls for a while every ten seconds.
func steady(ctx context.Context, out string, stall time.Duration) error {
	d, stop, err := staging(stall)
	if err != nil {
		return err
	}
	defer stop()
	p, err := plan.FromFlags(plan.Setting{Flag: "rate", Values: []string{"100/s"}},
		plan.Setting{Flag: "duration", Values: []string{"14s"}},
		plan.Setting{Flag: "slo", Values: []string{"p99<500ms", "errors<0.1%"}})
	if err != nil {
		return err
	}
	_, err = driver.Run(ctx, driver.Options{
		Deployment: d, File: "staging.yaml",
		Plan: p, Out: out, Version: "dev", Command: "gateassay load run -d staging.yaml --rate 100/s --duration 14s",
	})
	return err
}

// dated gives a recorded run another beginning.
func dated(folder string, at time.Time) error {
	path := filepath.Join(folder, "run.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var whole map[string]any
	if err := json.Unmarshal(data, &whole); err != nil {
		return err
	}
	facts, _ := whole["run"].(map[string]any)
	var moments [2]time.Time
	for i, key := range []string{"started_at", "finished_at"} {
		text, _ := facts[key].(string)
		if moments[i], err = time.Parse(time.RFC3339Nano, text); err != nil {
			return err
		}
	}
	facts["started_at"], facts["finished_at"] = at, at.Add(moments[1].Sub(moments[0]))
	if data, err = json.Marshal(whole); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// compared compares two neighbours of a history: the last two load runs, or the first two conformance runs, the later
// of which stands before, so that something got worse.
func compared(folder, verb string) (page string, err error) {
	loads, err := filepath.Glob(filepath.Join(folder, "*-"+verb))
	if err != nil || len(loads) < 2 {
		return "", fmt.Errorf("%d runs to compare: %w", len(loads), err)
	}
	var sides [2]recorded.Run
	pair := loads[len(loads)-2:]
	for i := range sides {
		if sides[i], err = recorded.Open(pair[i]); err != nil {
			return "", err
		}
		sides[i].Path = "reports/runs/" + filepath.Base(pair[i])
	}
	result, err := compare.Runs(sides[0], sides[1], compare.Options{Tolerance: compare.DefaultTolerance})
	if err != nil {
		return "", err
	}
	html, err := view.WritePage(compare.Report(result))
	if err != nil {
		return "", err
	}
	page = filepath.Join(folder, "compare-"+verb+".html")
	return page, os.WriteFile(page, html, 0o600)
}

// serve serves a folder of runs as report serve does.
func serve(folder string) (address string, stop func(), err error) {
	server := httptest.NewUnstartedServer(nil)
	h, err := browse.Open(folder, browse.Options{
		Hosts: []string{server.Listener.Addr().String()},
		Title: "reports/runs", Patience: time.Minute,
	})
	if err != nil {
		return "", nil, err
	}
	server.Config.Handler = h
	server.Start()
	return server.URL, func() { server.Close(); _ = h.Close() }, nil
}
