package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/live"
	"github.com/gateassay/gateassay/load/plan"
	loads "github.com/gateassay/gateassay/load/run"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/suites"
)

// countdown is how long a person may change their mind before load goes out.
const countdown = 5 * time.Second

func loadCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "load",
		Short: "Drive load on the export operation and judge every answer",
	}
	c.AddCommand(loadRunCommand(), loadCapacityCommand(), loadMergeCommand())
	return c
}

// loadFlags are those of every command that sends load.
type loadFlags struct {
	file, plan, out, metrics string
	raw, yes, quiet          bool
}

// add defines them; verb ends the name of the folder.
func (f *loadFlags) add(c *cobra.Command, verb string) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.file, "deployment", "d", "", "deployment `FILE`, which must allow load; without it the embedded reference gateway is loaded")
	flags.StringVar(&f.plan, "plan", "", "`FILE` that says what to send; flags below override it")
	flags.StringVar(&f.out, "out", "", "`FOLDER` for the run (default reports/runs/<UTC time>-"+verb+")")
	flags.BoolVar(&f.yes, "yes", false, "begin without a countdown; needed where there is no terminal")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, only the result")
	filesOf(c, "deployment", []string{"yaml", "yml"})
	filesOf(c, "plan", []string{"yaml", "yml", "json"})
}

func loadRunCommand() *cobra.Command {
	var f loadFlags
	var s shardFlags
	c := &cobra.Command{
		Use:   "run",
		Short: "Send a plan of requests and judge what comes back",
		Long: `run sends export requests at the moments that a plan means them to be sent, whether or not earlier ones were answered,
and judges every answer: fresh requests must pass replay protection, deliberate repeats must be blocked. Response time
counts from the meant moment, service time from sending. One folder is written: run.json, report.html, summary.md,
intervals.ndjson (synced each second), histograms.hlog, series.csv and the exchanges that went wrong.

Load is refused unless the deployment file holds load.allow: true, and never goes above load.max_rate. Ctrl-C stops
sending at once; what was measured is written.

With --shard several processes, on one machine or many, send one plan together, each a part of the requests at the
moments that one process would send them; gateassay load merge makes one run of what they recorded.

Without --deployment the embedded reference gateway is loaded. It runs in this process and shares its CPUs: such a run
shows that everything works, not what a deployment can take.`,
		Example: `  gateassay load run --rate 200/s --duration 10s
  gateassay load run -d staging.yaml --preset soak --slo 'p99<300ms' --slo 'errors<0.1%' --yes
  gateassay load run -d staging.yaml --plan plan.yaml --abort-on 'errors>20% for 10s' --metrics :9090
  gateassay load run -d staging.yaml --stage '{ramp: [10/s, 200/s], for: 1m}' --stage '{rate: 200/s, for: 5m}'
  gateassay load run -d staging.yaml --plan plan.yaml --yes --shard 0/4 --run-id release-7 --rendezvous /shared/meet --out /shared/0`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return loadRun(c, f, s) },
	}
	f.add(c, "load")
	s.add(c)
	c.Flags().StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics on `ADDRESS`, such as :9090, while the run goes")
	c.Flags().BoolVar(&f.raw, "raw", false, "write results.gob as well, in vegeta's encoding, for vegeta report and vegeta plot")
	plan.AddFlags(c.Flags())
	return c
}

func loadRun(c *cobra.Command, f loadFlags, s shardFlags) error {
	p, err := f.read(c)
	if err != nil {
		return err
	}
	schedule, err := p.Schedule()
	if err != nil {
		return usageError{err}
	}
	o, embedded, err := f.options(c, p)
	if err != nil {
		return err
	}
	if embedded != nil {
		defer embedded.Close()
	}
	if err := s.apply(&f, p, &o); err != nil {
		return usageError{err}
	}
	if err := o.Plan.Permitted(o.Deployment); err != nil {
		return usageError{err}
	}
	if err := f.confirm(c, o.Deployment, loads.Words(schedule)); err != nil {
		return err
	}
	result, err := loads.Run(c.Context(), o)
	if err != nil {
		return refusal(err)
	}
	complain(c.ErrOrStderr(), result.Errors)
	if err := f.table(c, result.Folder).Print(c.OutOrStdout(), result.Run); err != nil {
		return fmt.Errorf("the result could not be printed: %w", err)
	}
	return ending(result.ExitCode())
}

