// Package archive keeps a recorded run in one file: a zip that any tool opens, with a SHA256SUMS that sha256sum checks.
// The same run gives the same bytes, and a file from elsewhere can be opened without trusting it.
//
// The hashes show damage, not intent: whoever must know that nobody made another archive keeps the hash that Pack
// returns.
package archive

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
)

const (
	// Ending is that of the names of archives.
	Ending = ".zip"

	sumsName      = "SHA256SUMS"
	mostFiles     = 20_000
	mostBytes     = 2 << 30 // unpacked
	mostDirectory = 8 << 20 // bytes of the list of files that a zip ends with
)

// Is reports whether a name is that of an archive.
func Is(name string) bool {
	return strings.EqualFold(path.Ext(name), Ending) && path.Base(name) != Ending
}

// Contents says what an archive holds beside its hashes.
type Contents struct {
	Files  int
	Bytes  int64
	SHA256 string // of the whole archive that Pack or Write wrote, hexadecimal
	names  map[string]bool
}

// add refuses what no run holds.
func (c *Contents) add(name string, size uint64) error {
	key := strings.ToLower(name) // some file systems take names that differ only in case for one
	switch {
	case !plain(name):
		return fmt.Errorf("%q is not a file name that a run uses", printable.Fit(name, 100))
	case c.names[key]:
		return fmt.Errorf("it holds %q twice, or in another case", printable.Fit(name, 100))
	case c.Files == mostFiles:
		return fmt.Errorf("it holds more than %d files", mostFiles)
	case size > uint64(mostBytes-c.Bytes):
		return fmt.Errorf("with %q it holds more than %d MiB", printable.Fit(name, 100), mostBytes>>20)
	case c.names == nil:
		c.names = map[string]bool{}
	}
	c.names[key] = true
	c.Files++
	c.Bytes += int64(size)
	return nil
}

// plain takes names that stay below a folder, and mean the same, on every system.
func plain(name string) bool {
	return fs.ValidPath(name) && !strings.EqualFold(name, sumsName) && len(name) <= 1024 && printable.Clean(name) == name &&
		!strings.ContainsAny(name, `\:*?"<>|`) && !strings.Contains("/"+name, "/.")
}
