package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	loads "github.com/gateassay/gateassay/load/run"
	"github.com/gateassay/gateassay/reports/archive"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

func reportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "report",
		Short: "Read recorded runs again: show, compare, decide a release, browse, keep in one file",
		Long: `report reads what runs recorded; nothing is sent. A run is named by its folder, by an archive that report pack made
(.tar.zst or .tar.gz), or by one of its files. A run that was interrupted is read from its journal.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(reportShowCommand(), reportCompareCommand(), reportGateCommand(), reportServeCommand(), reportPackCommand(), reportVerifyCommand())
	return c
}

func reportShowCommand() *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use:   "show RUN",
		Short: "Print the report of a recorded run again",
		Example: `  gateassay report show reports/runs/20261121T084529Z-conform
  gateassay report show run.tar.zst --verbose`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return show(c, args[0], verbose) },
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "shorten nothing, list passed rules as well")
	return c
}

func show(c *cobra.Command, path string, verbose bool) error {
	run, err := compare.Open(path)
	if err != nil {
		return usageError{err}
	}
	defer run.Close()
	stdout := c.OutOrStdout()
	colour := console.Colour(isTerminal(stdout), os.Getenv)
	switch run.Kind {
	case compare.OfConformance:
		err = console.Report(stdout, run.Conformance, console.Style{Colour: colour, Width: width(stdout)(), Verbose: verbose, Folder: path})
	case compare.OfLoad:
		err = loads.Table{Colour: colour, Folder: path}.Print(stdout, run.Load)
	case compare.OfCapacity:
		var found loads.Capacity
		data, readErr := os.ReadFile(filepath.Join(run.Dir, record.RunName))
		if readErr == nil {
			readErr = json.Unmarshal(data, &found)
		}
		if readErr != nil {
			return usageError{fmt.Errorf("%s holds no run that can be read: %w", path, readErr)}
		}
		err = loads.Table{Colour: colour, Folder: path}.PrintCapacity(stdout, found)
	}
	if err != nil {
		return fmt.Errorf("the report could not be printed: %w", err)
	}
	return nil
}

func reportPackCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "pack FOLDER",
		Short: "Keep a run in one file",
		Long: `pack writes a run to one file: the same run gives the same bytes. The file holds a manifest with the SHA-256 hash of
each file of the run, and ends with a hash of all its bytes. Its own hash is printed: keep that elsewhere to know later
that nobody made another.`,
		Example: `  gateassay report pack reports/runs/20261121T084529Z-conform
  gateassay report pack reports/runs/20261121T084529Z-conform --out release-2.4.tar.gz`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			to := out
			if to == "" {
				whole, err := filepath.Abs(args[0])
				if err != nil {
					return usageError{err}
				}
				to = filepath.Base(whole) + string(archive.Zstd)
			}
			if _, ok := archive.FormatOf(to); !ok {
				return usageError{fmt.Errorf("--out: expected a name that ends with %s or %s, found %s", archive.Zstd, archive.Gzip, to)}
			}
			packed, err := archive.Pack(args[0], to)
			if err != nil {
				return usageError{err}
			}
			fmt.Fprintf(c.OutOrStdout(), "%d files, %d bytes in %d\nsha256:%s\n%s\n", packed.Files, packed.Bytes, packed.Size, packed.SHA256, packed.Path)
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "`FILE` to write, .tar.zst or .tar.gz (default: the folder's name with .tar.zst, here)")
	return c
}

func reportVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify ARCHIVE",
		Short: "Check that an archive holds what was packed",
		Long:  `verify holds every byte of an archive against the hashes in it. Exit codes: 0 it is whole, 1 it is not, 2 there is none.`,
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			manifest, err := archive.Verify(args[0])
			var damage *archive.Damage
			if errors.As(err, &damage) {
				fmt.Fprintln(c.ErrOrStderr(), "gateassay: "+digest.CleanLines(damage.Error()))
				return exitCode(1)
			}
			if err != nil {
				return usageError{err}
			}
			fmt.Fprintf(c.OutOrStdout(), "whole: %d files, %d bytes\n", len(manifest.Files), manifest.Size())
			return nil
		},
	}
}

// share reads a share such as 5% or 0.05.
func share(flag, s string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 10) {
		return 0, usageError{fmt.Errorf("--%s: expected a share such as 5%% or 0.05, found %q", flag, s)}
	}
	return v, nil
}
