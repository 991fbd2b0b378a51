package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/runfolder"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr         string
	seed         int64
	variant      string
	faults       []string
	listFaults   bool
	listVariants bool
	data         string
	deployment   string
	quotes       int
}

func serveCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the reference gateway",
		Long: `serve runs the reference gateway: the whole API, with test credentials and fixtures that it prints. The same --seed always
gives the same fixtures, API key and quotes. It remembers at least the newest 100,000 accepted exports, files and representatives,
and forgets everything when it ends, unless --data names a folder.

--variant makes it look unlike the default in ways that the API document allows; --fault breaks a rule.`,
		Example: `  gateassay serve --deployment-out local.yaml
  gateassay conform -d local.yaml
  gateassay serve --variant flat --fault export.range.end_inclusive`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return serve(c, f) },
	}
	flags := c.Flags()
	addressFlag(c, &f.addr, "127.0.0.1:8080")
	flags.Int64Var(&f.seed, "seed", 1, "decides fixtures, API key and quotes")
	flags.StringVar(&f.variant, "variant", "", "look like this variant (--list-variants)")
	flags.StringArrayVar(&f.faults, "fault", nil, "switch this fault on, repeatable (--list-faults)")
	flags.BoolVar(&f.listFaults, "list-faults", false, "list the faults with the rule that each breaks, and end")
	flags.BoolVar(&f.listVariants, "list-variants", false, "list the variants, and end")
	flags.StringVar(&f.data, "data", "", "keep representatives, files and replay memory in `DIR`, over restarts")
	checked(c, &f.quotes, "quotes", "", "have about `N` quotes in the window, up to 100,000 (default: a few that show everything)",
		fmt.Sprintf("0 to %d", reference.MostQuotes), within(strconv.Atoi, 0, reference.MostQuotes))
	flags.StringVar(&f.deployment, "deployment-out", "",
		"write a deployment file for this gateway to `FILE`; one that serve did not write is left alone")
	named(c, "variant", reference.Variants, func(v reference.Variant) (string, string) { return v.Name, v.Description })
	named(c, "fault", everyFault, func(f reference.Fault) (string, string) { return f.Name, f.Statement })
	return c
}

func everyFault() []reference.Fault { return slices.Concat(reference.Faults(), reference.Pairs()) }

func serve(c *cobra.Command, f serveFlags) error {
	out := c.OutOrStdout()
	switch {
	case f.listFaults:
		for _, fault := range everyFault() {
			fmt.Fprintf(out, "%-56s %-48s %s\n", fault.Name, fault.Rule, fault.Statement)
		}
		return nil
	case f.listVariants:
		for _, v := range reference.Variants() {
			fmt.Fprintf(out, "%-23s %s\n", v.Name, v.Description)
		}
		return nil
	}
	opts := reference.Options{Seed: f.seed, Faults: f.faults, Quotes: f.quotes, Data: f.data}
	if f.variant != "" {
		variant, err := reference.FindVariant(f.variant)
		if err != nil {
			return usageError{err}
		}
		opts.Choices = variant.Choices
	}
	if err := ours(f.deployment); err != nil {
		return err
	}
	running, err := reference.Start(c.Context(), f.addr, opts)
	if err != nil {
		return usageError{err}
	}
	defer running.Close()
	if f.deployment != "" {
		err := runfolder.Replace(filepath.Dir(f.deployment), filepath.Base(f.deployment), 0o600, func(w io.Writer) error {
			_, err := w.Write(append([]byte(generated), running.Gateway.DeploymentYAML(running.URL)...))
			return err
		})
		if err != nil {
			return misuse("--deployment-out: %w", err)
		}
	}
	introduce(out, running, f)
	<-c.Context().Done()
	fmt.Fprintln(out, "stopping")
	return nil
}

// introduce says where the gateway is and with what it can be tried.
func introduce(out io.Writer, running *reference.Running, f serveFlags) {
	fmt.Fprintf(out, "reference gateway on %s\n", running.URL)
	if f.variant != "" {
		fmt.Fprintf(out, "variant: %s\n", f.variant)
	}
	if len(f.faults) > 0 {
		fmt.Fprintf(out, "faults: %s\n", strings.Join(f.faults, ", "))
	}
	credentials, fixtures := running.Gateway.Summary()
	for _, part := range []struct {
		title   string
		entries []reference.Entry
	}{{"test credentials", credentials}, {"fixtures", fixtures}} {
		fmt.Fprintf(out, "\n%s\n", part.title)
		for _, e := range part.entries {
			fmt.Fprintf(out, "  %-26s %s\n", e.Name, e.Value)
		}
	}
	if f.deployment != "" {
		fmt.Fprintf(out, "\ndeployment file: %s\n  gateassay conform -d %s\n", f.deployment, f.deployment)
	}
	fmt.Fprintln(out, "\nCtrl-C stops it")
}

// generated begins each file of --deployment-out.
const generated = "# Written by gateassay serve, which replaces this file when it starts again.\n"

// ours fails where --deployment-out names a file that somebody wrote by hand: it may be the only copy.
func ours(path string) error {
	file, err := runfolder.Open(path, 1<<20)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return misuse("--deployment-out: %w", err)
	}
	defer file.Close()
	if head, _ := io.ReadAll(io.LimitReader(file, int64(len(generated)))); len(head) > 0 && string(head) != generated {
		return misuse("--deployment-out: %s was not written by gateassay serve and was not changed: name another file, or "+
			"remove it first", path)
	}
	return nil
}
