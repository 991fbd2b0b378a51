package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/store"
	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

type conformFlags struct {
	suites.Options
	format                                   string
	route                                    deployment.Route
	dryRun, complete, verbose, quiet, github bool
	failed                                   string
	since                                    *recorded.Run // the run that failed names; nil: none
	extensions                               Extensions
}

func conformCommand(extensions Extensions) *cobra.Command {
	f := conformFlags{extensions: extensions}
	c := &cobra.Command{
		Use: "conform [-d FILE]", Short: "Test a deployment against the documented rules",
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		var err error
		if f.Deployment, err = loadDeployment(f.DeploymentPath, f.route); err != nil {
			return err
		}
		if f.failed != "" {
			if err := f.selectUnresolvedRules(); err != nil {
				return err
			}
		}
		f.Version = buildVersion()
		if f.dryRun {
			return printDryRun(c.OutOrStdout(), f)
		}
		return conform(c, f)
	}
	flags := c.Flags()
	deploymentFlag(c, &f.DeploymentPath,
		"deployment `FILE`; without it the embedded reference gateway is tested")
	routeFlags(c, &f.route)
	flags.StringVar(&f.Out, "out", "",
		"`FOLDER` or bucket (URL) for the run (default reports/runs/<UTC time>-conform)")
	depthFlag(c, &f.Depth)
	selectionFlags(c, &f.Select)
	flags.StringVar(&f.failed, "failed", "",
		"run again what failed or stayed open in a recorded `RUN`, by its seed")
	flags.BoolVar(&f.dryRun, "dry-run", false,
		"list what would run and what would stay unverified; send nothing")
	flags.BoolVar(&f.complete, "complete", false, "exit with 3 when a must rule stayed unverified")
	flags.BoolVar(&f.Strict, "strict", false, "exit with 1 for warnings too: should rules that failed")
	flags.Int64Var(&f.Seed, "seed", 0, "choose the same rows and boundaries as an earlier run")
	intFlag(c, &f.InFlight, "in-flight",
		"at most `N` requests on the wire at once (default: limits.in_flight)", 1, 10_000)
	rateFlag(c, &f.Rate, "rate",
		"at most this `RATE`, such as 20/s (default: limits.requests_per_second)")
	durationFlag(c, &f.Timeout, "timeout",
		"time limit of one request, `DURATION` such as 15s (default: limits.timeout)", time.Millisecond)
	intFlag(c, &f.MaxViolations, "max-violations",
		"end the run once `N` rules are violated", 1, math.MaxInt32)
	formatFlag(c, &f.format, "text", "json", "junit", "github")
	verboseFlag(c, &f.verbose)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "only the verdict and the folder")
	githubFlag(c, &f.github)
	return c
}

func conform(c *cobra.Command, f conformFlags) error {
	stderr := c.ErrOrStderr()
	f.Command = commandLine(os.Args)
	f.Watch, f.Render = console.NewProgress(progressScreen(stderr, f.quiet)).Watch, writeReports
	if !f.quiet {
		f.OnBegin = func(o suites.RunOutlook) {
			w := terminal.NewWriter(stderr, false, terminalWidth(stderr))
			w.WriteWrapped("", terminal.ColourNone, console.OpeningLine(o))
			_ = w.Flush() // an error here does not end the run
		}
	}
	debug.SetGCPercent(200) // until the memory limit is near
	debug.SetMemoryLimit(176 << 20)
	place := f.Out
	folder, finish, err := f.extensions.Buckets.OpenRunFolder(c.Context(), place)
	if err != nil {
		return usageErrorf("--out: %w", err)
	}
	f.Out = folder
	result, err := suites.Run(c.Context(), f.Options)
	failed := finish(c.Context())
	if err != nil {
		return err
	}
	if failed != nil {
		result.Errors = append(result.Errors, failed)
	} else if store.IsBucket(place) {
		result.Folder = place
	}
	return f.printRun(c, result)
}

