// Command gateassay tests deployments of the payments gateway API against its document, and drives load on them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/redact"
	"github.com/gateassay/gateassay/gateway/strictyaml"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/spec"
)

// Exit codes, fixed by the contract with scripts and release gates.
const (
	exitOK      = 0
	exitUsage   = 2
	exitVerdict = 3 // none could be reached
	exitHarness = 4
	exitStopped = 130
)

// patience is how long an interrupted command may take to write what it found before another signal kills it.
const patience = 3 * time.Second

func main() { os.Exit(run()) }

func run() int {
	interrupts := make(chan os.Signal, 1)
	// What reads our output may end before us: the files of the run are written all the same.
	signal.Ignore(syscall.SIGPIPE)
	signal.Notify(interrupts, endings()...)
	log.SetOutput(libraryLog{os.Stderr})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-interrupts
		cancel()
		time.Sleep(patience) // whatever is stuck then, such as a read that nobody answers, a second signal ends
		signal.Reset(endings()...)
	}()
	err := rootCommand().ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var code exitCode
	if errors.As(err, &code) {
		return int(code)
	}
	fmt.Fprintln(os.Stderr, "gateassay: "+said(err.Error(), os.Args[1:]))
	return classify(err)
}

// said is a message fit to be shown. It may name a file of a stranger, whose name is one line, whatever it holds.
func said(message string, args []string) string {
	for _, arg := range args {
		if strings.Contains(arg, "\n") {
			message = strings.ReplaceAll(message, arg, printable.Clean(arg))
		}
	}
	return printable.CleanLines(message)
}

// libraryLog takes what libraries log. They quote what a peer sent, which may be a credential of ours: what is quoted
// is left out.
type libraryLog struct{ to io.Writer }

func (l libraryLog) Write(p []byte) (int, error) {
	clean := redact.New(&deployment.File{}).Text(redact.Unquoted(string(p)))
	_, err := io.WriteString(l.to, clean)
	return len(p), err
}

// endings are the signals that end a command: what it found so far is written. One that the caller had ignored, as
// nohup does, stays so.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// exitCode ends the process with a code; everything was said already.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// ending ends a command with a code.
func ending(code int) error {
	if code == exitOK {
		return nil
	}
	return exitCode(code)
}

// unprinted is the end of a command whose result, which is in its files, could not be printed: a failure, unless it was
// interrupted. Then its terminal may be what is gone, and nobody waits for the result.
func unprinted(err error, code int) error {
	if code == exitStopped {
		return ending(code)
	}
	return err
}

func classify(err error) int {
	var command usageError
	var request *suites.UsageError
	var file *strictyaml.Problems
	if errors.As(err, &command) || errors.As(err, &request) || errors.As(err, &file) {
		return exitUsage
	}
	if errors.Is(err, spec.Interrupted) {
		return exitStopped
	}
	var credential *client.CredentialError
	if errors.As(err, &credential) {
		return exitVerdict
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

  gateassay deployment init --out staging.yaml  # a file to fill in
  gateassay doctor -d staging.yaml              # can it be tested?
  gateassay conform -d staging.yaml             # the verdict

Exit codes: 0 no must or security rule violated (warnings are listed) and no threshold missed, 1 such a rule violated
or a threshold missed, 2 wrong usage or deployment file, 3 no verdict, 4 the harness itself failed, 130 interrupted.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(wrongFlag)
	root.AddCommand(conformCommand(), doctorCommand(), rulesCommand(), deploymentCommand(), serveCommand(),
		proveCommand(), loadCommand(), reportCommand(), manCommand(), versionCommand())
	root.InitDefaultCompletionCmd()
	strict(root)
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		strictHelp(help)
	}
	helpFits(root)
	return root
}
