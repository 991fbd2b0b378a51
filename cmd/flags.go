package cmd

import (
	"errors"
	"fmt"
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

// parsedFlag defines a flag with a parser. *to must hold the default, as for all flags here.
func parsedFlag[T any](c *cobra.Command, to *T, name, usage, expected string,
	parse func(text string) (T, bool),
) {
	c.Flags().Func(name, usage, func(text string) error {
		v, ok := parse(text)
		if !ok {
			return errors.New("expected " + expected)
		}
		*to = v
		return nil
	})
}

func intFlag(c *cobra.Command, to *int, name, usage string, low, high int) {
	parsedFlag(c, to, name, usage, fmt.Sprintf("a number from %d to %d", low, high),
		func(text string) (int, bool) {
			n, err := strconv.Atoi(text)
			return n, err == nil && n >= low && n <= high
		})
}

func durationFlag(c *cobra.Command, to *time.Duration, name, usage string, low time.Duration) {
	parsedFlag(c, to, name, usage, fmt.Sprintf("%s to 1h, a duration such as 15s", low),
		func(text string) (time.Duration, bool) {
			d, err := time.ParseDuration(text)
			return d, err == nil && d >= low && d <= time.Hour
		})
}

func shareFlag(c *cobra.Command, to *float64, name, usage string) {
	parsedFlag(c, to, name, usage, "a share such as 5% or 0.05", func(text string) (float64, bool) {
		number, percent := strings.CutSuffix(text, "%")
		v, err := strconv.ParseFloat(number, 64)
		if percent {
			v /= 100
		}
		return v, err == nil && v >= 0 && v <= 10
	})
}

func rateFlag(c *cobra.Command, to *float64, name, usage string) {
	parsedFlag(c, to, name, usage, "a rate such as 50/s, at most 10000000/s",
		func(text string) (float64, bool) {
			v, ok := plan.ParseRate(text)
			return v, ok && v > 0 && v <= 10_000_000
		})
}

func addressFlag(c *cobra.Command, to *string, standard string) {
	c.Flags().StringVar(to, "addr", standard, "listen on `HOST:PORT`; port 0 takes a free one")
}

func deploymentFlag(c *cobra.Command, file *string, usage string) {
	c.Flags().StringVarP(file, "deployment", "d", "", usage)
	_ = c.MarkFlagFilename("deployment", "yaml", "yml")
}

// routeFlags defines the flags for connections to an address other than base_url.
func routeFlags(c *cobra.Command, r *deployment.Route) {
	c.Flags().Func("connect-to", "connect to the second address instead of the first, "+
		"`HOST:PORT=HOST:PORT`; Host, SNI and certificates stay the same "+
		"(repeatable)", r.AddConnectTo)
	c.Flags().Func("resolver", "look up names at the DNS server at `ADDRESS`, such as 10.0.0.53",
		r.SetResolver)
}

func verboseFlag(c *cobra.Command, verbose *bool) {
	c.Flags().BoolVarP(verbose, "verbose", "v", false, "show all of what failed or stayed open")
}

// outFlag defines --out of a command that otherwise prints its result.
func outFlag(c *cobra.Command, out *string) {
	c.Flags().StringVar(out, "out", "",
		"write to `FILE` instead of the terminal; the verdict is printed as well")
}

func selectionFlags(c *cobra.Command, s *suites.Selection) {
	flags := c.Flags()
	flags.StringArrayVar(&s.Rules, "rule", nil,
		"only rules with this `ID` or pattern, such as 'create.required.*' (repeatable)")
	flags.StringSliceVar(&s.Suites, "suite", nil,
		"only these suites: "+strings.Join(rules.SuiteNames(), ", "))
	flags.StringSliceVar(&s.Levels, "level", nil, "only rules of these levels: must, should, observe")
	completeWords(c, "suite", rules.SuiteNames()...)
	completeWords(c, "level", "must", "should", "observe")
	_ = c.RegisterFlagCompletionFunc("rule", completeRules)
}

func depthFlag(c *cobra.Command, depth *string) {
	c.Flags().StringVar(depth, "depth", "",
		"how much to try: `DEPTH` "+strings.Join(deployment.Depths(), ", ")+" (default: limits.depth)")
	completeWords(c, "depth", deployment.Depths()...)
}

// formatFlag defines --format. The first form is the default.
func formatFlag(c *cobra.Command, format *string, forms ...string) {
	*format = forms[0]
	words := strings.Join(forms, ", ")
	usage := "`FORM` of the output: " + words + " (default " + forms[0] + ")"
	parsedFlag(c, format, "format", usage, "one of "+words,
		func(text string) (string, bool) { return text, slices.Contains(forms, text) })
	completeWords(c, "format", forms...)
}

func planFileFlag(c *cobra.Command, file *string, usage string) {
	c.Flags().StringVar(file, "plan", "", usage)
	_ = c.MarkFlagFilename("plan", "yaml", "yml", "json")
}

// completePlanFlags adds shell completion of presets and of the beginnings of thresholds.
func completePlanFlags(c *cobra.Command) {
	var presets, measures []string
	for _, p := range plan.Presets() {
		about := fmt.Sprintf("up to %g/s for %s", p.Rate, view.FormatDuration(p.Length))
		presets = append(presets, cobra.CompletionWithDesc(p.Name, about))
	}
	for _, s := range results.Statistics() {
		measures = append(measures, s.Name+"<")
	}
	measures = append(measures, string(threshold.CountErrors)+"<")
	for _, class := range judge.Classes() {
		measures = append(measures, class.CountName()+"<")
	}
	completeWords(c, "preset", presets...)
	goesOn := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	for _, flag := range []string{"slo", "abort-on"} {
		_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(measures, goesOn))
	}
}

func completeWords(c *cobra.Command, flag string, words ...string) {
	noFiles := cobra.ShellCompDirectiveNoFileComp
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, noFiles))
}

// completionOf returns a shell completion of names with descriptions. list is called when the
// shell asks.
func completionOf[T any](list func() []T, of func(T) (name, about string)) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
		for _, one := range list() {
			names = append(names, cobra.CompletionWithDesc(of(one)))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

var completeRules = completionOf(suites.Catalogue,
	func(r rules.Rule) (name, about string) { return r.ID, r.Statement })
