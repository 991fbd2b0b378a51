// Command gateassay tests deployments of the payments gateway API against its document, and drives load on them.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites"
)

// Exit codes, fixed by the contract with scripts and release gates.
const (
	exitOK      = 0
	exitUsage   = 2
	exitHarness = 4
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := rootCommand().ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var code exitCode
	if errors.As(err, &code) {
		return int(code)
	}
	fmt.Fprintln(os.Stderr, "gateassay: "+err.Error())
	return classify(err)
}

// exitCode ends the process with a code; everything was said already.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// usageError is a command line that cannot be carried out.
type usageError struct{ error }

func classify(err error) int {
	var command usageError
	var request *suites.UsageError
	var file *deployment.Problems
	if errors.As(err, &command) || errors.As(err, &request) || errors.As(err, &file) {
		return exitUsage
	}
	return exitHarness
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "gateassay",
		Short: "Test a payments gateway deployment against its documented rules",
		Long: `gateassay tests a deployment of the payments gateway API against every rule of its document.

Without a deployment file it starts an embedded reference gateway and tests that, so

  gateassay conform

works as it is. For a deployment of your own:

  gateassay deployment init --out staging.yaml    # a commented template to fill in
  gateassay doctor -d staging.yaml                # can it be tested, and what would stay unverified?
  gateassay conform -d staging.yaml               # the verdict

Exit codes: 0 no rule violated, 1 a rule violated, 2 wrong usage or deployment file, 3 no verdict,
4 the harness itself failed, 130 interrupted.`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Args:                       cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			text := fmt.Sprintf("there is no command %q", args[0])
			if near := c.SuggestionsFor(args[0]); len(near) > 0 {
				text += "; did you mean " + strings.Join(near, " or ") + "?"
			}
			return usageError{errors.New(text + " (gateassay --help lists the commands)")}
		},
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w (%s --help explains its flags)", err, c.CommandPath())}
	})
	root.AddCommand(conformCommand(), doctorCommand(), rulesCommand(), deploymentCommand(), serveCommand(), proveCommand(), loadCommand(), reportCommand(), versionCommand())
	for _, c := range root.Commands() {
		strict(c)
	}
	return root
}

// strict turns surplus arguments and unknown subcommands into usage errors, at every depth.
func strict(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usageError{fmt.Errorf("%w (%s --help explains)", err, c.CommandPath())}
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		strict(sub)
	}
}
