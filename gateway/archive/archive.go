// Package archive keeps a recorded run in one file: a zip that any tool opens, with a SHA256SUMS that sha256sum checks.
// The same run gives the same bytes, and a file from elsewhere can be opened without trusting it. The hashes show damage,
// not intent: whoever must know that nobody made another archive keeps a hash of the whole.
package archive

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
)

const (
	// Ending is that of the names of archives.
	Ending = ".zip"

	sumsName  = "SHA256SUMS"
	mostFiles = 20_000
	mostBytes = 2 << 30 // unpacked
	mostList  = 8 << 20 // bytes of the list of files that a zip ends with
)

// Is reports whether a name is that of an archive.
func Is(name string) bool {
	return strings.EqualFold(path.Ext(name), Ending) && path.Base(name) != Ending
}

// Contents says what an archive holds beside its hashes.
type Contents struct {
	Files int
	Bytes int64
	sums  []byte // what SHA256SUMS holds
}

// admit counts a file, and refuses what no run holds.
func (c *Contents) admit(name string, mode fs.FileMode, size uint64) error {
	switch {
	case !plain(name):
		return fmt.Errorf("%.100q is not a file name that a run uses", name)
	case !mode.IsRegular():
		return fmt.Errorf("%.100q is not a regular file, which a run never has", name)
	case c.Files == mostFiles:
		return fmt.Errorf("it holds more than %d files", mostFiles)
	case size > uint64(mostBytes-c.Bytes):
		return fmt.Errorf("with %.100q it holds more than %d MiB", name, mostBytes>>20)
	}
	c.Files++
	c.Bytes += int64(size)
	return nil
}

// hash reads a file of a run, copies it, and adds it to the hashes.
func (c *Contents) hash(run fs.FS, name string, to io.Writer) error {
	file, err := run.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(to, sum), file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.sums = fmt.Appendf(c.sums, "%x  %s\n", sum.Sum(nil), name)
	return nil
}

// plain takes names that stay below a folder, and mean the same, on every system.
func plain(name string) bool {
	return fs.ValidPath(name) && !strings.EqualFold(name, sumsName) && len(name) <= 1024 && printable.Clean(name) == name &&
		!strings.ContainsAny(name, `\:*?"<>|`) && !strings.Contains("/"+name, "/.")
}
