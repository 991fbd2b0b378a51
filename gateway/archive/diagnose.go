package archive

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/gateassay/gateassay/gateway/printable"
)

// errAfter reports bytes after the last file that are not a seal.
var errAfter = errors.New("there is extra data after its last file")

// diagnose says what is wrong with an archive whose bytes do not match its seal, from what reading it gave: whether its
// manifest could be read, and what was found first that is not as the manifest says.
func (f Format) diagnose(r io.ReaderAt, size int64, manifest bool, found error) error {
	if size == 0 {
		return errors.New("it is empty")
	}
	var start [6]byte
	n, _ := r.ReadAt(start[:], 0)
	if other := formatOfBytes(start[:n]); other != f {
		if other == "" {
			return fmt.Errorf("it is not an archive: it does not begin like a %s file", f)
		}
		return fmt.Errorf("its content is that of a %s file", other)
	}
	if end, sealed := f.sealedPart(r, size); sealed {
		return fmt.Errorf("it has %s after its end; the archive itself is complete",
			printable.Quantity(size-end, "extra byte"))
	}
	switch {
	case found == nil:
		return fmt.Errorf("%w; its files match its manifest", errSeal)
	case errors.Is(found, io.ErrUnexpectedEOF) || errors.Is(found, io.EOF) || errors.Is(found, errAfter):
		return fmt.Errorf("it is cut off: %w", found)
	case !manifest:
		return fmt.Errorf("it was altered, or was not made by report pack: %w", found)
	}
	return fmt.Errorf("it was altered: %w", found)
}

// formatOfBytes returns the format by how a file begins.
func formatOfBytes(start []byte) Format {
	switch {
	case bytes.HasPrefix(start, []byte{0x1f, 0x8b}):
		return Gzip
	case bytes.HasPrefix(start, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return Zstd
	}
	return ""
}

// sealedPart finds where a seal ends that matches all bytes before it; false: there is none.
func (f Format) sealedPart(r io.ReaderAt, size int64) (end int64, found bool) {
	mark, _, _ := bytes.Cut(f.seal(make([]byte, sha256.Size)), make([]byte, sha256.Size)) // what a seal begins with
	window := min(size, 1<<20)
	buffer := make([]byte, window+int64(len(mark)))
	h := sha256.New()
	hashed := int64(0)
	for from := int64(0); from < size; from += window {
		n, err := r.ReadAt(buffer, from)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, false
		}
		part := buffer[:n]
		for at := 0; ; at++ {
			next := bytes.Index(part[at:], mark)
			if next < 0 || int64(at+next) >= window {
				break
			}
			at += next
			position := from + int64(at)
			if _, err := io.Copy(h, io.NewSectionReader(r, hashed, position-hashed)); err != nil {
				return 0, false
			}
			hashed = position
			seal := f.seal(h.Sum(nil))
			there := make([]byte, len(seal))
			if n, _ := r.ReadAt(there, position); n == len(seal) && bytes.Equal(there, seal) {
				return position + int64(len(seal)), true
			}
		}
	}
	return 0, false
}
