package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

// checked defines a flag whose value is parsed as the command line is read; *to holds what it is without the flag.
func checked[T any](c *cobra.Command, to *T, name, usage, expected string, parse func(string) (T, bool)) {
	c.Flags().Func(name, usage, func(text string) error {
		v, ok := parse(text)
		if !ok {
			return errors.New("expected " + expected)
		}
		*to = v
		return nil
	})
}

// within parses numbers and durations from low to high.
func within[T cmp.Ordered](parse func(string) (T, error), low, high T) func(string) (T, bool) {
	return func(text string) (T, bool) {
		v, err := parse(text)
		return v, err == nil && v >= low && v <= high // which NaN is not
	}
}

// upTo parses a number greater than 0.
func upTo(most float64) func(string) (float64, bool) {
	return within(func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }, math.SmallestNonzeroFloat64, most)
}

// lasting parses a duration.
func lasting(low, high time.Duration) func(string) (time.Duration, bool) {
	return within(time.ParseDuration, low, high)
}

// shareFlag defines a flag that takes a share such as 5% or 0.05.
func shareFlag(c *cobra.Command, to *float64, name, usage string) {
	checked(c, to, name, usage, "a share such as 5% or 0.05", func(text string) (float64, bool) {
		number, percent := strings.CutSuffix(text, "%")
		v, err := strconv.ParseFloat(number, 64)
		if percent {
			v /= 100
		}
		return v, err == nil && v >= 0 && v <= 10
	})
}

// rateFlag defines a flag that takes a rate such as 50/s.
func rateFlag(c *cobra.Command, to *float64, name, usage string) {
	checked(c, to, name, usage, "a rate such as 50/s", func(text string) (float64, bool) {
		v, ok := plan.ParseRate(text)
		return v, ok && v > 0
	})
}

// addressFlag defines --addr, where a server listens.
func addressFlag(c *cobra.Command, to *string, standard string) {
	c.Flags().StringVar(to, "addr", standard, "listen on `HOST:PORT`; port 0 takes a free one")
}

// deploymentFlag defines --deployment, which the shell completes.
func deploymentFlag(c *cobra.Command, file *string, usage string) {
	c.Flags().StringVarP(file, "deployment", "d", "", usage)
	filesOf(c, "deployment", "yaml", "yml")
}

// routeFlags define where connections go when that is not where base_url says.
func routeFlags(c *cobra.Command, r *deployment.Route) {
	c.Flags().Func("connect-to", "connect to the second for the first, `HOST:PORT=HOST:PORT`; Host, SNI and certificates stay (repeatable)",
		r.Connect)
	c.Flags().Func("resolver", "look up names at the DNS server at `ADDRESS`, such as 10.0.0.53", r.Ask)
}

// routed has a deployment reached by the route of the flags; the embedded gateway is reached by none.
func routed(dep *deployment.File, r deployment.Route) error {
	if dep == nil && (r.Resolver != "" || r.ConnectTo != nil) {
		return misuse("--connect-to and --resolver need a deployment file: add -d FILE")
	}
	if dep != nil {
		dep.Route = r
	}
	return nil
}

// quietFlag defines --quiet.
func quietFlag(c *cobra.Command, quiet *bool, usage string) {
	c.Flags().BoolVarP(quiet, "quiet", "q", false, usage)
}

// outFlag defines --out of a command that prints what it does not write there.
func outFlag(c *cobra.Command, out *string) {
	c.Flags().StringVar(out, "out", "", "write to `FILE` instead of the terminal; the verdict is printed as well")
}

// selectionFlags define the flags that choose rules.
func selectionFlags(c *cobra.Command, s *suites.Selection) {
	flags := c.Flags()
	flags.StringArrayVar(&s.Rules, "rule", nil, "only rules with this `ID` or pattern, such as 'create.required.*' (repeatable)")
	flags.StringSliceVar(&s.Suites, "suite", nil, "only these suites: "+strings.Join(rules.Suites(), ", "))
	flags.StringSliceVar(&s.Levels, "level", nil, "only rules of these levels: must, should, observe")
	choices(c, "suite", rules.Suites()...)
	choices(c, "level", "must", "should", "observe")
	named(c, "rule", suites.Catalogue, idAndStatement)
}

// formatFlag defines --format for a command with some forms of output; the first is the one without the flag.
func formatFlag(c *cobra.Command, format *string, forms ...string) {
	*format = forms[0]
	words := strings.Join(forms, ", ")
	checked(c, format, "format", "`FORM` of the output: "+words+" (default "+forms[0]+")", "one of "+words,
		func(text string) (string, bool) { return text, slices.Contains(forms, text) })
	choices(c, "format", forms...)
}

// planFlags lets the shell complete the presets and the beginnings of thresholds of a command that has them.
func planFlags(c *cobra.Command) {
	named(c, "preset", plan.Presets, func(p plan.Preset) (string, string) {
		return p.Name, fmt.Sprintf("up to %g/s for %s", p.Rate, view.Lasted(p.Length))
	})
	var measures []string
	for _, s := range results.Statistics() {
		measures = append(measures, s.Name+"<")
	}
	measures = append(measures, string(threshold.Errors)+"<")
	for _, class := range judge.Classes() {
		measures = append(measures, class.Counted()+"<")
	}
	for _, flag := range []string{"slo", "abort-on"} {
		_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(measures, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
	}
}

// choices lets the shell complete a flag with these words.
func choices(c *cobra.Command, flag string, words ...string) {
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completing lists names for the shell, each with what it stands for. They are made when it asks.
func completing[T any](all func() []T, entry func(T) (name, statement string)) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, prefix string) (found []string, _ cobra.ShellCompDirective) {
		for _, v := range all() {
			if name, statement := entry(v); strings.HasPrefix(name, prefix) {
				found = append(found, cobra.CompletionWithDesc(name, statement))
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// named lets the shell complete a flag with names, each with what it stands for.
func named[T any](c *cobra.Command, flag string, all func() []T, entry func(T) (name, statement string)) {
	_ = c.RegisterFlagCompletionFunc(flag, completing(all, entry))
}

func idAndStatement(r rules.Rule) (string, string) { return r.ID, r.Statement }

// filesOf lets the shell complete a flag with files of some extensions.
func filesOf(c *cobra.Command, flag string, extensions ...string) {
	_ = c.MarkFlagFilename(flag, extensions...)
}
