package cmd

import (
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/merge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/store"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/live"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/doctor"
)

func loadCommand(extensions Extensions) *cobra.Command {
	c := &cobra.Command{Use: "load", Short: "Put load on the export operation and judge every answer"}
	c.AddCommand(loadRunCommand(extensions), loadCapacityCommand(), loadMergeCommand(extensions),
		loadTargetsCommand())
	return c
}

// loadFlags are the flags of every command that sends load.
type loadFlags struct {
	file, plan, out, metrics, otlp, raw, web string
	yes, quiet                               bool
	route                                    deployment.Route
	shard, runID                             string // for a run that several processes send together
	ready                                    time.Duration
	extensions                               Extensions
}

// add defines the flags. verb is the end of the folder's default name.
func (f *loadFlags) add(c *cobra.Command, verb string) {
	flags := c.Flags()
	deploymentFlag(c, &f.file,
		"deployment `FILE`, which must allow load; without it the embedded reference gateway is loaded")
	routeFlags(c, &f.route)
	planFileFlag(c, &f.plan, "`FILE` that says what to send; flags below override it")
	flags.StringVar(&f.out, "out", "",
		"`FOLDER` for the run, or a bucket's URL such as s3://bucket/run (default reports/runs/<UTC "+
			"time>-"+verb+")")
	flags.BoolVar(&f.yes, "yes", false, "send load to the deployment; needed with --deployment")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, only the result")
}

func loadRunCommand(extensions Extensions) *cobra.Command {
	f := loadFlags{extensions: extensions}
	c := &cobra.Command{Use: "run", Short: "Send a plan of requests and judge what comes back"}
	c.RunE = func(c *cobra.Command, _ []string) error { return loadRun(c, f) }
	f.add(c, "load")
	f.addShardFlags(c)
	c.Flags().StringVar(&f.metrics, "metrics", "",
		"serve Prometheus metrics on `ADDRESS`, such as :9090, while the run goes")
	c.Flags().StringVar(&f.otlp, "otlp", "",
		"send the same metrics by OTLP over HTTP to the collector at `URL`, such as "+
			"http://collector:4318")
	c.Flags().StringVar(&f.raw, "raw", "",
		"write vegeta's own results to `FILE`, or - for the standard output, for vegeta report, plot "+
			"and encode")
	c.Flags().StringVar(&f.web, "web", "",
		"show the run as a page on this machine, at `ADDRESS` where one is given")
	c.Flags().Lookup("web").NoOptDefVal = "127.0.0.1:0"
	plan.AddFlags(c.Flags())
	completePlanFlags(c)
	return c
}

func loadRun(c *cobra.Command, f loadFlags) error {
	o, done, err := f.options(c)
	if err != nil {
		return err
	}
	defer done()
	schedule, err := o.Plan.Schedule()
	if err != nil {
		return usageError{err}
	}
	if err := f.applyShard(&o); err != nil {
		return usageError{err}
	}
	if err := o.Plan.CheckPermitted(o.Deployment); err != nil {
		return usageError{err}
	}
	if err := f.confirmAndSignIn(c, o.Deployment, schedule.Describe()); err != nil {
		return err
	}
	if o.Raw = f.raw; o.Raw == load.Stdout {
		c.SetOut(c.ErrOrStderr())
	}
	if f.web != "" {
		if o.View, err = live.NewWebView(live.NewTerminalView(progressScreen(c.ErrOrStderr(), f.quiet)),
			f.web); err != nil {
			return usageErrorf("--web: %w", err)
		}
	}
	var obstacle *doctor.Obstacle
	o.Explain = refusalExplainer(o, &obstacle)
	err = runAndPrint(c, o.Buckets, o.Out, &obstacle, func(out string) (load.Result, error) {
		o.Out = out
		return load.Run(c.Context(), o)
	})
	if judged := err == nil || errors.As(err, new(exitCode)); judged && o.Plan.Shards > 1 &&
		o.Shard == 0 &&
		c.Context().Err() == nil {
		return mergeShards(c, merge.Options{
			Places: []string{f.out}, Buckets: f.extensions.Buckets, Out: store.JoinPlace(f.out, "merged"),
			Shards: o.Plan.Shards,
		})
	}
	return err
}

