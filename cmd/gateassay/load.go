package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/driver"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/store"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/reports/live"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/doctor"
)

// countdown is how long a person may change their mind before load goes out.
const countdown = 5 * time.Second

func loadCommand() *cobra.Command {
	c := &cobra.Command{Use: "load", Short: "Put load on the export operation and judge every answer"}
	c.AddCommand(loadRunCommand(), loadCapacityCommand(), loadMergeCommand(),
		loadKubernetesCommand())
	return c
}

// loadFlags are those of every command that sends load.
type loadFlags struct {
	file, plan, out, metrics, otlp string
	yes, quiet                     bool
}

// add defines them; verb ends the name of the folder.
func (f *loadFlags) add(c *cobra.Command, verb string) {
	flags := c.Flags()
	deploymentFlag(c, &f.file,
		"deployment `FILE`, which must allow load; without it the embedded reference gateway is loaded")
	flags.StringVar(&f.plan, "plan", "", "`FILE` that says what to send; flags below override it")
	flags.StringVar(&f.out, "out", "",
		"`FOLDER` for the run, or a bucket's URL such as s3://bucket/run (default reports/runs/<UTC time>-"+verb+")")
	flags.BoolVar(&f.yes, "yes", false, "begin without a countdown; needed where there is no terminal")
	quietFlag(c, &f.quiet)
	filesOf(c, "plan", "yaml", "yml", "json")
}