func loadCapacityCommand() *cobra.Command {
	var f loadFlags
	var from, to, precision string
	s := loads.Search{}
	c := &cobra.Command{
		Use:   "capacity",
		Short: "Find the highest rate that holds the thresholds",
		Long: `capacity tries rates between --from and --to, each for --step-duration: it climbs by --factor until a rate misses a
threshold, then halves the gap. A rate that missed is tried again, and so is the one that may be the answer; between
runs the deployment cools down. It ends early when the deployment stops answering.

run.json holds the rate, how often it held, the interval that the capacity lies in, the latency-throughput curve and
where it bends; each run is kept under probes/. Exit code 1: even the lowest rate misses a threshold; 3: no answer.`,
		Example: `  gateassay load capacity --slo 'p99<100ms' --from 50/s --to 5000/s
  gateassay load capacity -d staging.yaml --slo 'p99<300ms' --slo 'errors<0.1%' --from 10/s --to 400/s --step-duration 30s --yes`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var ok bool
			if s.From, ok = plan.ParseRate(from); !ok || s.From <= 0 {
				return usageError{fmt.Errorf("--from: expected a rate such as 50/s, found %q", from)}
			}
			if s.To, ok = plan.ParseRate(to); !ok || s.To <= 0 {
				return usageError{fmt.Errorf("--to: expected a rate such as 5000/s, found %q", to)}
			}
			if s.Precision, ok = plan.ParseShare(precision); !ok || s.Precision <= 0 {
				return usageError{fmt.Errorf("--precision: expected a share such as 5%%, found %q", precision)}
			}
			switch {
			case s.Step < 200*time.Millisecond:
				return usageError{fmt.Errorf("--step-duration: expected at least 200ms, found %s", s.Step)}
			case s.Factor <= 1 || s.Factor > 100:
				return usageError{fmt.Errorf("--factor: expected more than 1, found %g", s.Factor)}
			case s.CoolDown < 0:
				return usageError{fmt.Errorf("--cool-down: expected a duration from 0, found %s", s.CoolDown)}
			}
			return loadCapacity(c, f, s)
		},
	}
	f.add(c, "capacity")
	flags := c.Flags()
	flags.StringVar(&from, "from", "50/s", "lowest `RATE`")
	flags.StringVar(&to, "to", "1000/s", "highest `RATE`")
	flags.DurationVar(&s.Step, "step-duration", 10*time.Second, "how long each rate is tried")
	flags.DurationVar(&s.CoolDown, "cool-down", 2*time.Second, "wait after each run; twice as long after one that missed")
	flags.StringVar(&precision, "precision", "5%", "how close the highest rate that holds and the lowest that misses shall come")
	flags.Float64Var(&s.Factor, "factor", 2, "of the climb")
	plan.AddFlags(flags)
	for _, name := range unscheduled {
		_ = flags.MarkHidden(name)
	}
	return c
}

// unscheduled are flags of a plan that make no sense where the search makes the schedule.
var unscheduled = []string{"preset", "rate", "duration", "stage"}

func loadCapacity(c *cobra.Command, f loadFlags, s loads.Search) error {
	for _, name := range unscheduled {
		if c.Flags().Changed(name) {
			return usageError{fmt.Errorf("--%s: the search chooses rates itself; give --from, --to and --step-duration", name)}
		}
	}
	p, err := f.read(c)
	if err != nil {
		return err
	}
	if p.Shards > 1 {
		return usageError{fmt.Errorf("shards: a search is sent by one process, the plan is for %d; leave the key out", p.Shards)}
	}
	o, embedded, err := f.options(c, p)
	if err != nil {
		return err
	}
	if embedded != nil {
		defer embedded.Close()
	}
	s.Options = o
	s.OnRun = func(r capacity.Run) { f.probed(c.ErrOrStderr(), r) }
	if err := f.confirm(c, o.Deployment, fmt.Sprintf("up to %.6g/s in steps of %s", s.To, s.Step)); err != nil {
		return err
	}
	result, folder, err := loads.Find(c.Context(), s)
	if err != nil {
		return refusal(err)
	}
	if err := f.table(c, folder).PrintCapacity(c.OutOrStdout(), result); err != nil {
		return fmt.Errorf("the result could not be printed: %w", err)
	}
	return ending(result.ExitCode())
}

