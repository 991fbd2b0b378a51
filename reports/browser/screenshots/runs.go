package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/load/driver"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/suites"
)

// conformance tests a gateway with faults; what else the run is told, change says.
func conformance(ctx context.Context, out string, change func(*deployment.File), faults ...string) error {
	gateway, err := suites.StartReference(ctx, reference.Options{Seed: 1, Faults: faults})
	if err != nil {
		return err
	}
	defer gateway.Close()
	gateway.Deployment.Name = "staging"
	change(gateway.Deployment)
	_, err = suites.Run(ctx, suites.Options{
		Deployment: gateway.Deployment, DeploymentPath: "staging.yaml", Out: out, Seed: 1, Version: "dev", Render: derived.Files,
		Command: "gateassay conform -d staging.yaml --seed 1",
	})
	return err
}

// waived leaves something unverified, and waives a rule.
func waived(d *deployment.File) {
	d.Fixtures.ClientID = ""
	d.Waivers = []deployment.Waiver{{
		Rule: "create.echo.income", Reason: "GW-123, 32-bit amounts until 2.4", Until: time.Now().AddDate(0, 1, 0),
	}}
}

// slow starts a gateway that answers a few requests at once, each after some milliseconds, and stalls every ten seconds for a
// moment: its latency has something to show. It gives what a load run on it needs.
func slow(out string, stall time.Duration, settings ...plan.Setting) (o driver.Options, stop func(), err error) {
	gateway, err := reference.New(reference.Options{Seed: 1})
	if err != nil {
		return o, nil, err
	}
	began, busy := time.Now(), make(chan struct{}, 5)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		busy <- struct{}{}
		defer func() { <-busy }()
		time.Sleep(25 * time.Millisecond)
		if into := time.Since(began) % (10 * time.Second); into > 10*time.Second-stall {
			time.Sleep(10*time.Second - into)
		}
		gateway.ServeHTTP(w, r)
	}))
	o = driver.Options{
		File: "staging.yaml", Out: out, Version: "dev", Render: derived.Files, Command: "gateassay load run -d staging.yaml --plan plan.yaml --yes",
	}
	o.Deployment, err = deployment.Parse("staging", "", gateway.DeploymentYAML(server.URL), func(string) (string, bool) { return "", false })
	if err == nil {
		o.Deployment.Name = "staging"
		o.Plan, err = plan.FromFlags(settings...)
	}
	return o, server.Close, err
}

// setting is a flag of a plan.
func setting(flag string, values ...string) plan.Setting {
	return plan.Setting{Flag: flag, Values: values}
}

func loaded(ctx context.Context, out string, stall time.Duration, settings ...plan.Setting) error {
	o, stop, err := slow(out, stall, settings...)
	if err != nil {
		return err
	}
	defer stop()
	_, err = driver.Run(ctx, o)
	return err
}

// searched looks for the capacity of a gateway that does not stall.
func searched(ctx context.Context, out string) error {
	o, stop, err := slow(out, 0, setting("slo", "p99<250ms", "errors<0.1%"))
	if err != nil {
		return err
	}
	defer stop()
	_, _, err = driver.Find(ctx, driver.Search{
		Options: o, From: 20, To: 500, Step: 4 * time.Second, CoolDown: 300 * time.Millisecond, Precision: 0.05, Factor: 1.6,
	})
	return err
}

// history records runs over a week: a deployment that gets better rule by rule, and slower at the end.
func history(ctx context.Context, folder string) error {
	day := func(n int) time.Time { return time.Now().UTC().Truncate(time.Hour).AddDate(0, 0, n-7) }
	name := func(n int, verb string) string { return filepath.Join(folder, day(n).Format("20060102T150405Z-")+verb) }
	var errs []error
	for n, faults := range [][]string{ // a rule that fails by turns, and one that fails from the fourth run on
		{"export.range.end_inclusive"},
		{"export.range.end_inclusive", "replay.none.same"},
		{"export.range.end_inclusive"},
		{"export.range.end_inclusive", "create.echo.income_int32", "replay.none.same"},
		{"export.range.end_inclusive", "create.echo.income_int32"},
		{"export.range.end_inclusive", "create.echo.income_int32", "create.response.pep_text"},
	} {
		errs = append(errs, conformance(ctx, name(n, "conform"), func(*deployment.File) {}, faults...), dated(name(n, "conform"), day(n)))
	}
	stalls := []time.Duration{100 * time.Millisecond, 120 * time.Millisecond, 110 * time.Millisecond, 600 * time.Millisecond}
	failed := make([]error, len(stalls))
	var loads sync.WaitGroup
	for n, stall := range stalls { // at once, as each waits most of the time
		loads.Go(func() {
			out := name(n+2, "load")
			failed[n] = errors.Join(loaded(ctx, out, stall, setting("rate", "100/s"), setting("duration", "14s"),
				setting("slo", "p99<500ms", "errors<0.1%")), dated(out, day(n+2).Add(time.Hour)))
		})
	}
	loads.Wait()
	return errors.Join(append(errs, failed...)...)
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
	facts, found := whole["run"].(map[string]any)
	if !found {
		return fmt.Errorf("%s holds no run", path)
	}
	facts["started_at"], facts["finished_at"] = at, at.Add(40*time.Second)
	if data, err = json.Marshal(whole); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}
