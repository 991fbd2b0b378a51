// Command generator drives a benchmark target with the load engine and the recorder, as a load run does: fresh
// identifiers, every answer judged, every result recorded. It prints one JSON object, a Report. Unlike a load run it
// can also send as fast as it may, and leave the recording out, which is what benchmarks need.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"runtime/pprof"
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

type options struct {
	url, engine, runID, profile string
	rate, repeats               float64
	length                      time.Duration
	requests, milestone         int64
	workers, inFlight           int
	record, spare               bool
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("generator", flag.ContinueOnError)
	flags.StringVar(&o.url, "url", "", "origin of the target, such as http://127.0.0.1:8080")
	flags.StringVar(&o.engine, "engine", "vegeta", "vegeta or direct")
	flags.StringVar(&o.runID, "run-id", "benchmark", "what makes the identifiers of this run its own")
	flags.StringVar(&o.profile, "cpuprofile", "", "file for a profile of the CPU")
	flags.Float64Var(&o.rate, "rate", 0, "requests per second; 0: as many as -workers can send")
	flags.Float64Var(&o.repeats, "repeats", 0, "share of deliberate repeats; a target that accepts all "+
		"misses every one")
	flags.DurationVar(&o.length, "for", 0, "how long")
	flags.Int64Var(&o.requests, "requests", 0, "without -rate: end after so many, 0 for no bound")
	flags.Int64Var(&o.milestone, "milestone", 1_000_000, "tell the resident memory after so many requests, "+
		"and at the end")
	flags.IntVar(&o.workers, "workers", 64, "without -rate: connections")
	flags.IntVar(&o.inFlight, "max-in-flight", 0, "with -rate: 0 for no limit")
	flags.BoolVar(&o.record, "record", true, "record the run, in a folder that is removed at the end")
	flags.BoolVar(&o.spare, "spare", true, "use one processor while that is enough, as load runs do; false: "+
		"all of them")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.url == "" || o.length <= 0 && (o.rate > 0 || o.requests <= 0) {
		return o, fmt.Errorf("-url and -for must be given; -requests stands for -for where there is no -rate")
	}
	return o, nil
}

func run(args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	report, err := o.drive()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(report)
}

// stage is the schedule, or with saturation what is sure to be longer than what will be sent.
func (o options) stage() schedule.Stage {
	switch {
	case o.rate > 0:
		return schedule.Stage{Kind: schedule.Constant, Rate: o.rate, For: o.length}
	case o.requests > 0:
		return schedule.Stage{
			Kind: schedule.Constant, Rate: 1_000_000,
			For: time.Duration(math.Ceil(float64(o.requests)/1_000_000)) * time.Second,
		}
	}
	return schedule.Stage{Kind: schedule.Constant, Rate: 1_000_000, For: o.length + time.Second}
}

func (o options) drive() (peers.Report, error) {
	engine.SpareCollector()
	var none peers.Report
	base, err := url.Parse(o.url)
	if err != nil {
		return none, err
	}
	plan, err := schedule.New(o.stage())
	if err != nil {
		return none, err
	}
	source, err := traffic.New(traffic.Options{Seed: 1, RunID: o.runID, Schedule: plan, Repeats: o.repeats})
	if err != nil {
		return none, err
	}
	// #nosec G402: a target of our own
	wire := transport.Options{Base: base, Via: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	over, err := transport.NewHTTP(wire)
	if err != nil {
		return none, err
	}
	defer over.Close()
	sockets, err := transport.NewSockets(wire)
	if err != nil {
		return none, err
	}
	defer sockets.Close()

	var processors *engine.Processors
	if o.spare {
		processors = engine.NewProcessors()
	}
	var sink engine.Sink = new(counter)
	var recorder *results.Recorder
	if o.record {
		dir, err := os.MkdirTemp("", "gateassay-bench-run-")
		if err != nil {
			return none, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if recorder, err = results.Open(results.Options{
			Dir: dir, Schedule: plan, Info: results.Info{ID: o.runID},
			Redactor: plain{}, URL: o.url, Processors: processors,
		}); err != nil {
			return none, err
		}
		sink = recorder
	}
	start := time.Now().Add(20 * time.Millisecond)
	options := engine.Options{
		Name: engine.Name(o.engine), Source: source, Ledger: source.NewLedger(o.workers),
		Judge: judge.New(judge.Options{}), Sink: sink,
		HTTP: over, Sockets: sockets, Schedule: plan,
		StartAt: start, MaxInFlight: o.inFlight, Processors: processors,
		Target: engine.Target{URL: o.url + peers.Path, Path: peers.Path, Fields: []transport.Field{
			{Name: "Content-Type", Value: []byte(peers.ContentType)},
			{Name: "Authorization", Value: []byte(peers.Authorization)},
		}},
	}
	if o.rate <= 0 {
		options.Closed = &engine.Closed{Connections: o.workers, Requests: o.requests, For: o.length}
	}
	e, err := engine.New(options)
	if err != nil {
		return none, err
	}
	if recorder != nil {
		recorder.SetProgress(func() (int64, int64) { s := e.State(); return s.Begun, int64(s.InFlight) })
		recorder.Start(start)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	early := watch(ctx, e, o.milestone)
	summary, err := e.Run(ctx)
	if err != nil {
		return none, err
	}
	cancel()
	r := peers.Report{
		StartNS: start.UnixNano(), Sent: summary.Sent, ElapsedNS: int64(summary.Elapsed),
		PeakInFlight: summary.PeakInFlight, EarlyMiB: <-early, FinalMiB: resident(),
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
				if e.State().Begun >= milestone {
					at <- resident()
					return
				}
			}
		}
	}()
	return at
}

// resident memory of this process in MiB; 0 where the system does not tell.
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