func (f *loadFlags) probed(w io.Writer, r capacity.Run) {
	if f.quiet {
		return
	}
	word := "held"
	if !r.Outcome.Holds {
		word = "missed: " + r.Outcome.Reason
	}
	fmt.Fprintf(w, "%.5g/s  p99 %s  %s\n", r.Rate, r.Outcome.P99.Round(10*time.Microsecond), word)
}

// read makes the plan of the file and the flags.
func (f *loadFlags) read(c *cobra.Command) (*plan.Plan, error) {
	settings := plan.FromSet(c.Flags())
	var p *plan.Plan
	var err error
	if f.plan != "" {
		p, err = plan.Load(f.plan, settings...)
	} else {
		p, err = plan.FromFlags(settings...)
	}
	if err != nil {
		return nil, refusal(err)
	}
	return p, nil
}

// options names the deployment and what shows the run. The embedded gateway is to be closed after the run.
func (f *loadFlags) options(c *cobra.Command, p *plan.Plan) (loads.Options, *suites.Embedded, error) {
	o := loads.Options{Plan: p, File: f.file, Out: f.out, Raw: f.raw, Metrics: f.metrics, Version: version(), Command: commandLine(os.Args)}
	var embedded *suites.Embedded
	var err error
	if f.file != "" {
		o.Deployment, err = deployment.Load(f.file)
	} else if embedded, err = suites.StartEmbedded(c.Context()); err == nil {
		o.Deployment = embedded.Deployment
	}
	if err != nil {
		return o, nil, err
	}
	stderr := c.ErrOrStderr()
	view := []live.Option{live.Coloured(console.Colour(isTerminal(stderr), os.Getenv))}
	if f.quiet {
		view = append(view, live.Quiet())
	}
	o.View = live.New(stderr, console.Interactive(isTerminal(stderr), os.Getenv), width(stderr), view...)
	return o, embedded, nil
}

// confirm gives a person the time to stop load on a deployment of theirs. Off a terminal --yes says that it is meant.
func (f *loadFlags) confirm(c *cobra.Command, d *deployment.File, what string) error {
	if f.file == "" || f.yes {
		return nil
	}
	stderr := c.ErrOrStderr()
	if !isTerminal(stderr) {
		return usageError{fmt.Errorf("this would send load to %s (%s): %s; add --yes where there is no terminal to stop it on", d.Name, d.BaseURL, what)}
	}
	fmt.Fprintf(stderr, "Load on %s (%s): %s\n", d.Name, d.BaseURL, what)
	for left := countdown; left > 0; left -= time.Second {
		fmt.Fprintf(stderr, "\rbegins in %d s; Ctrl-C stops it ", left/time.Second)
		if !pause(c.Context(), time.Second) {
			fmt.Fprintln(stderr, "\nnothing was sent")
			return exitCode(130)
		}
	}
	fmt.Fprint(stderr, "\r\x1b[K")
	return nil
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

func (f *loadFlags) table(c *cobra.Command, folder string) loads.Table {
	return loads.Table{Colour: console.Colour(isTerminal(c.OutOrStdout()), os.Getenv), Folder: folder}
}

func complain(w io.Writer, errs []error) {
	for _, err := range errs {
		fmt.Fprintln(w, "gateassay: "+err.Error())
	}
}

func ending(code int) error {
	if code == exitOK {
		return nil
	}
	return exitCode(code)
}

// refusal tells errors that the command line or a file caused from those of the harness.
func refusal(err error) error {
	var usage *loads.UsageError
	var problems *plan.Problems
	if errors.As(err, &usage) || errors.As(err, &problems) {
		return usageError{err}
	}
	return err
}
