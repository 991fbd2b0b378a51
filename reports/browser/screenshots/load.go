package main

import (
	"context"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/load/driver"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/reports/derived"
)

var loadPictures = []picture{
	{"load-verdict", "", "", desktop},
	{"load-latency", "latency", `dispatchEvent(new Event("resize"))`, night},
	{"load-phone", "latency", "", phone},
}

var capacityPictures = []picture{
	{"load-capacity", "", "", desktop},
	{"load-capacity-curve", "curve", "", night},
}

// staging starts a gateway that answers a bounded number of requests at once, each after some milliseconds, and stalls
// every ten seconds for a moment: its latency has something to show.
func staging(stall time.Duration) (d *deployment.File, stop func(), err error) {
	const places, service = 5, 25 * time.Millisecond
	gateway, err := reference.New(reference.Options{Seed: 1})
	if err != nil {
		return nil, nil, err
	}
	began, busy := time.Now(), make(chan struct{}, places)
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			busy <- struct{}{}
			defer func() { <-busy }()
			time.Sleep(service)
			if into := time.Since(began) % (10 * time.Second); into > 10*time.Second-stall {
				time.Sleep(10*time.Second - into)
			}
			gateway.ServeHTTP(w, r)
		}),
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	go func() { _ = server.Serve(listener) }()
	text := gateway.DeploymentYAML("http://" + listener.Addr().String())
	if d, err = deployment.Parse("staging", "", text, func(string) (string, bool) { return "", false }); err != nil {
		_ = server.Close()
		return nil, nil, err
	}
	d.Name = "staging"
	return d, func() { _ = server.Close() }, nil
}

// loaded drives a plan of three stages against a gateway that stalls now and then.
func loaded(ctx context.Context, folder string) (report string, err error) {
	d, stop, err := staging(400 * time.Millisecond)
	if err != nil {
		return "", err
	}
	defer stop()
	p, err := plan.FromFlags(plan.Setting{Flag: "stage", Values: []string{
		"{name: climb, ramp: [10/s, 120/s], for: 8s}", "{name: hold, rate: 120/s, for: 16s}",
		"{name: leave, ramp: [120/s, 20/s], for: 6s}",
	}}, plan.Setting{Flag: "slo", Values: []string{"p99<350ms", "service.p50<100ms", "errors<0.1%", "achieved>=99%"}},
		plan.Setting{Flag: "track-files", Values: []string{"5%"}})
	if err != nil {
		return "", err
	}
	made, err := driver.Run(ctx, driver.Options{
		Deployment: d, File: "staging.yaml", Plan: p, Out: filepath.Join(folder, "load"),
		Version: "dev", Render: derived.Files, Command: "gateassay load run -d staging.yaml --plan plan.yaml --yes",
	})
	return filepath.Join(made.Folder, "report.html"), err
}

// searched looks for the capacity of a gateway that does not stall.
func searched(ctx context.Context, folder string) (report string, err error) {
	d, stop, err := staging(0)
	if err != nil {
		return "", err
	}
	defer stop()
	p, err := plan.FromFlags(plan.Setting{Flag: "slo", Values: []string{"p99<250ms", "errors<0.1%"}})
	if err != nil {
		return "", err
	}
	_, out, err := driver.Find(ctx, driver.Search{
		Options: driver.Options{
			Deployment: d, File: "staging.yaml", Plan: p,
			Out: filepath.Join(folder, "capacity"), Version: "dev", Render: derived.Files, Command: "gateassay load " +
				"capacity -d staging.yaml --slo 'p99<250ms' --slo 'errors<0.1%' --from 20/s --to 500/s --yes",
		},
		From: 20, To: 500, Step: 4 * time.Second, CoolDown: 300 * time.Millisecond, Precision: 0.05, Factor: 1.6,
	})
	return filepath.Join(out, "report.html"), err
}
