package client

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// intake takes a file as it arrives. Whatever its length, no more than a few KiB of it are held at once.
type intake struct {
	c    *Client
	read func(io.Reader) error // nil: the file is kept
	most int64                 // bytes that are wanted; 0: all
	x    *Exchange             // the answer that was taken; nil: none was
	got  ExportFile
	err  *FetchError
}

// heldFile bounds a file that nobody reads as a stream.
const heldFile = 16 << 20

// take reads a file out of the body of an answer. The error is one of the connection; all others are in s.err.
func (s *intake) take(raw io.Reader, x *Exchange) error {
	s.x, s.err = x, nil
	in := &tally{in: raw, sum: sha256.New()}
	s.got = ExportFile{MediaType: x.Header.Get("Content-Type")}
	plain, encoding, err := decoded(in, x.Header, true)
	if err == nil {
		s.got.Encoding = encoding
		err = s.deliver(plain)
	}
	x.Size, x.lines = in.size, in.lines()
	if x.hash = [sha256.Size]byte(in.sum.Sum(nil)); s.got.Encoding == "" {
		s.got.Sum = x.hash
	}
	switch {
	case in.broken != nil:
		return in.broken
	case err != nil:
		s.err = &FetchError{Fault: Unusable, Status: x.Status, Detail: err.Error()}
	}
	return nil
}

// deliver hands on the plain file.
func (s *intake) deliver(plain io.Reader) error {
	limit := s.c.largestFile()
	why := fmt.Errorf("the file is longer than %d MiB (limits.max_file_mib)", limit>>20)
	if s.most > 0 && s.most < limit {
		limit, why = s.most, nil
	}
	find := s.c.seeker()
	out := &extent{in: plain, left: limit, find: find}
	if s.got.Encoding != "" { // otherwise it is what came
		out.sum = sha256.New()
	}
	read := s.read
	if read == nil {
		read = func(r io.Reader) (err error) {
			s.got.Bytes, err = io.ReadAll(io.LimitReader(r, heldFile+1))
			if len(s.got.Bytes) > heldFile {
				err = fmt.Errorf("the file is longer than %d MiB", heldFile>>20)
			}
			return err
		}
	}
	err := read(out)
	s.got.Size, s.got.Cut, s.x.leaked = out.size, out.more, find.found
	if out.sum != nil {
		s.got.Sum = [sha256.Size]byte(out.sum.Sum(nil))
	}
	switch {
	case out.more && why != nil:
		return why
	case out.damaged != nil:
		return out.damaged
	}
	return err
}

// largestFile bounds a file after decompression.
func (c *Client) largestFile() int64 {
	return cmp.Or(max(c.opts.MaxBody, 0), max(int64(c.dep.Limits.MaxFile), 0)<<20, 1<<30)
}

// tally counts what came over the connection, and notes how it broke.
type tally struct {
	in     io.Reader
	size   int64
	ends   int
	last   byte
	sum    hash.Hash
	broken error
}

func (t *tally) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	t.size += int64(n)
	t.sum.Write(p[:n])
	t.ends += bytes.Count(p[:n], []byte{'\n'})
	if n > 0 {
		t.last = p[n-1]
	}
	if err != nil && !errors.Is(err, io.EOF) {
		t.broken = err
	}
	return n, err
}

// lines counts those of a text, of which the last need not end.
func (t *tally) lines() int {
	if t.size > 0 && t.last != '\n' {
		return t.ends + 1
	}
	return t.ends
}

// extent ends a file at a limit.
type extent struct {
	in      io.Reader
	left    int64
	size    int64
	more    bool // the file goes on beyond the limit
	damaged error
	sum     hash.Hash
	find    *seeker
}

func (e *extent) Read(p []byte) (int, error) {
	if e.left <= 0 {
		var one [1]byte
		n, err := io.ReadFull(e.in, one[:])
		e.more = e.more || n > 0
		if err == nil || e.more {
			err = io.EOF
		}
		return 0, err
	}
	n, err := e.in.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	e.size += int64(n)
	if e.sum != nil {
		e.sum.Write(p[:n])
	}
	e.find.write(p[:n])
	if err != nil && !errors.Is(err, io.EOF) {
		e.damaged = err
	}
	return n, err
}

