package archive

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// Damage reports an archive that is not what was packed, or that asks for what no archive of a run holds.
type Damage struct {
	Path string
	Err  error
}

func (d *Damage) Error() string { return fmt.Sprintf("%s cannot be trusted: %v", d.Path, d.Err) }

// Verify reads a whole archive and holds each file in it against SHA256SUMS. A *Damage says what does not match.
func Verify(name string) (c Contents, err error) {
	if !Is(name) {
		return c, fmt.Errorf("%s: expected an archive with a name that ends in %s", name, Ending)
	}
	err = reading(name, func(_ *zip.Reader, held Contents) error { c = held; return nil })
	return c, err
}

// Open gives the folder that a path stands for: of an archive a temporary one, which done removes, else the path itself.
func Open(name string) (dir string, done func(), err error) {
	done = func() {}
	if info, err := os.Stat(name); !Is(name) || err != nil || info.IsDir() {
		return name, done, nil // what is wrong with it is for the reader of the run to say
	}
	err = reading(name, func(z *zip.Reader, _ Contents) (err error) {
		if dir, err = os.MkdirTemp("", "gateassay-run-*"); err != nil {
			return err
		}
		done = func() { _ = os.RemoveAll(dir) }
		return os.CopyFS(dir, z)
	})
	if err != nil {
		done()
	}
	return dir, done, err
}

// reading uses an archive that is as it was packed.
func reading(name string, use func(*zip.Reader, Contents) error) error {
	file, err := runfolder.Open(name, math.MaxInt64)
	if err != nil {
		return fmt.Errorf("the archive cannot be read: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	z, c, err := check(file, info.Size())
	switch {
	case err == nil:
		return use(z, c)
	case errors.As(err, new(*fs.PathError)): // that is of the disk
		return err
	}
	return &Damage{name, err}
}

func check(r io.ReaderAt, size int64) (z *zip.Reader, c Contents, err error) {
	var end [22]byte // the last record of a zip without a comment, which says how long the list of files is, and where
	if _, err := r.ReadAt(end[:], size-int64(len(end))); err != nil || !bytes.HasPrefix(end[:], []byte("PK\x05\x06")) {
		return nil, c, errors.New("it is cut off, has something after its end, or is no zip file")
	}
	// A list takes far more memory than room in the archive.
	length, at := binary.LittleEndian.Uint32(end[12:]), int64(binary.LittleEndian.Uint32(end[16:]))
	if length > mostDirectory || at < size-mostDirectory-int64(len(end)) {
		return nil, c, fmt.Errorf("its list of files is larger than %d MiB", mostDirectory>>20)
	}
	if z, err = zip.NewReader(r, size); err != nil {
		return nil, c, fmt.Errorf("its list of files cannot be read: %w", err)
	}
	last := len(z.File) - 1
	if last < 0 || z.File[last].Name != sumsName {
		return nil, c, fmt.Errorf("it was not made by report pack: it does not end with %s", sumsName)
	}
	for i, p := range z.File {
		if i < last {
			err = c.add(p.Name, p.UncompressedSize64)
		}
		if err == nil && !p.Mode().IsRegular() {
			err = fmt.Errorf("%q is not a regular file", p.Name)
		}
		if err != nil {
			return nil, c, err
		}
	}
	var sums bytes.Buffer
	for _, p := range z.File[:last] {
		sum, err := hash(p)
		if err != nil {
			return nil, c, fmt.Errorf("%s: %w", p.Name, err)
		}
		fmt.Fprintf(&sums, "%x  %s\n", sum, p.Name)
	}
	if z.File[last].UncompressedSize64 == uint64(sums.Len()) {
		if listed, err := fs.ReadFile(z, sumsName); err == nil && bytes.Equal(listed, sums.Bytes()) {
			return z, c, nil
		}
	}
	return nil, c, fmt.Errorf("%s: expected just the files that are there with their hashes: something was altered", sumsName)
}

// hash reads all of a packed file, of which zip lets no more come than the size that it has in the list of files.
func hash(p *zip.File) ([]byte, error) {
	content, err := p.Open()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, content) //nolint:gosec // the sizes in the list were checked
	return sum.Sum(nil), err
}