// printRun prints the report; with another --format that form, and the report on standard
// error.
func (f *conformFlags) printRun(c *cobra.Command, result suites.RunResult) (err error) {
	out, stderr := c.OutOrStdout(), c.ErrOrStderr()
	if f.format != "text" {
		err = writeForm(out, f.format, result)
		out = stderr
	}
	code, style := result.ExitCode(f.complete), reportStyle(out)
	style.Folder, style.Exit, style.Whole = result.Folder, exitCode(code).Error(), f.verbose
	style.Brief = f.quiet || f.format != "text"
	if f.github { // first, because the path of the folder is the last line
		err = errors.Join(err, printAnnotations(out, f.format, conformance.Annotations(result.Run),
			conformance.Markdown(result.Run)))
	}
	if result.Obstacle != nil {
		err = errors.Join(err, view.WriteText(out, console.ObstacleReport(result.Obstacle), style))
	} else {
		err = errors.Join(err, conformance.Print(out, result.Run,
			conformance.Style{Style: style, Deployment: f.DeploymentPath, Code: &code, Since: f.since}))
	}
	printErrors(stderr, result.Errors...) // last, so that the verdict does not hide it
	for _, fault := range result.HarnessErrors {
		fmt.Fprintln(stderr, "gateassay: bug in the harness: "+fault)
	}
	return exitError(code, err)
}

// writeForm writes a run as json, junit or github.
func writeForm(w io.Writer, form string, result suites.RunResult) error {
	if form == "github" {
		_, err := io.WriteString(w, conformance.Annotations(result.Run))
		return err
	}
	data, err := reports.Render(
		recorded.Run{Kind: recorded.KindConformance, Dir: result.Folder, Conformance: result.Run},
		reports.Format(form))
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// selectUnresolvedRules selects the unresolved rules of a recorded run and uses its seed.
func (f *conformFlags) selectUnresolvedRules() error {
	run, err := recorded.Open(f.failed)
	if err != nil {
		return err
	}
	open := conformance.UnresolvedRuleIDs(run.Conformance)
	if run.Kind != recorded.KindConformance || len(open) == 0 {
		return usageErrorf("--failed %s: in %s no rule failed or stayed inconclusive", f.failed,
			run.Kind.WithArticle())
	}
	if before := run.Conformance.Run; f.Deployment == nil && !before.Embedded ||
		f.Deployment != nil && before.Deployment != f.Deployment.Name {
		return usageErrorf("--failed %s: that run tested %s; name its deployment file with -d", f.failed,
			before.Deployment)
	}
	f.Select.Rules, f.since = append(f.Select.Rules, open...), &run
	f.Seed = cmp.Or(f.Seed, run.Conformance.Run.Seed)
	return nil
}

func printDryRun(out io.Writer, f conformFlags) error {
	found, err := suites.ForecastRun(f.Options)
	if err != nil {
		return err
	}
	code := exitOK
	for _, p := range found.Rules {
		if f.complete && p.MissingKey != "" && p.Rule.Level == rules.Must {
			code = exitNoVerdict
		}
	}
	err = view.WriteText(out, console.DryRun(found), listStyle(out))
	if isReaderGone(err) {
		err = nil
	}
	return exitError(code, err)
}

// commandLine returns the command that repeats the run, without --out, because that folder exists
// now.
func commandLine(args []string) string {
	line, folder := "gateassay", false
	for _, arg := range args[1:] {
		if folder || arg == "--out" || strings.HasPrefix(arg, "--out=") {
			folder = !folder && arg == "--out"
			continue
		}
		line += " " + digest.ShellQuote(arg)
	}
	return line
}

// loadDeployment reads a deployment file and applies the route; without a file it returns nil, for
// the embedded gateway, which has no route.
func loadDeployment(file string, route deployment.Route) (*deployment.File, error) {
	if file == "" {
		if route.Resolver != "" || route.ConnectTo != nil {
			return nil, usageErrorf("--connect-to and --resolver need a deployment file: add -d FILE")
		}
		return nil, nil
	}
	dep, err := deployment.Load(file)
	if err == nil {
		dep.Route = route
	}
	return dep, err
}

// openDeployment is loadDeployment, but starts the embedded reference gateway if file is empty. The
// returned function ends that gateway.
func openDeployment(ctx context.Context, file string,
	route deployment.Route,
) (*deployment.File, func(), error) {
	dep, err := loadDeployment(file, route)
	if err == nil && dep != nil && len(dep.Waivers) > 0 { // before anything is sent
		err = suites.CheckWaivedRulesExist(dep, file, suites.Catalogue())
	}
	if err != nil || dep != nil {
		return dep, func() {}, err
	}
	embedded, err := suites.StartEmbedded(ctx)
	if err != nil {
		return nil, nil, err
	}
	return embedded.Deployment, embedded.Close, nil
}
