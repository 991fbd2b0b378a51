package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gateassay/gateassay/gateway/meant"
)

// usageError is a command line that cannot be carried out.
type usageError struct{ error }

// misuse is such an error in words.
func misuse(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// strict makes usage errors of surplus and missing arguments and of unknown commands, at every depth, and lists flags
// in the order of their definition. A command that only holds others shows its help when it is called alone.
func strict(c *cobra.Command) {
	c.Flags().SortFlags = false
	check, holds := c.Args, c.HasSubCommands() && !c.Runnable() // report gate both runs and holds init
	if holds {
		check = nil
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case holds && len(args) > 0:
			return unknownCommand(c, args[0])
		case check != nil && check(c, args) != nil:
			return wrongArguments(c, args)
		}
		return nothingNamed(c)
	}
	for _, sub := range c.Commands() {
		strict(sub)
	}
}

// nothingNamed refuses a flag that was given without a value, as by a variable that is not set: the embedded gateway
// must not pass in place of the deployment that was meant, nor every suite in place of one.
func nothingNamed(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if err != nil || f.Value.String() != "" && f.Value.String() != "[]" {
			return
		}
		expected := "a value"
		if kind, _ := pflag.UnquoteUsage(f); kind == "FILE" || kind == "DIR" || kind == "FOLDER" {
			expected = "the name of a file or folder"
		}
		err = misuse("--%s: expected %s, found nothing", f.Name, expected)
	})
	return err
}

// strictHelp refuses to explain what does not exist.
func strictHelp(help *cobra.Command) {
	help.Args = func(c *cobra.Command, args []string) error {
		if found, rest, _ := c.Root().Find(args); found != nil && found.HasSubCommands() && len(rest) > 0 {
			return unknownCommand(found, rest[0])
		}
		return nil
	}
}

func unknownCommand(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	text := fmt.Sprintf("there is no command %q", strings.TrimSpace(spoken(c)+" "+name))
	if near := meant.Near(name, names); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return misuse("%s (%s --help lists the commands)", text, c.CommandPath())
}

func wrongArguments(c *cobra.Command, args []string) error {
	expected, found := "no argument", "none"
	if _, names, some := strings.Cut(c.Use, " "); some {
		expected = names
	}
	if len(args) > 0 {
		found = strings.Join(args, " ")
	}
	if file := args; len(file) == 1 && c.Flags().Lookup("deployment") != nil && expected == "no argument" {
		for _, ending := range []string{".yaml", ".yml"} {
			if strings.HasSuffix(file[0], ending) {
				return misuse("%s: expected no argument, found %s; did you mean -d %s?", spoken(c), found, found)
			}
		}
	}
	return misuse("%s: expected %s, found %s (%s --help explains)", spoken(c), expected, found, c.CommandPath())
}

// spoken is the name of a command below gateassay.
func spoken(c *cobra.Command) string {
	return strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), c.Root().Name()), " ")
}

// wrongFlag says what is wrong with a flag in words for people, not for programmers.
func wrongFlag(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	text := err.Error()
	switch {
	case errors.As(err, &value):
		flag := value.GetFlag()
		reason := kinds[flag.Value.Type()]
		if reason == "" {
			reason = value.Unwrap().Error()
		}
		return misuse("--%s: %s, found %q", flag.Name, reason, value.GetValue())
	case errors.As(err, &unknown):
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := meant.One(unknown.GetSpecifiedName(), names); near != "" {
			text += "; did you mean --" + near + "?"
		}
	}
	return misuse("%s (%s --help explains its flags)", text, c.CommandPath())
}

// kinds say what flags of a type take.
var kinds = map[string]string{
	"int": "expected a whole number", "int64": "expected a whole number", "uint64": "expected a whole number from 0",
	"float64": "expected a number", "duration": "expected a duration such as 15s or 2m", "bool": "expected true or false",
}
