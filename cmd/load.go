package cmd

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/store"
	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/merge"
	"github.com/gateassay/gateassay/load/plan"
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

// loadFlags are the options of a load run, as the flags of its command set them.
type loadFlags struct {
	load.Options
	plan, web, shard string
	yes, quiet       bool
	route            deployment.Route
	obstacle         *doctor.Obstacle // why no export was accepted; nil: one was
}

// add defines the flags. verb is the end of the folder's default name.
func (f *loadFlags) add(c *cobra.Command, verb string) {
	flags := c.Flags()
	deploymentFlag(c, &f.File,
		"deployment `FILE`, which must allow load; without it the embedded reference gateway is loaded")
	routeFlags(c, &f.route)
	planFileFlag(c, &f.plan, "`FILE` that says what to send; flags below override it")
	flags.StringVar(&f.Out, "out", "",
		"`FOLDER` for the run, or a bucket's URL such as s3://bucket/run (default reports/runs/<UTC "+
			"time>-"+verb+")")
	flags.BoolVar(&f.yes, "yes", false, "send load to the deployment; needed with --deployment")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, only the result")
}

func loadRunCommand(extensions Extensions) *cobra.Command {
	f := &loadFlags{Options: load.Options{
		Buckets: extensions.Buckets, Exporter: extensions.Exporter,
	}}
	c := &cobra.Command{Use: "run", Short: "Send a plan of requests and judge what comes back"}
	c.RunE = func(c *cobra.Command, _ []string) error { return loadRun(c, f) }
	f.add(c, "load")
	f.addShardFlags(c)
	c.Flags().StringVar(&f.Metrics, "metrics", "",
		"serve Prometheus metrics on `ADDRESS`, such as :9090, while the run goes")
	c.Flags().StringVar(&f.OTLP, "otlp", "",
		"send the same metrics by OTLP over HTTP to the collector at `URL`, such as "+
			"http://collector:4318")
	c.Flags().StringVar(&f.Raw, "raw", "",
		"write vegeta's own results to `FILE`, or - for the standard output, for vegeta report, plot "+
			"and encode")
	c.Flags().StringVar(&f.web, "web", "",
		"show the run as a page on this machine, at `ADDRESS` if one is given")
	c.Flags().Lookup("web").NoOptDefVal = "127.0.0.1:0"
	plan.AddFlags(c.Flags())
	completePlanFlags(c)
	return c
}

func loadRun(c *cobra.Command, f *loadFlags) error {
	done, err := f.open(c)
	if err != nil {
		return err
	}
	defer done()
	schedule, err := f.Plan.Schedule()
	if err == nil {
		err = f.applyShard()
	}
	if err == nil {
		err = f.Plan.CheckPermitted(f.Deployment)
	}
	if err != nil {
		return usageError{err}
	}
	if err := f.confirmAndSignIn(c, schedule.Describe()); err != nil {
		return err
	}
	if f.Raw == load.Stdout {
		c.SetOut(c.ErrOrStderr())
	}
	if f.web != "" {
		if f.View, err = live.NewWebView(live.NewTerminalView(progressScreen(c.ErrOrStderr(), f.quiet)),
			f.web); err != nil {
			return usageErrorf("--web: %w", err)
		}
	}
	err = runAndPrint(c, f.Buckets, f.Out,
		func(out string) (load.Result, *doctor.Obstacle, error) {
			f.Out = out
			r, err := load.Run(c.Context(), f.Options)
			return r, f.obstacle, err
		})
	if judged := err == nil || errors.As(err, new(exitCode)); judged && f.Plan.Shards > 1 &&
		f.Shard == 0 && c.Context().Err() == nil {
		return mergeShards(c, merge.Options{
			Places: []string{f.Meeting.Place}, Buckets: f.Buckets,
			Out: store.JoinPlace(f.Meeting.Place, "merged"), Shards: f.Plan.Shards,
		})
	}
	return err
}

// runAndPrint runs at a place, a folder or a bucket, and prints the result, or the obstacle that
// prevented it.
func runAndPrint(c *cobra.Command, buckets store.Buckets, place string,
	run func(out string) (load.Result, *doctor.Obstacle, error),
) error {
	out, finish, err := buckets.OpenRunFolder(c.Context(), place)
	if err != nil {
		return usageErrorf("--out: %w", err)
	}
	r, obstacle, err := run(out)
	failed := finish(c.Context())
	if err != nil {
		return err
	}
	r.Err = errors.Join(r.Err, failed)
	if failed != nil || !store.IsBucket(place) {
		place = r.Folder
	}
	printErrors(c.ErrOrStderr(), r.Err, r.Unsent)
	return printResult(c, obstacle, place, r.ExitCode(),
		loadreport.RunReport(r.Run, loadreport.RunData{}))
}

// explainRefusal returns and keeps the obstacle that the answer to the first export shows.
func (f *loadFlags) explainRefusal(x *client.Exchange) error {
	f.obstacle = doctor.DetectObstacle(f.Deployment, []*client.Exchange{x})
	if f.obstacle == nil {
		f.obstacle = doctor.RefusedExportObstacle(x)
		if x.IsClientError() && f.RunID != "" {
			f.obstacle.NextStep += "; if a run " + f.RunID +
				" was made here before, its requests now count as replays: use another --run-id"
		}
	}
	return f.obstacle
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

// open completes the options of a run: plan, deployment and view. The caller must call done after
// the run.
func (f *loadFlags) open(c *cobra.Command) (done func(), err error) {
	f.Version, f.Command, f.Render = buildVersion(), commandLine(os.Args), writeReports
	f.View = live.NewTerminalView(progressScreen(c.ErrOrStderr(), f.quiet))
	f.Explain = f.explainRefusal
	if settings := plan.FlagSettings(c.Flags()); f.plan != "" {
		f.Plan, err = plan.Load(f.plan, settings...)
	} else {
		f.Plan, err = plan.FromFlags(settings...)
	}
	if err != nil {
		return nil, err
	}
	engine.RelaxGarbageCollector()
	f.Deployment, done, err = openDeployment(c.Context(), f.File, f.route)
	return done, err
}

// confirmAndSignIn requires --yes for load on a given deployment, and obtains the credentials.
func (f *loadFlags) confirmAndSignIn(c *cobra.Command, what string) error {
	if d := f.Deployment; f.File != "" && !f.yes {
		return usageErrorf("this would send load to %s (%s): %s; add --yes to begin", d.Name, d.BaseURL,
			what)
	}
	return client.ObtainCredentials(c.Context(), f.Deployment)
}

func loadTargetsCommand() *cobra.Command {
	f := loadFlags{quiet: true}
	var secret bool
	c := &cobra.Command{Use: "targets", Short: "Print the requests of a plan for vegeta attack"}
	c.RunE = func(c *cobra.Command, _ []string) error {
		if f.File == "" {
			return usageErrorf("--deployment: required, because the embedded gateway is gone " +
				"when this command ends; gateassay serve starts one that stays")
		}
		done, err := f.open(c)
		if err != nil {
			return err
		}
		defer done()
		if secret && !isPipe(c.OutOrStdout()) {
			return usageErrorf("--credentials: credentials are written only to a pipe; end the " +
				"line with | vegeta attack -format=json")
		}
		if secret {
			if err := client.ObtainCredentials(c.Context(), f.Deployment); err != nil {
				return err
			}
		}
		return load.WriteTargets(c.Context(), f.Options, c.OutOrStdout(), secret)
	}
	deploymentFlag(c, &f.File, "deployment `FILE`, which must allow load")
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
