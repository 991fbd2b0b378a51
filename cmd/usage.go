package cmd

import (
	"embed"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gateassay/gateassay/internal/suggest"
)

// helpTexts are what each command is explained with, by its name.
//
//go:embed help
var helpTexts embed.FS

// eachCommand calls visit for a command and all its subcommands.
func eachCommand(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		eachCommand(sub, visit)
	}
}

// setHelpTexts sets the long text and the examples of a command.
func setHelpTexts(c *cobra.Command) {
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	if text, err := helpTexts.ReadFile("help/" + name + ".txt"); err == nil {
		long, examples, _ := strings.Cut(string(text), "\nExamples:\n")
		c.Long, c.Example = strings.TrimSpace(long), strings.TrimRight(examples, "\n")
	}
}

// usageError is an error in the command line.
type usageError struct{ error }

func usageErrorf(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// enforceArguments makes surplus or missing arguments and unknown commands usage errors, and lists
// flags in the order of their definition. A command takes no arguments unless it declares them; a
// command with subcommands only shows its help when it is called alone.
func enforceArguments(c *cobra.Command) {
	c.Flags().SortFlags = false
	c.DisableFlagsInUseLine = true
	check := c.Args
	if check == nil {
		check = cobra.NoArgs
	}
	if c.HasSubCommands() && !c.Runnable() { // report gate is runnable and has the subcommand init
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if check(c, args) == nil {
			return refuseEmptyFlags(c)
		}
		var names []string
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		hint := "usage: " + c.UseLine()
		if near := suggest.NearestWords(strings.Join(args, " "), names); len(near) > 0 {
			hint = "did you mean " + strings.Join(near, " or ") + "?"
		}
		return usageErrorf("%w; %s", check(c, args), hint)
	}
}

// refuseEmptyFlags returns an error for a flag with an empty value, for example from an unset
// variable. Otherwise the embedded gateway would replace the intended deployment, or all suites
// the selected one.
func refuseEmptyFlags(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if text := f.Value.String(); err == nil && f.Value.Type() != "func" &&
			(text == "" || text == "[]") {
			err = usageErrorf("--%s: expected a value, found nothing; is a variable not set?", f.Name)
		}
	})
	return err
}

func flagUsageError(c *cobra.Command, err error) error {
	hint := c.CommandPath() + " --help explains its flags"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := suggest.NearestWord(unknown.GetSpecifiedName(), names); near != "" {
			hint = "did you mean --" + near + "?"
		}
	}
	return usageErrorf("%w; %s", err, hint)
}
