package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/suites"
)

// parsed is a flag whose value is checked as the command line is read.
type parsed[T any] struct {
	to       *T
	text     string
	expected string
	parse    func(string) (T, bool)
}

func (p *parsed[T]) String() string { return p.text }
func (p *parsed[T]) Type() string   { return "value" }

func (p *parsed[T]) Set(text string) error {
	v, ok := p.parse(text)
	if !ok {
		return errors.New("expected " + p.expected)
	}
	*p.to, p.text = v, text
	return nil
}

// checked defines a flag that takes what parse takes; standard is its text without the flag, and *to holds its value.
func checked[T any](c *cobra.Command, to *T, name, standard, usage, expected string, parse func(string) (T, bool)) {
	c.Flags().Var(&parsed[T]{to, standard, expected, parse}, name, usage)
}

// within parses numbers and durations from low to high.
func within[T cmp.Ordered](parse func(string) (T, error), low, high T) func(string) (T, bool) {
	return func(text string) (T, bool) {
		v, err := parse(text)
		return v, err == nil && v >= low && v <= high // which NaN is not
	}
}

func decimal(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// shareFlag defines a flag that takes a share such as 5% or 0.05, at most so much.
func shareFlag(c *cobra.Command, to *float64, name, standard string, most float64, usage string) {
	checked(c, to, name, standard, usage, "a share such as 5% or 0.05", func(text string) (float64, bool) {
		number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
		v, err := decimal(strings.TrimSpace(number))
		if percent {
			v /= 100
		}
		return v, err == nil && v >= 0 && v <= most
	})
}

// rateFlag defines a flag that takes a rate such as 50/s.
func rateFlag(c *cobra.Command, to *float64, name, standard, usage string) {
	*to, _ = plan.ParseRate(standard)
	checked(c, to, name, standard, usage, "a rate such as "+standard, func(text string) (float64, bool) {
		v, ok := plan.ParseRate(text)
		return v, ok && v > 0
	})
}

// durationFlag defines a flag that takes a duration from low to high; 0 stands for none.
func durationFlag(c *cobra.Command, to *time.Duration, name string, standard, low, high time.Duration, expected, usage string) {
	text := ""
	if *to = standard; standard > 0 {
		text = standard.String()
	}
	checked(c, to, name, text, usage, expected, within(time.ParseDuration, low, high))
}

// addressFlag defines --addr, where a server listens.
func addressFlag(c *cobra.Command, to *string, standard string) {
	*to = standard
	checked(c, to, "addr", standard, "listen on `HOST:PORT`; port 0 takes a free one", "HOST:PORT, such as "+standard,
		func(text string) (string, bool) {
			_, _, err := net.SplitHostPort(text)
			return text, err == nil
		})
}

// deploymentFlag defines --deployment, which the shell completes.
func deploymentFlag(c *cobra.Command, file *string, usage string) {
	c.Flags().StringVarP(file, "deployment", "d", "", usage)
	filesOf(c, "deployment", "yaml", "yml")
}

// quietFlag defines --quiet, which leaves out how far a run is.
func quietFlag(c *cobra.Command, quiet *bool) {
	c.Flags().BoolVarP(quiet, "quiet", "q", false, "no progress, only the result")
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
	checked(c, format, "format", forms[0], "`FORM` of the output: "+words, "one of "+words, func(text string) (string, bool) {
		return text, slices.Contains(forms, text)
	})
	choices(c, "format", forms...)
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
	if err := c.MarkFlagFilename(flag, extensions...); err != nil {
		panic(fmt.Errorf("a programming error: %w", err)) // a flag that does not exist
	}
}
