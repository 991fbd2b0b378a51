// Package cmd is the command gateassay: it tests deployments of the payments gateway API against
// its document, and drives load on them.
package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/metrics"
	"github.com/gateassay/gateassay/load/store"
	"github.com/gateassay/gateassay/suites"
)

// Exit codes, fixed by the contract with scripts and release gates.
const (
	exitOK            = 0
	exitViolation     = 1
	exitUsage         = 2
	exitNoVerdict     = 3 // none could be reached
	exitHarnessFailed = 4
	exitInterrupted   = 130
)

// interruptGrace is how long an interrupted command may write before another signal kills it.
const interruptGrace = 3 * time.Second

// Extensions are what a build has or lacks.
type Extensions struct {
	Buckets  store.Buckets       // opens buckets to keep runs in; nil: there are none
	Exporter metrics.NewExporter // sends metrics to collectors; nil: there is none
}

// Run carries out the command line of the process and returns its exit code.
func Run(extensions Extensions) int {
	log.SetOutput(io.Discard) // libraries log what a peer sent, which may be a credential of ours
	// What reads our output may end before us: the files of the run are written all the same.
	signal.Ignore(syscall.SIGPIPE)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, reset := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, func() { time.Sleep(interruptGrace); reset() })
	err := rootCommand(extensions).ExecuteContext(ctx)
	var code exitCode
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case isReaderGone(err):
		return exitOK
	}
	printErrors(os.Stderr, err)
	if ctx.Err() != nil {
		return exitInterrupted
	}
	return exitCodeOf(err)
}

// exitCode ends the process with a code; everything was said already.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// exitError ends a command whose result was printed. One that could not be printed is a failure,
// unless the command was interrupted: perhaps because its terminal is gone.
func exitError(code int, printing error) error {
	switch {
	case printing != nil && code != exitInterrupted:
		// not wrapped: a verdict that nobody read is a failure
		return fmt.Errorf("the result could not be printed: %s", printing.Error())
	case code == exitOK:
		return nil
	}
	return exitCode(code)
}

// isReaderGone reports that what reads a list had enough of it, as head does.
func isReaderGone(err error) bool {
	path, is := errors.AsType[*fs.PathError](err)
	return is && path.Path == os.Stdout.Name() && errors.Is(path, syscall.EPIPE)
}

func exitCodeOf(err error) int {
	switch {
	case errors.As(err, new(usageError)), errors.As(err, new(*suites.UsageError)),
		errors.As(err, new(*load.UsageError)),
		errors.As(err, new(*strictyaml.Problems)):
		return exitUsage
	case errors.As(err, new(*client.CredentialError)):
		return exitNoVerdict
	}
	return exitHarnessFailed
}

func rootCommand(extensions Extensions) *cobra.Command {
	root := &cobra.Command{
		Use: "gateassay", Short: "Test a payments gateway deployment against its documented rules",
		SilenceErrors: true, SilenceUsage: true,
	}
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages | ",
		".FlagUsagesWrapped 100 | "))
	root.SetFlagErrorFunc(flagUsageError)
	root.AddCommand(conformCommand(extensions), doctorCommand(), rulesCommand(), deploymentCommand(),
		serveCommand(), proveCommand(), loadCommand(extensions), kubernetesCommand(), reportCommand(),
		manCommand(), versionCommand())
	root.InitDefaultCompletionCmd()
	eachCommand(root, setHelpTexts)
	eachCommand(root, enforceArguments)
	return root
}

// printErrors prints errors, but for those that are nil.
func printErrors(w io.Writer, errs ...error) {
	for _, err := range errs {
		if err != nil {
			fmt.Fprintln(w, "gateassay: "+printable.CleanLines(err.Error()))
		}
	}
}