// decoded undoes the Content-Encoding, and gzip of the file itself where unpack is set.
func decoded(raw io.Reader, h http.Header, unpack bool) (plain io.Reader, encoding string, err error) {
	in := bufio.NewReaderSize(raw, 64<<10)
	var layers []string
	codings := strings.Split(strings.Join(h.Values("Content-Encoding"), ","), ",")
	for i := len(codings) - 1; i >= 0; i-- {
		coding := strings.ToLower(strings.TrimSpace(codings[i]))
		head, _ := in.Peek(3)
		switch {
		case coding == "" || coding == "identity" || len(head) == 0:
			continue
		case coding == "gzip" || coding == "x-gzip":
			// Storage services label a stored .gz so even when a proxy has unpacked it on the way.
			if !compressedBytes(head) {
				continue
			}
			in, err = unzip(in)
		case coding == "deflate":
			in = inflate(in)
		default:
			err = fmt.Errorf("the answer has Content-Encoding %q although none was asked for; "+
				"gzip and deflate are understood", coding)
		}
		if err != nil {
			return nil, "", err
		}
		if layers = append(layers, strings.TrimPrefix(coding, "x-")+" (transfer)"); len(layers) > 3 {
			return nil, "", errors.New("the answer was compressed more than three times over")
		}
	}
	if head, _ := in.Peek(3); unpack && compressedBytes(head) {
		if in, err = unzip(in); err != nil {
			return nil, "", err
		}
		layers = append(layers, "gzip (file)")
	}
	return in, strings.Join(layers, ", "), nil
}

func unzip(in *bufio.Reader) (*bufio.Reader, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("damaged gzip data: %w", err)
	}
	return checked(z, "gzip"), nil
}

func inflate(in *bufio.Reader) *bufio.Reader {
	// The two bytes before zlib's data are a multiple of 31, the first of them ends with an 8.
	if head, _ := in.Peek(2); len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		if z, err := zlib.NewReader(in); err == nil {
			return checked(z, "deflate")
		}
	}
	return checked(flate.NewReader(in), "deflate")
}

// checked names what is damaged in its errors.
func checked(plain io.Reader, what string) *bufio.Reader {
	return bufio.NewReaderSize(readerFunc(func(p []byte) (int, error) {
		n, err := plain.Read(p)
		if err != nil && !errors.Is(err, io.EOF) {
			err = fmt.Errorf("damaged %s data: %w", what, err)
		}
		return n, err
	}), 64<<10)
}

// decode undoes the Content-Encoding of an answer that is short. long: it is not, once it is decompressed.
func decode(x *Exchange) (plain []byte, long bool, err error) {
	in, _, err := decoded(bytes.NewReader(x.Body), x.Header, false)
	if err != nil {
		return nil, false, err
	}
	plain, err = io.ReadAll(io.LimitReader(in, maxAnswer+1))
	return plain, len(plain) > maxAnswer, err
}

// seeker looks for credentials in what goes by.
type seeker struct {
	names   []string
	needles [][]byte
	longest int
	tail    []byte
	found   []string
}

func (c *Client) seeker() *seeker {
	s := &seeker{}
	c.eachCredential(func(cred *deployment.Credential, value string) {
		if needle := telling(value); needle != "" {
			s.names, s.needles = append(s.names, cred.Name), append(s.needles, []byte(needle))
			s.longest = max(s.longest, len(needle))
		}
	})
	return s
}

func (s *seeker) write(p []byte) {
	if s.longest == 0 {
		return
	}
	look := func(text []byte) {
		for i, needle := range s.needles {
			if len(needle) > 0 && bytes.Contains(text, needle) {
				s.found, s.needles[i] = append(s.found, s.names[i]), nil
			}
		}
	}
	look(slices.Concat(s.tail, p[:min(len(p), s.longest)])) // what lies across two pieces
	look(p)
	s.tail = append(s.tail, p[max(0, len(p)-s.longest):]...)
	s.tail = slices.Clone(s.tail[max(0, len(s.tail)-s.longest):])
}

// patience ends an exchange that takes too long: limits.timeout, and of a file a second more for each MiB that came.
type patience struct {
	timer *time.Timer
	until time.Time
	came  int
}

func newPatience(cancel context.CancelCauseFunc, timeout time.Duration) *patience {
	return &patience{timer: time.AfterFunc(timeout, func() { cancel(errTimeout) }), until: time.Now().Add(timeout)}
}

// reading extends the time with what is read.
func (p *patience) reading(r io.Reader) io.Reader {
	return readerFunc(func(b []byte) (int, error) {
		n, err := r.Read(b)
		if p.came += n; p.came >= 1<<20 {
			p.until = p.until.Add(time.Duration(p.came>>20) * time.Second)
			p.came &= 1<<20 - 1
			p.timer.Reset(time.Until(p.until))
		}
		return n, err
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
