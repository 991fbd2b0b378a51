// Command generator sends load to a benchmark target with the engine and the recorder of load
// runs: fresh identifiers, every answer judged, every result recorded. It prints the run. Unlike
// a load run it can also send as fast as possible, for benchmarks.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "generator:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 2 {
		return fmt.Errorf("expected an engine and a job in JSON, found %d arguments", len(args))
	}
	var j peers.Job
	if err := json.Unmarshal([]byte(args[1]), &j); err != nil {
		return err
	}
	if j.For <= 0 || j.Rate <= 0 && j.InFlight <= 0 {
		return errors.New("a job needs For, and Rate or InFlight")
	}
	record, err := sendLoad(args[0], j)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(record)
}

// unreachableRate is a rate in requests per second that no generator reaches.
const unreachableRate = 200_000

func sendLoad(name string, j peers.Job) (none results.Run, err error) {
	engine.RelaxGarbageCollector()
	stage := schedule.ConstantStage(j.Rate, j.For)
	// leave time to get ready on busy CPUs
	start := time.Now().Add(300 * time.Millisecond)
	ctx := context.Background()
	if j.Rate <= 0 { // all requests are due early, so that the scheduler is idle
		stage = schedule.ConstantStage(50*unreachableRate, j.For/50)
		bounded, cancel := context.WithDeadline(ctx, start.Add(j.For))
		defer cancel()
		ctx = bounded
	}
	plan, err := schedule.New(stage)
	if err != nil {
		return none, err
	}
	source, err := traffic.New(traffic.Config{
		Seed: 1, RunID: "benchmark", Schedule: plan, Repeats: j.Repeats,
	})
	if err != nil {
		return none, err
	}
	target, err := url.Parse(j.URL + peers.Path)
	if err != nil {
		return none, err
	}
	// #nosec G402: a local target
	wire := transport.Config{
		Base: target, Via: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
	}
	over, err := transport.NewNetHTTP(wire)
	if err != nil {
		return none, err
	}
	defer over.Close()
	fast, err := transport.NewFastHTTP(wire)
	if err != nil {
		return none, err
	}
	defer fast.Close()

	dir, err := os.MkdirTemp("", "gateassay-bench-run-")
	if err != nil {
		return none, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	recorder, err := results.OpenRecorder(results.Config{
		Dir: dir, Schedule: plan, URL: j.URL, Thresholds: j.Thresholds,
	})
	if err != nil {
		return none, err
	}
	e := engine.New(engine.Config{
		Engine: name, Source: source, Judge: judge.New(nil), Sink: recorder, HTTP: over,
		FastHTTP: fast,
		Schedule: plan, StartAt: start, MaxInFlight: j.InFlight, Grace: time.Second,
		Target: engine.Target{URL: target, Header: http.Header{
			"Content-Type": {peers.ContentType}, "Authorization": {peers.Authorization},
		}},
	})
	recorder.Start(start, e.State)
	summary, err := e.Run(ctx)
	if err != nil {
		return none, err
	}
	return recorder.Finish(results.RunEnd{Elapsed: summary.Elapsed})
}
