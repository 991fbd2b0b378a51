package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
)

func reportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "report",
		Short: "Work with recorded runs: show, compare, gate a release, browse, pack into one file",
		Long: `report reads what runs recorded; nothing is sent. A run is named by its folder, by an archive that
report pack made (.tar.zst or .tar.gz), or by one of its files. A run that was interrupted is read from its journal.`,
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
		Long: `pack writes a run to one file: the same run gives the same bytes. The file holds a manifest with the
SHA-256 hash of each file of the run, and ends with a hash of all its bytes. Its own hash is printed: keep that
elsewhere to know later that the file was not replaced. An archive can be packed as well, to have it in the other
format.`,
		Example: `  gateassay report pack reports/runs/20261121T084529Z-conform
  gateassay report pack reports/runs/20261121T084529Z-conform \
      --out release-2.4.tar.gz
  gateassay report pack release-2.4.tar.gz --out release-2.4.tar.zst
  kubectl exec gateassay-load-results -- /bin/gateassay report pack \
      /results/RUN/merged --out - > RUN.tar.zst`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return pack(c, args[0], out) },
	}
	c.Flags().StringVar(&out, "out", "",
		"`FILE` to write, .tar.zst or .tar.gz (default: the folder's name with .tar.zst, here), "+
			"or - for standard output")
	return c
}

func pack(c *cobra.Command, path, to string) error {
	if to == "-" {
		return packed(c, path)
	}
	if to == "" {
		whole, err := filepath.Abs(path)
		if err != nil {
			return usageError{err}
		}
		to = archive.Stem(filepath.Base(whole)) + string(archive.Zstd)
	}
	if _, ok := archive.FormatOf(to); !ok {
		return misuse("--out: expected a name that ends with %s or %s, found %s", archive.Zstd, archive.Gzip, to)
	}
	dir, done, err := archive.Open(path)
	if err != nil {
		return usageError{err}
	}
	defer done()
	if err := packable(path, dir); err != nil {
		return usageError{err}
	}
	packed, err := archive.Pack(dir, to)
	if err != nil {
		return usageError{err}
	}
	fmt.Fprintf(c.OutOrStdout(), "%s, %d bytes in %d\nsha256:%s\n%s\n", digest.Quantity(packed.Files, "file"),
		packed.Bytes, packed.Size, packed.SHA256, printable.Clean(packed.Path))
	return nil
}

// packed writes the archive to standard output, such as through kubectl exec. What is said goes to standard error.
func packed(c *cobra.Command, path string) error {
	if isTerminal(c.OutOrStdout()) {
		return misuse("--out -: an archive cannot be shown on a terminal; redirect it to a file, such as > run.tar.zst")
	}
	temp, err := os.MkdirTemp("", "gateassay-pack-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	name, stdout := filepath.Join(temp, "run"+string(archive.Zstd)), c.OutOrStdout()
	c.SetOut(c.ErrOrStderr())
	if err := pack(c, path, name); err != nil {
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(stdout, file)
	return err
}

// packable says of what is not the folder of a run which one to name instead.
func packable(path, dir string) error {
	info, err := os.Stat(dir)
	if err == nil && info.IsDir() {
		if _, err := os.ReadDir(dir); err != nil {
			return fmt.Errorf("%s cannot be read: %w", path, err)
		}
	}
	switch {
	case err == nil && info.IsDir() && !holdsRun(dir) && !recorded.Probed(dir):
		return advised(path, fmt.Errorf("%s holds no recorded run", path))
	case err == nil && !info.IsDir() && holdsRun(filepath.Dir(dir)):
		return fmt.Errorf("%s is one file of a run; name its folder %s", path, filepath.Dir(path))
	case err != nil || !info.IsDir():
		return advised(path, fmt.Errorf("%s is neither the folder of a run nor an archive of one", path))
	}
	return nil
}

func reportVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify ARCHIVE",
		Short: "Check that an archive holds what was packed",
		Long: `verify checks every byte of an archive against the hashes in it. Exit codes: 0 it is intact, 1 it was
cut off or altered, 2 there is no archive.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			manifest, err := archive.Verify(args[0])
			var damage *archive.Damage
			if errors.As(err, &damage) {
				fmt.Fprintln(c.ErrOrStderr(), "gateassay: "+printable.CleanLines(damage.Error()))
				return exitCode(1)
			}
			if err != nil {
				return usageError{err}
			}
			fmt.Fprintf(c.OutOrStdout(), "intact: %s, %d bytes\n", digest.Quantity(len(manifest.Files), "file"),
				manifest.Size())
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
		return 0, misuse("--%s: expected a share such as 5%% or 0.05, found %q", flag, s)
	}
	return v, nil
}
