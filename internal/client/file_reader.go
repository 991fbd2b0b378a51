package client

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/contentcoding"
)

// ExportFile describes a downloaded export file and its retrieval.
type ExportFile struct {
	// bytes read, after decoding any Content-Encoding and gzip of the file itself
	Size      int64
	Sum       [sha256.Size]byte
	Cut       bool   // the file is longer
	MediaType string // Content-Type of the answer that carried the file
	// from Content-Disposition, or the last path segment of the download address
	Name     string
	Encoding string          // compression: the Content-Encoding, and "gzip (file)"
	States   []ObservedState // distinct states in the order seen
	Took     time.Duration   // from the first poll until the file was read
	Request  *Exchange       // the first poll; nil: nothing was sent
	// the address in the last answer that the file came from; nil: it came from the configured one
	Download *url.URL
}

// ObservedState is a state of the file and when it was first seen, counted from the first poll.
type ObservedState struct {
	Value string
	After time.Duration
}

// fileReader reads a file as it arrives. It holds only a few KiB at once.
type fileReader struct {
	read  func(io.Reader) error
	most  int64     // bytes to read; 0: all
	limit int64     // bytes after which the file is too long
	taken *Exchange // the answer that was read; nil: none yet
	got   ExportFile
	err   error // the file cannot be read
}

// readAnswer reads the file from the content of an answer.
func (t *fileReader) readAnswer(content io.Reader, x *Exchange) {
	t.taken, t.got = x, ExportFile{
		MediaType: x.Header.Get("Content-Type"), Encoding: x.Header.Get("Content-Encoding"),
		States: t.got.States,
	}
	plain, packed, err := contentcoding.GunzipIfNeeded(content)
	if packed {
		t.got.Encoding = strings.TrimPrefix(t.got.Encoding+", gzip (file)", ", ")
	}
	if t.err = err; err == nil {
		t.err = t.readPlain(plain)
	}
}

// readPlain passes the decompressed file to read, up to a limit.
func (t *fileReader) readPlain(plain *bufio.Reader) error {
	limit := min(t.limit, cmp.Or(t.most, t.limit))
	sum := sha256.New()
	out := &countingReader{in: io.TeeReader(io.LimitReader(plain, limit), sum)}
	read := t.read
	if read == nil {
		read = func(r io.Reader) error { _, err := io.Copy(io.Discard, r); return err }
	}
	if err := read(out); err != nil && out.broken == nil {
		return err
	}
	t.got.Size, t.got.Sum = out.size, [sha256.Size]byte(sum.Sum(nil))
	if out.size == limit {
		next, _ := plain.Peek(1)
		t.got.Cut = len(next) > 0
	}
	switch {
	case out.broken != nil:
		return contentcoding.DamagedError(out.broken)
	case t.got.Cut && limit == t.limit:
		return fmt.Errorf("the file is longer than %d MiB (limits.max_file_mib)", limit>>20)
	}
	return nil
}

// countingReader counts the bytes read and keeps the error that ended reading.
type countingReader struct {
	in     io.Reader
	size   int64
	broken error
}

func (m *countingReader) Read(p []byte) (int, error) {
	n, err := m.in.Read(p)
	m.size += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		m.broken = err
	}
	return n, err
}
