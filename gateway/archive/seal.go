package archive

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// seal is the part that ends an archive: for zstd a skippable frame, for gzip an empty member with an extra field. Each
// of its bytes follows from the hash.
func (f Format) seal(sum []byte) []byte {
	if f == Zstd {
		b := []byte{0x5e, 0x2a, 0x4d, 0x18}
		b = binary.LittleEndian.AppendUint32(b, uint32(len(sum)))
		return append(b, sum...)
	}
	b := []byte{0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(sum)+4))
	b = append(b, 'G', 'A')
	b = binary.LittleEndian.AppendUint16(b, uint16(len(sum)))
	b = append(b, sum...)
	return append(b, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0) // an empty deflate block, its checksum and its length
}

// errSeal reports bytes that are not those that were written.
var errSeal = errors.New("its bytes do not match the hash at its end: " +
	"it is damaged or cut off, or was not made by report pack")

// checkSeal holds the bytes of an archive against its seal; size is that of the file.
func (f Format) checkSeal(r io.ReaderAt, size int64) error {
	length := int64(len(f.seal(make([]byte, sha256.Size))))
	if size <= length {
		return errSeal
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(r, 0, size-length)); err != nil {
		return err
	}
	found := make([]byte, length)
	if _, err := r.ReadAt(found, size-length); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(found, f.seal(h.Sum(nil))) {
		return errSeal
	}
	return nil
}

// compress writes in the format; one goroutine, so that the bytes do not depend on the machine.
func (f Format) compress(w io.Writer) (io.WriteCloser, error) {
	if f == Gzip {
		return gzip.NewWriterLevel(w, gzip.BestCompression)
	}
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithWindowSize(4<<20))
}

// mostWindow bounds the memory that a hostile zstd frame can ask for, in bytes.
const mostWindow = 64 << 20

func (f Format) expand(r io.Reader) (io.ReadCloser, error) {
	if f == Gzip {
		return gzip.NewReader(r)
	}
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow),
		zstd.WithDecoderMaxMemory(2*mostWindow))
	if err != nil {
		return nil, fmt.Errorf("it cannot be decompressed: %w", err)
	}
	return d.IOReadCloser(), nil
}
