// Package cmd implements the gateassay command, which tests deployments of the payments gateway
// API against its document and puts load on them.
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
	"github.com/gateassay/gateassay/internal/store"
	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/metrics"
	"github.com/gateassay/gateassay/suites"
)

// Exit codes. Scripts and release gates rely on them.
const (
	exitOK            = 0
	exitViolation     = 1
	exitUsage         = 2
	exitNoVerdict     = 3 // no verdict was reached
	exitHarnessFailed = 4
	exitInterrupted   = 130
)

// interruptGrace is how long an interrupted command may write its files before another signal
// kills it.
const interruptGrace = 3 * time.Second

// Extensions are optional parts of a build.
type Extensions struct {
	Buckets  store.Buckets       // opens buckets for runs; nil: no support
	Exporter metrics.NewExporter // sends metrics to collectors; nil: no support
}

// Run runs the command line of the process and returns its exit code.
func Run(extensions Extensions) int {
	log.SetOutput(io.Discard) // libraries log data of peers, which may contain our credentials
	// The reader of our output may end first: the files of the run are still written.
	signal.Ignore(syscall.SIGPIPE)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
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

// exitCode is an error that ends the process with a code and without a message.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// exitError returns the error for the exit code of a command that printed its result. A printing
// error is a failure, unless the command was interrupted: its terminal may be gone.
func exitError(code int, printing error) error {
	switch {
	case printing != nil && code != exitInterrupted:
		// not wrapped, so that the exit code is that of a failure
		return fmt.Errorf("the result could not be printed: %s", printing.Error())
	case code == exitOK:
		return nil
	}
	return exitCode(code)
}

// isReaderGone reports whether the reader of standard output has closed it, as head does.
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
		versionCommand())
	root.InitDefaultCompletionCmd()
	eachCommand(root, setHelpTexts)
	eachCommand(root, enforceArguments)
	return root
}

// printErrors prints the errors that are not nil.
func printErrors(w io.Writer, errs ...error) {
	for _, err := range errs {
		if err != nil {
			fmt.Fprintln(w, "gateassay: "+printable.CleanLines(err.Error()))
		}
	}
}
