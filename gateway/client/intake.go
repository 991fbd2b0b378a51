package client

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// intake takes a file as it arrives. Whatever its length, no more than a few KiB of it are held at once.
type intake struct {
	c    *Client
	read func(io.Reader) error
	most int64     // bytes that are wanted; 0: all
	x    *Exchange // the answer that was taken; nil: none was
	got  ExportFile
	err  *FetchError
}

// take reads a file out of the body of an answer. The error is one of the connection; all others are in s.err.
func (s *intake) take(raw io.Reader, x *Exchange) error {
	s.x, s.err = x, nil
	sum := sha256.New()
	in := &tap{in: raw, to: sum}
	s.got = ExportFile{MediaType: x.Header.Get("Content-Type")}
	plain, encoding, err := decoded(in, x.Header, true)
	if err == nil {
		s.got.Encoding = encoding
		err = s.deliver(plain)
	}
	x.Size, x.hash = in.size, sum.Sum(nil)
	if in.broken == nil && err != nil {
		s.err = &FetchError{Fault: Unusable, Status: x.Status, Detail: err.Error(), Unread: is[*codingError](err) || errors.Is(err, errLong)}
	}
	return in.broken
}

// errLong is a file of more than is read.
var errLong = errors.New("the file is longer")

// deliver hands on the plain file, up to a limit.
func (s *intake) deliver(plain *bufio.Reader) error {
	limit := s.c.largestFile()
	why := fmt.Errorf("%w than %d MiB (limits.max_file_mib)", errLong, limit>>20)
	if s.most > 0 && s.most < limit {
		limit, why = s.most, nil
	}
	sum := sha256.New()
	out := &tap{in: io.LimitReader(plain, limit), to: sum}
	err := s.read(out)
	if out.size == limit {
		next, _ := plain.Peek(1)
		s.got.Cut = len(next) > 0
	}
	s.got.Size, s.got.Sum = out.size, [sha256.Size]byte(sum.Sum(nil))
	switch {
	case s.got.Cut && why != nil:
		return why
	case out.broken != nil:
		return out.broken
	}
	return err
}

// largestFile bounds a file after decompression.
func (c *Client) largestFile() int64 {
	return cmp.Or(max(c.opts.MaxBody, 0), max(int64(c.dep.Limits.MaxFile), 0)<<20, 1<<30)
}

// tap shows what is read to a writer that never fails, and notes how reading broke.
type tap struct {
	in     io.Reader
	to     io.Writer
	size   int64
	broken error
}

func (t *tap) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	t.size += int64(n)
	_, _ = t.to.Write(p[:n])
	if err != nil && !errors.Is(err, io.EOF) {
		t.broken = err
	}
	return n, err
}

// decoded undoes the Content-Encoding, and gzip of the file itself where unpack is set. What cannot be decompressed is a
// *codingError, there and while it is read.
func decoded(raw io.Reader, h http.Header, unpack bool) (in *bufio.Reader, encoding string, err error) {
	in = bufio.NewReaderSize(raw, 64<<10)
	var layers []string
	take := func(what string) {
		if head, _ := in.Peek(3); err == nil && compressedBytes(head) && len(layers) < 4 {
			in, err = unzip(in)
			layers = append(layers, what)
		}
	}
	_, empty := in.Peek(1)
	for coding := range strings.SplitSeq(strings.ToLower(strings.Join(h.Values("Content-Encoding"), ",")), ",") {
		switch coding = strings.TrimSpace(coding); {
		case coding == "" || coding == "identity" || empty != nil:
		case coding == "gzip" || coding == "x-gzip":
			take("gzip (transfer)") // storage services label a stored .gz so even when a proxy has unpacked it on the way
		default:
			return nil, "", &codingError{fmt.Errorf("the answer has Content-Encoding %q although none was requested; only gzip is supported", coding)}
		}
	}
	if unpack {
		take("gzip (file)")
	}
	return in, strings.Join(layers, ", "), err
}

// unzip reads gzip; its errors say what is damaged.
func unzip(in *bufio.Reader) (*bufio.Reader, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, damaged(err)
	}
	return bufio.NewReaderSize(readerFunc(func(p []byte) (int, error) {
		n, err := z.Read(p)
		if err != nil && !errors.Is(err, io.EOF) {
			err = damaged(err)
		}
		return n, err
	}), 64<<10), nil
}

func damaged(err error) error { return &codingError{fmt.Errorf("damaged gzip data: %w", err)} }

// decode undoes the Content-Encoding of an answer that is short. long: it is not, once it is decompressed.
func decode(x *Exchange) (plain []byte, long bool, err error) {
	in, _, err := decoded(bytes.NewReader(x.Body), x.Header, false)
	if err != nil {
		return nil, false, err
	}
	plain, err = io.ReadAll(io.LimitReader(in, maxAnswer+1))
	return plain, len(plain) > maxAnswer, err
}

// unpack undoes the Content-Encoding of an answer. None was requested, but then any is allowed (RFC 9110, 12.5.3), and
// some proxies compress whatever passes them.
func (x *Exchange) unpack() error {
	if len(x.Body) == 0 || x.Header.Values("Content-Encoding") == nil {
		return nil
	}
	plain, long, err := decode(x)
	if err != nil {
		return err
	}
	x.Cut = long
	x.Body = plain[:min(len(plain), maxAnswer)]
	return nil
}

// codingError is an answer that cannot be decompressed.
type codingError struct{ error }

func (e *codingError) Unwrap() error { return e.error }

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
