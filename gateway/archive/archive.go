// Package archive keeps a recorded run in one file: the same run gives the same bytes, every byte is covered by a hash,
// and a file from elsewhere can be opened without trusting it.
//
// An archive is a tar file, compressed with zstd or gzip. Its first entry, manifest.json, lists the files of the run
// with their sizes and SHA-256 hashes; they follow as run/<path>, sorted. A seal ends the file: a part that
// decompressors skip, with the SHA-256 hash of all bytes before it. It shows damage, not intent: whoever must know
// that nobody made another archive keeps the hash that pack prints.
package archive

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
)

// Schema names the version of the manifest.
const Schema = "gateassay/archive/v1"

const (
	manifestName = "manifest.json"
	prefix       = "run/"
)

// Format is how an archive is compressed.
type Format string

// The formats, by the end of the file's name.
const (
	Zstd Format = ".tar.zst"
	Gzip Format = ".tar.gz"
)

// FormatOf returns the format of a file by its name; false when it is not an archive's.
func FormatOf(name string) (Format, bool) {
	for _, f := range []Format{Zstd, Gzip} {
		if strings.HasSuffix(strings.ToLower(filepath.Base(name)), string(f)) {
			return f, true
		}
	}
	return "", false
}

// Stem is the name of an archive without its ending, and any other name as it is.
func Stem(name string) string {
	if f, ok := FormatOf(name); ok {
		return name[:len(name)-len(f)]
	}
	return name
}

// Manifest lists the files of a run.
type Manifest struct {
	Schema string `json:"schema"`
	Files  []File `json:"files"` // sorted by path
}

// File is one file of a run.
type File struct {
	Path   string `json:"path"` // relative to the folder of the run, with slashes
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// Size of all files in bytes.
func (m Manifest) Size() int64 {
	var n int64
	for _, f := range m.Files {
		n += f.Size
	}
	return n
}

// Limits bound what is taken from an archive.
type Limits struct {
	Files    int   // at most
	Bytes    int64 // unpacked
	Manifest int64 // bytes of the manifest
	Factor   int64 // unpacked bytes for each byte of the archive, after the first 64 MiB
}

// DefaultLimits fit runs of days.
func DefaultLimits() Limits {
	return Limits{Files: 20_000, Bytes: 8 << 30, Manifest: 16 << 20, Factor: 1000}
}

// allowed is how many bytes an archive of a size may unpack to.
func (l Limits) allowed(size int64) int64 {
	return min(l.Bytes, 64<<20+l.Factor*size)
}

// check refuses a manifest that names what no run holds or that asks for too much. size is that of the archive.
func (m Manifest) check(l Limits, size int64) error {
	if m.Schema != Schema {
		return fmt.Errorf("its manifest has the schema %q, expected %q", clip(m.Schema), Schema)
	}
	switch {
	case len(m.Files) == 0:
		return fmt.Errorf("its manifest lists no files")
	case len(m.Files) > l.Files:
		return fmt.Errorf("it holds %d files; at most %d are allowed", len(m.Files), l.Files)
	}
	folded := map[string]string{}
	last, left := "", l.allowed(size)
	for i, f := range m.Files {
		if err := safePath(f.Path); err != nil {
			return err
		}
		if i > 0 && f.Path <= last {
			return fmt.Errorf("its manifest is not sorted, or lists %q twice", clip(f.Path))
		}
		last = f.Path
		// On some file systems two such names are one file, and the second would replace the first.
		if other, taken := folded[strings.ToLower(f.Path)]; taken {
			return fmt.Errorf("%q and %q differ only in case", clip(other), clip(f.Path))
		}
		folded[strings.ToLower(f.Path)] = f.Path
		if f.Size < 0 || f.Size > left {
			return fmt.Errorf("it would unpack to more than %d MiB", l.allowed(size)>>20)
		}
		left -= f.Size
		for parent := path.Dir(f.Path); parent != "."; parent = path.Dir(parent) {
			if other, taken := folded[strings.ToLower(parent)]; taken { // sorted: it came before
				return fmt.Errorf("%q is a file, but %q would have to be inside it", clip(other), clip(f.Path))
			}
		}
		if len(f.SHA256) != 64 {
			return fmt.Errorf("its manifest has no SHA-256 hash for %q", clip(f.Path))
		}
	}
	return nil
}

// safePath takes names that stay below a folder on every system.
func safePath(name string) error {
	plain := name != "" && len(name) <= 1024 && path.Clean(name) == name && filepath.IsLocal(filepath.FromSlash(name))
	for _, r := range name {
		plain = plain && r >= ' ' && r != 0x7f && !strings.ContainsRune(`\:*?"<>|`, r)
	}
	for part := range strings.SplitSeq(name, "/") {
		plain = plain && part != "" && len(part) <= 255 && part[0] != '.' && strings.TrimRight(part, ". ") == part
	}
	if !plain {
		return fmt.Errorf("%q is not a file name that a run uses", clip(name))
	}
	return nil
}

func clip(s string) string { return printable.Fit(s, 101) }

// stamp is the time of every entry: when a file was written is not part of a run.
var stamp = time.Unix(0, 0).UTC()
