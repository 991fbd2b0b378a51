// Command generator drives a benchmark target with the load engine and the recorder, as a load run does: fresh
// identifiers, every answer judged, every result recorded. It prints one JSON object, a Report. Unlike a load run it
// can also send as fast as it may, and leave the recording out, which is what benchmarks need.
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
	"sync/atomic"
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
	if len(args) != 1 {
		return fmt.Errorf("expected one argument, a task in JSON, found %d", len(args))
	}
	var o peers.Task
	if err := json.Unmarshal([]byte(args[0]), &o); err != nil {
		return err
	}
	if o.URL == "" || o.For <= 0 && (o.Rate > 0 || o.Requests <= 0) {
		return errors.New("the URL and For must be given; Requests stands for For where there is no Rate")
	}
	report, err := drive(o)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(report)
}

// saturation is a rate, per second, that no generator reaches: whatever is due waits for a free worker.
const saturation = 200_000

// stage is the schedule. One that is to be sent as fast as can be for a time is all due at its start, so that the
// scheduler has nothing left to do; one of so many requests keeps room for repeats, which follow after a second.
func stage(o peers.Task) schedule.Stage {
	s := schedule.Stage{Kind: schedule.Constant, Rate: o.Rate, For: o.For}
	switch {
	case o.Rate > 0:
	case o.Requests > 0:
		s.Rate, s.For = saturation, time.Duration(float64(o.Requests)/saturation*float64(time.Second))
	default:
		s.Rate, s.For = 50*saturation, o.For/50
	}
	return s
}

func drive(o peers.Task) (peers.Report, error) {
	engine.SpareCollector()
	var none peers.Report
	target, err := url.Parse(o.URL + peers.Path)
	if err != nil {
		return none, err
	}
	plan, err := schedule.New(stage(o))
	if err != nil {
		return none, err
	}
	source, err := traffic.New(traffic.Options{Seed: 1, RunID: o.RunID, Schedule: plan, Repeats: o.Repeats})
	if err != nil {
		return none, err
	}
	// #nosec G402: a target of our own
	wire := transport.Options{Base: target, Via: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	over, err := transport.NewHTTP(wire)
	if err != nil {
		return none, err
	}
	defer over.Close()
	fast, err := transport.NewFastHTTP(wire)
	if err != nil {
		return none, err
	}
	defer fast.Close()

	var sink engine.Sink = new(counter)
	var recorder *results.Recorder
	if !o.NoRecord {
		dir, err := os.MkdirTemp("", "gateassay-bench-run-")
		if err != nil {
			return none, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if recorder, err = results.Open(results.Options{
			Dir: dir, Schedule: plan, Info: results.Info{ID: o.RunID},
			Redactor: plain{}, URL: o.URL,
		}); err != nil {
			return none, err
		}
		sink = recorder
	}
	start := time.Now().Add(20 * time.Millisecond)
	options := engine.Options{
		Name: engine.Name(o.Engine), Source: source, Judge: judge.New(0), Sink: sink,
		HTTP: over, FastHTTP: fast, Schedule: plan,
		StartAt: start, MaxInFlight: o.MaxInFlight,
		Target: engine.Target{URL: target, Header: http.Header{
			"Content-Type": {peers.ContentType}, "Authorization": {peers.Authorization},
		}},
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if o.Rate <= 0 { // as fast as so many workers can
		options.MaxInFlight, options.Grace = o.Workers, time.Second
		if o.Requests <= 0 {
			time.AfterFunc(time.Until(start)+o.For, cancel)
		}
	}
	e, err := engine.New(options)
	if err != nil {
		return none, err
	}
	if recorder != nil {
		recorder.Start(start, e.State)
	}
	early := watch(ctx, e, o.Milestone)
	summary, err := e.Run(ctx)
	if err != nil {
		return none, err
	}
	cancel()
	r := peers.Report{
		StartNS: start.UnixNano(), Sent: summary.Sent, ElapsedNS: int64(summary.Elapsed),
		EarlyMiB: <-early, FinalMiB: resident(),
	}
	if recorder == nil {
		r.Bad = sink.(*counter).bad.Load()
		return r, nil
	}
	done, err := recorder.Finish(results.Ending{Elapsed: summary.Elapsed})
	if err != nil {
		return none, err
	}
	r.Bad = done.Requests.Sent - done.Requests.Accepted - done.Requests.MissedBlocks
	r.ResponseP99MS, r.ServiceP99MS, r.LagP99MS = done.Latency.Response.P99, done.Latency.Service.P99,
		done.Generator.LagP99MS
	return r, nil
}

// counter is what takes the place of the recorder.
type counter struct{ bad atomic.Int64 }

func (c *counter) Record(_ int, r *engine.Result) {
	if r.Verdict.Class.Bad() {
		c.bad.Add(1)
	}
}

// plain redacts nothing: the only secret here is made up.
type plain struct{}

func (plain) Text(s string) string { return s }

// watch gives the resident memory at the moment when so many requests have been begun; 0 when it never comes.
func watch(ctx context.Context, e *engine.Engine, milestone int64) <-chan float64 {
	at := make(chan float64, 1)
	go func() {
		defer close(at)
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if begun, _ := e.State(); milestone > 0 && begun >= milestone {
					at <- resident()
					return
				}
			}
		}
	}()
	return at
}

// resident memory of this process in MiB; 0 where the system does not say.
func resident() float64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var total, pages int64
	if _, err := fmt.Sscan(string(data), &total, &pages); err != nil {
		return 0
	}
	return float64(pages) * float64(os.Getpagesize()) / (1 << 20)
}
