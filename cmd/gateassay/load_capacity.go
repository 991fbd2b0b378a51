package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/driver"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/store"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/suites/doctor"
)

func loadCapacityCommand() *cobra.Command {
	var f loadFlags
	var from, to, precision string
	s := driver.Search{}
	c := &cobra.Command{
		Use:   "capacity",
		Short: "Find the highest rate that holds the thresholds",
		Long: `capacity tries rates between --from and --to, each for --step-duration: it climbs by --factor until a
rate misses a threshold, then halves the gap. A rate that missed is tried again, and so is the one that may be the
answer; between runs the deployment cools down. It ends early when the deployment stops answering. At least one --slo
is needed; errors<1% applies as well unless one of them is on errors.

run.json holds the rate, how often it held, the interval that the capacity lies in, the latency-throughput curve and
where it bends; each run is kept under probes/. Exit code 1: even the lowest rate misses a threshold; 3: no answer.`,
		Example: `  gateassay load capacity --slo 'p99<100ms' --from 50/s --to 5000/s
  gateassay load capacity -d staging.yaml --slo 'p99<300ms' \
      --slo 'errors<0.1%' --from 10/s --to 400/s --step-duration 30s --yes`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var ok bool
			if s.From, ok = plan.ParseRate(from); !ok || s.From <= 0 {
				return misuse("--from: expected a rate such as 50/s, found %q", from)
			}
			if s.To, ok = plan.ParseRate(to); !ok || s.To <= 0 {
				return misuse("--to: expected a rate such as 5000/s, found %q", to)
			}
			if s.Precision, ok = plan.ParseShare(precision); !ok || s.Precision <= 0 {
				return misuse("--precision: expected a share such as 5%%, found %q", precision)
			}
			switch {
			case s.Step < 200*time.Millisecond:
				return misuse("--step-duration: expected at least 200ms, found %s", s.Step)
			case !(s.Factor > 1 && s.Factor <= 100):
				return misuse("--factor: expected more than 1 and at most 100, found %g", s.Factor)
			case s.CoolDown < 0:
				return misuse("--cool-down: expected a duration of 0 or more, found %s", s.CoolDown)
			}
			return loadCapacity(c, f, s)
		},
	}
	f.add(c, "capacity")
	flags := c.Flags()
	flags.StringVar(&from, "from", "50/s", "lowest `RATE`")
	flags.StringVar(&to, "to", "1000/s", "highest `RATE`")
	flags.DurationVar(&s.Step, "step-duration", 10*time.Second, "how long each rate is tried")
	flags.DurationVar(&s.CoolDown, "cool-down", 2*time.Second,
		"wait after each run; twice as long after one that missed")
	flags.StringVar(&precision, "precision", "5%",
		"how close the highest rate that holds and the lowest that misses must be")
	flags.Float64Var(&s.Factor, "factor", 2, "by how much each rate of the climb exceeds the last")
	plan.AddFlags(flags)
	for _, name := range unscheduled {
		_ = flags.MarkHidden(name)
	}
	return c
}

// unscheduled are flags of a plan that make no sense where the search makes the schedule.
var unscheduled = []string{"preset", "rate", "duration", "stage"}

func loadCapacity(c *cobra.Command, f loadFlags, s driver.Search) error {
	for _, name := range unscheduled {
		if c.Flags().Changed(name) {
			return misuse("--%s: the search chooses rates itself; give --from, --to and --step-duration", name)
		}
	}
	if store.IsBucket(f.out) {
		return misuse("--out: expected a folder, found %s; a search cannot be written to a bucket", f.out)
	}
	p, err := f.read(c)
	if err != nil {
		return err
	}
	o, done, err := f.options(c, p)
	if err != nil {
		return err
	}
	defer done()
	s.Options = o
	s.OnRun = func(r capacity.Run) { f.probed(c.ErrOrStderr(), r) }
	if err := f.confirm(c, o.Deployment, fmt.Sprintf("up to %.6g/s in steps of %s", s.To, s.Step)); err != nil {
		return err
	}
	var obstacle *doctor.Obstacle
	s.Explain = explain(o, &obstacle)
	result, folder, err := driver.Find(c.Context(), s)
	if err != nil {
		return refusal(err)
	}
	report := loadreport.Search(result)
	if err := printResult(c, obstacle, folder, result.ExitCode(), report); err != nil {
		return err
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
