package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// ErrDamaged is of an archive that is not what was packed, or that asks for what no archive of a run holds.
var ErrDamaged = errors.New("cannot be trusted")

// Verify reads a whole archive and holds each file in it against SHA256SUMS. ErrDamaged says what does not match.
func Verify(name string) (Contents, error) {
	return reading(name, func(*zip.Reader) error { return nil })
}

// Open gives the folder that a path stands for: of an archive a temporary one, which done removes, else the path itself.
func Open(name string) (dir string, done func(), err error) {
	done = func() {}
	if info, err := os.Stat(name); !Is(name) || err != nil || info.IsDir() {
		return name, done, nil // what is wrong with it is for the reader of the run to say
	}
	if dir, err = os.MkdirTemp("", "gateassay-run-*"); err != nil {
		return "", done, err
	}
	done = func() { _ = os.RemoveAll(dir) }
	if _, err = reading(name, func(z *zip.Reader) error { return os.CopyFS(dir, z) }); err != nil {
		done()
	}
	return dir, done, err
}

// reading uses an archive that is as it was packed.
func reading(name string, use func(*zip.Reader) error) (c Contents, err error) {
	file, err := runfolder.Open(name, math.MaxInt64)
	if err != nil {
		return c, fmt.Errorf("the archive cannot be read: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return c, err
	}
	z, c, err := check(file, info.Size())
	if err != nil {
		return c, fmt.Errorf("%s %w: %w", name, ErrDamaged, err)
	}
	return c, use(z)
}

func check(r io.ReaderAt, size int64) (z *zip.Reader, c Contents, err error) {
	list := &ration{r, mostList}
	if z, err = zip.NewReader(list, size); err != nil {
		return nil, c, fmt.Errorf("it is cut off, altered, or is no zip file: %w", err)
	}
	list.left = math.MaxInt64
	last := len(z.File) - 1
	if last < 0 || z.File[last].Name != sumsName {
		return nil, c, fmt.Errorf("it was not made by report pack: it does not end with %s", sumsName)
	}
	for _, p := range z.File[:last] {
		if err := c.admit(p.Name, p.Mode(), p.UncompressedSize64); err != nil {
			return nil, c, err
		}
	}
	for _, p := range z.File[:last] { // zip lets no more come of a file than the size that was admitted
		if err := c.hash(z, p.Name, io.Discard); err != nil {
			return nil, c, err
		}
	}
	if p := z.File[last]; p.Mode().IsRegular() && p.UncompressedSize64 == uint64(len(c.sums)) {
		if listed, err := fs.ReadFile(z, sumsName); err == nil && bytes.Equal(listed, c.sums) {
			return z, c, nil
		}
	}
	return nil, c, fmt.Errorf("%s: expected just the files that are there with their hashes: something was altered", sumsName)
}

// A ration bounds what is read of the list of files, which takes far more memory than room in the archive.
type ration struct {
	io.ReaderAt
	left int64
}

func (r *ration) ReadAt(p []byte, at int64) (int, error) {
	if r.left -= int64(len(p)); r.left < 0 {
		return 0, fmt.Errorf("its list of files is larger than %d MiB", mostList>>20)
	}
	return r.ReaderAt.ReadAt(p, at)
}
