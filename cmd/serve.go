package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/reports/digest"
)

type serveFlags struct {
	reference.Options
	addr, variant, deployment string
	listFaults, listVariants  bool
}

func serveCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{Use: "serve", Short: "Run the reference gateway"}
	c.RunE = func(c *cobra.Command, _ []string) error { return serve(c, f) }
	flags := c.Flags()
	addressFlag(c, &f.addr, "127.0.0.1:8080")
	flags.Int64Var(&f.Seed, "seed", 1, "decides fixtures, API key and quotes")
	flags.StringVar(&f.variant, "variant", "", "behave like this variant (--list-variants)")
	flags.StringArrayVar(&f.Faults, "fault", nil, "switch this fault on, repeatable (--list-faults)")
	flags.BoolVar(&f.listFaults, "list-faults", false,
		"list the faults with the rule that each breaks, and end")
	flags.BoolVar(&f.listVariants, "list-variants", false, "list the variants, and end")
	flags.StringVar(&f.Data, "data", "",
		"keep representatives, files and replay memory in `DIR`, across restarts")
	intFlag(c, &f.Quotes, "quotes", "have about `N` quotes in the window, up to 100,000 "+
		"(default: a few, enough for all rules)", 0, reference.MaxQuotes)
	flags.StringVar(&f.deployment, "deployment-out", "",
		"write a deployment file for this gateway to `FILE`; one that serve did not write is left alone")
	_ = c.RegisterFlagCompletionFunc("variant", completionOf(reference.Variants,
		func(v reference.Variant) (name, about string) { return v.Name, v.Description }))
	_ = c.RegisterFlagCompletionFunc("fault", completionOf(reference.Faults,
		func(f reference.Fault) (name, about string) { return f.Name, f.Statement }))
	return c
}

func serve(c *cobra.Command, f serveFlags) error {
	out := c.OutOrStdout()
	switch {
	case f.listFaults:
		for _, fault := range reference.Faults() {
			fmt.Fprintf(out, "%-56s %-48s %s\n", fault.Name, fault.Rule, fault.Statement)
		}
		return nil
	case f.listVariants:
		for _, v := range reference.Variants() {
			fmt.Fprintf(out, "%-23s %s\n", v.Name, v.Description)
		}
		return nil
	}
	if f.variant != "" {
		variant, err := reference.FindVariant(f.variant)
		if err != nil {
			return usageError{err}
		}
		f.Choices = variant.Choices
	}
	if err := requireGenerated(f.deployment); err != nil {
		return err
	}
	running, err := reference.Start(c.Context(), f.addr, f.Options)
	if err != nil {
		return usageError{err}
	}
	defer running.Close()
	file := append([]byte(generatedHeader), running.Gateway.DeploymentYAML(running.URL)...)
	fmt.Fprintf(out, "reference gateway on %s\n\n", running.URL)
	if f.deployment == "" {
		fmt.Fprintf(out, "%s\nCtrl-C stops it\n", file)
	} else {
		err := runfolder.ReplaceFile(filepath.Dir(f.deployment), filepath.Base(f.deployment), 0o600,
			func(w io.Writer) error {
				_, err := w.Write(file)
				return err
			})
		if err != nil {
			return usageErrorf("--deployment-out: %w", err)
		}
		fmt.Fprintf(out, "%s\n  gateassay conform -d %s\n\nCtrl-C stops it\n", f.deployment,
			digest.ShellQuote(f.deployment))
	}
	<-c.Context().Done()
	fmt.Fprintln(out, "stopping")
	return nil
}

// generatedHeader is the beginning of each file of --deployment-out.
const generatedHeader = "# Written by gateassay serve, which replaces this file when it starts " +
	"again.\n"

// requireGenerated fails if --deployment-out names a file that was written by hand.
func requireGenerated(path string) error {
	if path == "" {
		return nil
	}
	data, err := runfolder.ReadBounded(path, 1<<20)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(data) == 0:
	case err != nil:
		return usageErrorf("--deployment-out: %w", err)
	case !strings.HasPrefix(string(data), generatedHeader):
		return usageErrorf("--deployment-out: %s was not written by gateassay serve and was not "+
			"changed: name another file, or remove it first", path)
	}
	return nil
}
