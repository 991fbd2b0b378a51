package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
)

func reportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "report",
		Short: "Work with recorded runs: show, compare, gate a release, browse, pack into one file",
		Long: `report reads what runs recorded; nothing is sent. A run is named by its folder, by an archive that
report pack made (.zip), or by one of its files. A run that was interrupted is read from its journal.`,
	}
	c.AddCommand(reportShowCommand(), reportCompareCommand(), reportGateCommand(), reportServeCommand(),
		reportPackCommand(), reportVerifyCommand())
	return c
}

func reportPackCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "pack RUN",
		Short: "Pack a run into one file",
		Long: `pack writes a run to one zip file: the same run gives the same bytes. With the files of the run it holds
SHA256SUMS, their hashes. Its own hash is printed: keep that elsewhere to know later that the file was not replaced.`,
		Example: `  gateassay report pack reports/runs/20261121T084529Z-conform
  gateassay report pack reports/runs/20261121T084529Z-conform \
      --out release-2.4.zip
  kubectl exec gateassay-load-results -- /bin/gateassay report pack \
      /results/RUN/merged --out - > RUN.zip`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return pack(c, args[0], out) },
	}
	c.Flags().StringVar(&out, "out", "", "`FILE` to write, .zip (default: the folder's name with .zip, here), "+
		"or - for standard output")
	return c
}

// pack writes the archive, to standard output such as through kubectl exec; then what is said goes to standard error.
func pack(c *cobra.Command, dir, to string) error {
	switch info, err := os.Stat(dir); {
	case err == nil && !info.IsDir() && archive.Is(dir):
		return misuse("%s is an archive already; name the folder of a run", dir)
	case err != nil || !info.IsDir() || !holdsRun(dir):
		return usageError{advised(dir, fmt.Errorf("%s is not the folder of a run", dir))}
	}
	said, name := c.OutOrStdout(), ""
	var packed archive.Packed
	var err error
	switch {
	case to == "-" && isTerminal(said):
		return misuse("--out -: an archive cannot be shown on a terminal; redirect it to a file, such as > run.zip")
	case to == "-":
		packed, err = archive.Write(said, dir)
		said = c.ErrOrStderr()
	default:
		if to == "" {
			whole, err := filepath.Abs(dir)
			if err != nil {
				return usageError{err}
			}
			to = filepath.Base(whole) + archive.Ending
		}
		if !archive.Is(to) {
			return misuse("--out: expected a name that ends with %s, found %s", archive.Ending, to)
		}
		packed, err = archive.Pack(dir, to)
		name = printable.Clean(to) + "\n"
	}
	if err != nil {
		return usageError{err}
	}
	fmt.Fprintf(said, "%s, %d bytes\nsha256:%s\n%s", digest.Quantity(packed.Files, "file"), packed.Bytes, packed.SHA256, name)
	return nil
}

func reportVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify ARCHIVE",
		Short: "Check that an archive holds what was packed",
		Long: `verify checks every file in an archive against SHA256SUMS in it. Exit codes: 0 it is intact, 1 it was cut
off or altered, 2 there is no archive.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			held, err := archive.Verify(args[0])
			var damage *archive.Damage
			if errors.As(err, &damage) {
				fmt.Fprintln(c.ErrOrStderr(), "gateassay: "+printable.CleanLines(damage.Error()))
				return exitCode(1)
			}
			if err != nil {
				return usageError{err}
			}
			fmt.Fprintf(c.OutOrStdout(), "intact: %s, %d bytes\n", digest.Quantity(held.Files, "file"), held.Bytes)
			return nil
		},
	}
}
