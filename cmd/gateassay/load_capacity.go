package main

import (
	"fmt"
	"io"
	"math"
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
	s := driver.Search{}
	c := &cobra.Command{
		Use:   "capacity",
		Short: "Find the highest rate that holds the thresholds",
		Long: `capacity tries rates between --from and --to, each for --step-duration: it climbs by --factor until a rate misses a
threshold, then halves the gap. A rate that missed is tried again, and so is the one that may be the answer. At least one --slo
is needed. run.json holds the rate, the interval that the capacity lies in and the latency-throughput curve; each run is kept
under probes/. Exit code 1: even the lowest rate misses a threshold; 3: no answer.`,
		Example: `  gateassay load capacity --slo 'p99<100ms' --from 50/s --to 5000/s
  gateassay load capacity -d staging.yaml --slo 'p99<300ms' \
      --slo 'errors<0.1%' --from 10/s --to 400/s --step-duration 30s --yes`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return loadCapacity(c, f, s)
		},
	}
	f.add(c, "capacity")
	rateFlag(c, &s.From, "from", "50/s", "lowest `RATE`")
	rateFlag(c, &s.To, "to", "1000/s", "highest `RATE`")
	durationFlag(c, &s.Step, "step-duration", 10*time.Second, 200*time.Millisecond, math.MaxInt64, "at least 200ms",
		"how long each rate is tried")
	durationFlag(c, &s.CoolDown, "cool-down", 2*time.Second, 0, math.MaxInt64, "a duration of 0 or more",
		"wait after each run; twice as long after one that missed")
	s.Precision, s.Factor = 0.05, 2
	shareFlag(c, &s.Precision, "precision", "5%", 1, "how close the highest rate that holds and the lowest that misses must be")
	checked(c, &s.Factor, "factor", "2", "by how much each rate of the climb exceeds the last", "more than 1 and at most 100",
		within(decimal, 1+1e-9, 100))
	flags := c.Flags()
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