// runAndPrint runs at a place, a folder or a bucket, and prints the result.
func runAndPrint(c *cobra.Command, buckets store.Buckets, place string, obstacle **doctor.Obstacle,
	run func(out string) (load.Result, error),
) error {
	out, finish, err := buckets.OpenRunFolder(c.Context(), place)
	if err != nil {
		return usageErrorf("--out: %w", err)
	}
	r, err := run(out)
	failed := finish(c.Context())
	if err != nil {
		return err
	}
	r.Err = errors.Join(r.Err, failed)
	if failed != nil || !store.IsBucket(place) {
		place = r.Folder
	}
	printErrors(c.ErrOrStderr(), r.Err, r.Unsent)
	return printResult(c, *obstacle, place, r.ExitCode(),
		loadreport.RunReport(r.Run, loadreport.RunData{}))
}

// refusalExplainer returns a function that stores the obstacle that the answer to the first export
// shows.
func refusalExplainer(o load.Options, obstacle **doctor.Obstacle) func(*client.Exchange) error {
	return func(x *client.Exchange) error {
		*obstacle = doctor.DetectObstacle(o.Deployment, []*client.Exchange{x})
		if *obstacle == nil {
			*obstacle = doctor.RefusedExportObstacle(x)
			if x.IsClientError() && o.RunID != "" {
				(*obstacle).NextStep += "; if a run " + o.RunID +
					" was made here before, its requests now count as replays: use another --run-id"
			}
		}
		return *obstacle
	}
}

// printResult prints the report of a run, or the obstacle that prevented it.
func printResult(c *cobra.Command, obstacle *doctor.Obstacle, folder string, code int,
	report view.Report,
) error {
	stdout := c.OutOrStdout()
	style := reportStyle(stdout)
	style.Folder, style.Exit = folder, exitCode(code).Error()
	if obstacle != nil {
		report = console.ObstacleReport(obstacle)
	}
	return exitError(code, view.WriteText(stdout, report, style))
}

// options returns the options of a run: plan, deployment and view. The caller must call done after
// the run.
func (f *loadFlags) options(c *cobra.Command) (o load.Options, done func(), err error) {
	settings := plan.FlagSettings(c.Flags())
	o = load.Options{
		File: f.file, Out: f.out, Metrics: f.metrics, OTLP: f.otlp, Version: buildVersion(),
		Command: commandLine(os.Args),
		Render:  writeReports, View: live.NewTerminalView(progressScreen(c.ErrOrStderr(), f.quiet)),
		Buckets: f.extensions.Buckets, Exporter: f.extensions.Exporter,
	}
	if f.plan != "" {
		o.Plan, err = plan.Load(f.plan, settings...)
	} else {
		o.Plan, err = plan.FromFlags(settings...)
	}
	if err != nil {
		return o, nil, err
	}
	engine.RelaxGarbageCollector()
	o.Deployment, done, err = openDeployment(c.Context(), f.file, f.route)
	return o, done, err
}

// confirmAndSignIn requires --yes for load on a given deployment, and obtains the credentials.
func (f *loadFlags) confirmAndSignIn(c *cobra.Command, d *deployment.File, what string) error {
	if f.file != "" && !f.yes {
		return usageErrorf("this would send load to %s (%s): %s; add --yes to begin", d.Name, d.BaseURL,
			what)
	}
	return client.ObtainCredentials(c.Context(), d)
}

func loadTargetsCommand() *cobra.Command {
	var f loadFlags
	var secret bool
	c := &cobra.Command{Use: "targets", Short: "Print the requests of a plan for vegeta attack"}
	c.RunE = func(c *cobra.Command, _ []string) error {
		if f.file == "" {
			return usageErrorf("--deployment: whom should vegeta send to? The embedded gateway is gone " +
				"when this command ends; gateassay serve starts one that stays")
		}
		f.quiet = true
		o, done, err := f.options(c)
		if err != nil {
			return err
		}
		defer done()
		if secret && !isPipe(c.OutOrStdout()) {
			return usageErrorf("--credentials: they go into a pipe alone; end the line with | vegeta " +
				"attack -format=json")
		}
		if secret {
			if err := client.ObtainCredentials(c.Context(), o.Deployment); err != nil {
				return err
			}
		}
		return load.WriteTargets(c.Context(), o, c.OutOrStdout(), secret)
	}
	deploymentFlag(c, &f.file, "deployment `FILE`, which must allow load")
	planFileFlag(c, &f.plan, "`FILE` that says what to send; flags below override it")
	c.Flags().BoolVar(&secret, "credentials", false, "with credentials, for a pipe to vegeta attack")
	plan.AddFlags(c.Flags())
	return c
}

func isPipe(w any) bool {
	if f, ok := w.(*os.File); ok {
		about, err := f.Stat()
		return err == nil && about.Mode()&os.ModeNamedPipe != 0
	}
	return false
}
