package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/annotations"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

func conformCommand() *cobra.Command {
	var (
		file                      string
		o                         suites.Options
		dryRun, complete, verbose bool
		quiet, github             bool
	)
	c := &cobra.Command{
		Use:   "conform",
		Short: "Test a deployment against the documented rules",
		Long: `conform sends the requests that the selected rules need, judges the answers, and writes one folder:
report.html, run.json, junit.xml, summary.md, exchanges.har and journal.ndjson.

Without --deployment it starts the embedded reference gateway and tests that.
Every request keeps to the limits of the deployment file; --in-flight, --rate and --timeout override them for one run.`,
		Example: `  gateassay conform
  gateassay conform -d staging.yaml
  gateassay conform -d staging.yaml --rule 'export.range.*' --rule replay.late
  gateassay conform -d staging.yaml --suite create --level must
  gateassay conform -d staging.yaml --dry-run   # lists what would run
  gateassay conform -d staging.yaml --complete  # exit 3: unverified must rules
  gateassay conform -d staging.yaml --strict    # exit 1 for warnings too`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if file != "" {
				dep, err := deployment.Load(file)
				if err != nil {
					return err
				}
				o.Deployment, o.DeploymentPath = dep, file
			}
			o.Version = version()
			if dryRun {
				return preview(c.OutOrStdout(), o, complete)
			}
			o.Command = commandLine(os.Args)
			stderr := c.ErrOrStderr()
			o.Watch, o.Render = console.NewProgress(screen(stderr, quiet)).Watch, derived.Files
			boundMemory()
			result, err := suites.Run(c.Context(), o)
			if err != nil {
				return err
			}
			stdout, code := c.OutOrStdout(), result.ExitCode(complete)
			style := styleOf(stdout)
			style.Folder, style.Exit, style.Whole = result.Folder, fmt.Sprintf("exit code %d", code), verbose
			if github { // first: the path of the folder is the last line
				fmt.Fprint(stdout, annotations.GitHub(result.Run))
			}
			if result.Obstacle != nil {
				err = view.WriteText(stdout, console.Obstructed(result.Obstacle), style)
			} else {
				err = conformance.Print(stdout, result.Run, conformance.Style{
					Style: style, Deployment: file, Code: &code,
				})
			}
			complain(stderr, result.Errors...) // last: a verdict above would hide that it was not kept
			for _, fault := range result.Faults {
				fmt.Fprintln(stderr, "gateassay: bug in the harness: "+fault)
			}
			if err != nil {
				return unprinted(fmt.Errorf("the report could not be printed: %w", err), code)
			}
			return ending(code)
		},
	}
	flags := c.Flags()
	deploymentFlag(c, &file, "deployment `FILE`; without it the embedded reference gateway is tested")
	flags.StringVar(&o.Out, "out", "", "`FOLDER` for the run (default reports/runs/<UTC time>-conform)")
	selectionFlags(c, &o.Select)
	flags.BoolVar(&dryRun, "dry-run", false, "list what would run and what would stay unverified; send nothing")
	flags.BoolVar(&complete, "complete", false, "exit with 3 when a must rule stayed unverified")
	flags.BoolVar(&o.Strict, "strict", false, "exit with 1 for warnings too: should rules that failed")
	flags.Int64Var(&o.Seed, "seed", 0, "choose the same rows and boundaries as an earlier run")
	checked(c, &o.InFlight, "in-flight", "", "at most `N` requests on the wire at once (default: limits.in_flight)",
		"1 to 10000", within(strconv.Atoi, 1, 10_000))
	checked(c, &o.Rate, "rate", "", "at most `N` requests per second (default: limits.requests_per_second)",
		"a number greater than 0 and at most 1000000", within(decimal, math.SmallestNonzeroFloat64, 1_000_000))
	durationFlag(c, &o.Timeout, "timeout", 0, time.Millisecond, time.Hour, "1ms to 1h, a duration such as 15s",
		"time limit of one request, such as 15s (default: limits.timeout)")
	flags.BoolVarP(&verbose, "verbose", "v", false, "shorten nothing, and list passed rules too")
	flags.BoolVar(&github, "github", false, "print workflow annotations for GitHub before the report")
	quietFlag(c, &quiet)
	return c
}

// boundMemory has memory collected when two thirds of it are unused, and earlier as it comes to be much, unless GOGC
// and GOMEMLIMIT say otherwise.
func boundMemory() {
	const percent, soft = 200, 176 << 20
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(soft)
	}
}

// preview prints the dry run.
func preview(out io.Writer, o suites.Options, complete bool) error {
	plans, err := suites.Preview(o)
	if err != nil {
		return err
	}
	if err := console.DryRun(out, plans); err != nil {
		return fmt.Errorf("the list could not be printed: %w", err)
	}
	open := func(p suites.RulePlan) bool { return p.Need != "" && p.Rule.Level == rules.Must }
	if complete && slices.ContainsFunc(plans, open) {
		return exitCode(exitVerdict)
	}
	return nil
}

// commandLine is the command that repeats the run, quoted for a shell. It leaves out --out, whose folder now holds a
// run.
func commandLine(args []string) string {
	line, folder := "gateassay", false
	for _, arg := range args[1:] {
		if folder || arg == "--out" || strings.HasPrefix(arg, "--out=") {
			folder = !folder && arg == "--out"
			continue
		}
		line += " " + digest.Quote(arg)
	}
	return line
}

// openDeployment reads a deployment file, or starts the embedded reference gateway where none is named. What it returns
// last ends that gateway.
func openDeployment(ctx context.Context, file string) (*deployment.File, func(), error) {
	if file != "" {
		dep, err := deployment.Load(file)
		if err == nil && len(dep.Waivers) > 0 { // before anything is sent, also by what judges no rule
			err = suites.CheckWaivers(file, dep, suites.Catalogue())
		}
		return dep, func() {}, err
	}
	embedded, err := suites.StartEmbedded(ctx)
	if err != nil {
		return nil, nil, err
	}
	return embedded.Deployment, embedded.Close, nil
}
