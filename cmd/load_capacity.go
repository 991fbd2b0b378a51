package cmd

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/store"
	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/plot"
)

func loadCapacityCommand() *cobra.Command {
	var f loadFlags
	s := load.CapacitySearch{
		From: 50, To: 1000, Step: 10 * time.Second, CoolDown: 2 * time.Second, Precision: 0.05,
	}
	c := &cobra.Command{Use: "capacity", Short: "Find the highest rate that holds the thresholds"}
	c.RunE = func(c *cobra.Command, _ []string) error { return loadCapacity(c, &f, s) }
	f.add(c, "capacity")
	rateFlag(c, &s.From, "from", "lowest `RATE` (default 50/s)")
	rateFlag(c, &s.To, "to", "highest `RATE` (default 1000/s)")
	durationFlag(c, &s.Step, "step-duration", "`DURATION` for which each rate is tried (default 10s)",
		200*time.Millisecond)
	durationFlag(c, &s.CoolDown, "cool-down", "`DURATION` to wait after each run; twice as long "+
		"after one that missed (default 2s)", 0)
	shareFlag(c, &s.Precision, "precision", "how close, as a `SHARE`, the highest rate that holds "+
		"and the lowest that misses must be (default 5%)")
	all := pflag.NewFlagSet("plan", pflag.ContinueOnError)
	plan.AddFlags(all)
	all.VisitAll(func(flag *pflag.Flag) {
		// the search determines the schedule
		if !slices.Contains([]string{"preset", "rate", "duration", "stage"}, flag.Name) {
			c.Flags().AddFlag(flag)
		}
	})
	completePlanFlags(c)
	return c
}

func loadCapacity(c *cobra.Command, f *loadFlags, s load.CapacitySearch) error {
	if store.IsBucket(f.Out) {
		return usageErrorf("--out: expected a folder, found %s; a search cannot be written to a bucket",
			f.Out)
	}
	done, err := f.open(c)
	if err != nil {
		return err
	}
	defer done()
	s.Options = f.Options
	s.OnProbe = func(r capacity.Probe) { f.printProbe(c.ErrOrStderr(), r) }
	if err := f.confirmAndSignIn(c,
		fmt.Sprintf("up to %s in steps of %s", printable.Rate(s.To), s.Step)); err != nil {
		return err
	}
	result, folder, err := load.FindCapacity(c.Context(), s)
	if err != nil {
		return err
	}
	return printResult(c, f.obstacle, folder, result.ExitCode(), loadreport.SearchReport(result))
}

func (f *loadFlags) printProbe(w io.Writer, r capacity.Probe) {
	if f.quiet {
		return
	}
	word := r.Outcome.Word()
	if !r.Outcome.Holds {
		word += ": " + r.Outcome.Reason
	}
	p99 := float64(r.Outcome.P99) / float64(time.Millisecond)
	fmt.Fprintf(w, "%s  p99 %s  %s\n", printable.Rate(r.Rate), plot.UnitMilliseconds.FormatValue(p99),
		word)
}