func loadRunCommand() *cobra.Command {
	var f loadFlags
	var s shardFlags
	c := &cobra.Command{
		Use:   "run",
		Short: "Send a plan of requests and judge what comes back",
		Long: `run sends export requests at the times that a plan sets, whether or not earlier ones were answered, and judges every answer:
fresh requests must pass replay protection, deliberate repeats must be blocked. Response time counts from when a request was due,
service time from when it was sent. docs/load.md has plans, thresholds and what is recorded.

Load is refused unless the deployment file holds load.allow: true, and never goes above load.max_rate. Ctrl-C stops sending at
once; what was measured is written. With --shard several processes send one plan together, and shard 0 makes one run of what they
recorded. Without --deployment the embedded reference gateway is loaded, which shares this process and its CPUs.`,
		Example: `  gateassay load run --rate 200/s --duration 10s
  gateassay load run -d staging.yaml --preset soak --slo 'p99<300ms' --yes
  gateassay load run -d staging.yaml --rate 500/s --duration 1m --slo none --yes
  gateassay load run -d staging.yaml --plan plan.yaml \
      --abort-on 'errors>20% for 10s' --metrics :9090
  gateassay load run -d staging.yaml --stage '{ramp: [10/s, 200/s], for: 1m}' \
      --stage '{rate: 200/s, for: 5m}'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return loadRun(c, f, s) },
	}
	f.add(c, "load")
	s.add(c)
	c.Flags().StringVar(&f.metrics, "metrics", "",
		"serve Prometheus metrics on `ADDRESS`, such as :9090, while the run goes")
	c.Flags().StringVar(&f.otlp, "otlp", "",
		"send the same metrics by OTLP over HTTP to the collector at `URL`, such as http://collector:4318")
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
	o, done, err := f.options(c, p)
	if err != nil {
		return err
	}
	defer done()
	if err := s.apply(&f, p, &o); err != nil {
		return usageError{err}
	}
	if err := o.Plan.Permitted(o.Deployment); err != nil {
		return usageError{err}
	}
	if err := f.confirm(c, o.Deployment, schedule.Words()); err != nil {
		return err
	}
	place := o.Out
	var finish func(context.Context) error
	if o.Out, finish, err = store.Keep(c.Context(), place); err != nil {
		return misuse("--out: %w", err)
	}
	var obstacle *doctor.Obstacle
	o.Explain = explain(o, &obstacle)
	result, err := driver.Run(c.Context(), o)
	if err = kept(c, obstacle, place, &result, finish, err); err != nil {
		return err
	}
	if merged, err := s.together(c, f, o); merged {
		return err
	}
	return ending(result.ExitCode())
}

// kept brings a run to its place and prints what it found. err is why there is none.
func kept(c *cobra.Command, obstacle *doctor.Obstacle, place string, r *driver.Result, finish func(context.Context) error,
	err error,
) error {
	failed := finish(c.Context())
	if err != nil {
		return refusal(err)
	}
	r.Err = errors.Join(r.Err, failed)
	if failed != nil || !store.IsBucket(place) {
		place = r.Folder
	}
	complain(c.ErrOrStderr(), r.Err, r.Unsent)
	return printResult(c, obstacle, place, r.ExitCode(), loadreport.Run(r.Run, loadreport.Data{}))
}

// explain keeps the obstacle that an answer to the first export shows.
func explain(o driver.Options, obstacle **doctor.Obstacle) func(*client.Exchange) error {
	return func(x *client.Exchange) error {
		*obstacle = doctor.Obstruct(o.Deployment, []*client.Exchange{x})
		if *obstacle == nil {
			*obstacle = doctor.Refused(x)
			if x.Refusal() && o.RunID != "" {
				(*obstacle).Next += "; if a run " + o.RunID +
					" was made here before, its requests now count as replays: use another --run-id"
			}
		}
		return *obstacle
	}
}

// printResult prints what load found in a folder, or the obstacle that kept all of it from being sent.
func printResult(c *cobra.Command, obstacle *doctor.Obstacle, folder string, code int,
	report view.Report,
) error {
	stdout := c.OutOrStdout()
	style := styleOf(stdout)
	style.Folder, style.Exit = folder, fmt.Sprintf("exit code %d", code)
	if obstacle != nil {
		report = console.Obstructed(obstacle)
	}
	if err := view.WriteText(stdout, report, style); err != nil {
		return unprinted(fmt.Errorf("the result could not be printed: %w", err), code)
	}
	return nil
}

// read makes the plan of the file and the flags.
func (f *loadFlags) read(c *cobra.Command) (*plan.Plan, error) {
	settings := plan.FromSet(c.Flags())
	if f.plan != "" {
		return plan.Load(f.plan, settings...)
	}
	return plan.FromFlags(settings...)
}

// options names the deployment and what shows the run. What it returns last is to be called after the run.
func (f *loadFlags) options(c *cobra.Command, p *plan.Plan) (driver.Options, func(), error) {
	engine.SpareCollector()
	o := driver.Options{
		Plan: p, File: f.file, Out: f.out, Metrics: f.metrics, OTLP: f.otlp,
		Version: version(), Command: commandLine(os.Args), Render: derived.Files,
	}
	var done func()
	var err error
	o.Deployment, done, err = openDeployment(c.Context(), f.file)
	o.View = live.New(screen(c.ErrOrStderr(), f.quiet))
	return o, done, err
}

// confirm gives a person the time to stop load on a deployment of theirs, and signs in. Off a terminal --yes says that
// it is meant.
func (f *loadFlags) confirm(c *cobra.Command, d *deployment.File, what string) error {
	if f.file == "" || f.yes {
		return client.SignIn(d)
	}
	stderr := c.ErrOrStderr()
	if !isTerminal(stderr) {
		return misuse("this would send load to %s (%s): %s; there is no terminal for a countdown, so add --yes", d.Name,
			d.BaseURL, what)
	}
	fmt.Fprintf(stderr, "Load on %s (%s): %s\n", d.Name, d.BaseURL, what)
	fmt.Fprintf(stderr, "begins in %s; Ctrl-C stops it\n", countdown)
	select {
	case <-time.After(countdown):
	case <-c.Context().Done():
		fmt.Fprintln(stderr, "nothing was sent")
		return exitCode(exitStopped)
	}
	return client.SignIn(d)
}

// refusal separates errors that the command line or a file caused from those of the harness.
func refusal(err error) error {
	var usage *driver.UsageError
	if errors.As(err, &usage) {
		return usageError{err}
	}
	return err
}
