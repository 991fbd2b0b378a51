package transport

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// answer is how one answer is framed.
type answer struct {
	status  int
	length  int64 // of the body; -1: not given
	chunked bool
	last    bool // the connection ends with this answer
	old     bool // HTTP/1.0
	kept    bool // HTTP/1.0, and told to keep the connection
}

// receive reads answers until one is final, and its body.
func (s *Session) receive(x *Exchange, w *wire) error {
	heads := 0
	for {
		head, err := s.readHead(w, s.t.opts.MaxHead-heads)
		if err != nil {
			return err
		}
		heads += len(head)
		if err := s.ans.parse(head); err != nil {
			return err
		}
		switch {
		case s.ans.status == 101:
			return malformed("status 101, although no other protocol was asked for")
		case s.ans.status < 200:
			continue // informational: the answer proper is still to come
		}
		x.head = head
		break
	}
	at := len(x.head)
	start := s.in.from // the body begins here, the head lies before it
	body, err := s.readBody(w)
	if err != nil {
		return err
	}
	x.head = s.in.data[start-at : start] // the buffer may have grown
	x.Answer, x.Status = body, s.ans.status
	return nil
}

// more reads what comes next. It returns io.EOF when nothing will.
func (s *Session) more(w *wire) error {
	n, err := w.conn.Read(s.in.room())
	s.in.to += n
	if n > 0 {
		return nil
	}
	if err == nil {
		return io.ErrNoProgress
	}
	return err
}

// readHead returns the lines of a head up to and with the empty one.
func (s *Session) readHead(w *wire, limit int) ([]byte, error) {
	line := s.in.from // where the line begins that is not whole yet
	for {
		for {
			end := bytes.IndexByte(s.in.data[line:s.in.to], '\n')
			if end < 0 {
				break
			}
			empty := end == 0 || end == 1 && s.in.data[line] == '\r'
			line += end + 1
			if !empty {
				continue
			}
			head := s.in.data[s.in.from:line]
			s.in.from = line
			if len(head) > limit {
				return nil, s.tooLong()
			}
			return head, nil
		}
		if s.in.pending() >= limit {
			return nil, s.tooLong()
		}
		begun := s.in.data[s.in.from:s.in.to]
		if !strings.HasPrefix(version, string(begun[:min(len(begun), len(version))])) {
			return nil, noStatusLine(begun) // another protocol may wait for us now
		}
		if err := s.more(w); err != nil && s.in.to == 0 {
			return nil, ended(err, errNoAnswer)
		} else if err != nil {
			return nil, ended(err, errCutShort)
		}
	}
}

func (s *Session) tooLong() error {
	return malformed("its head is larger than %d bytes", s.t.opts.MaxHead)
}

// readBody reads the body as the head framed it. It may return a part of the session's buffer.
func (s *Session) readBody(w *wire) ([]byte, error) {
	a := &s.ans
	switch {
	case a.status == 204 || a.status == 304:
		return nil, nil
	case a.chunked:
		return s.readChunks(w)
	case a.length >= 0:
		if a.length > int64(s.t.opts.MaxBody) {
			return nil, s.tooLarge()
		}
		start, n := s.in.from, int(a.length)
		for s.in.to-start < n {
			if err := s.more(w); err != nil {
				return nil, ended(err, errCutShort)
			}
		}
		s.in.from = start + n
		return s.in.data[start : start+n], nil
	}
	a.last = true // the end of the connection is the end of the body
	start := s.in.from
	for {
		if s.in.to-start > s.t.opts.MaxBody {
			return nil, s.tooLarge()
		}
		if err := s.more(w); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	s.in.from = s.in.to
	return s.in.data[start:s.in.to], nil
}

func (s *Session) tooLarge() error {
	return malformed("its body is larger than %d bytes", s.t.opts.MaxBody)
}

// readChunks decodes a chunked body in place, and skips its trailers.
func (s *Session) readChunks(w *wire) ([]byte, error) {
	start, end := s.in.from, s.in.from // the body as decoded so far
	for {
		line, err := s.readLine(w, end)
		if err != nil {
			return nil, err
		}
		size, err := chunkSize(line)
		if err != nil {
			return nil, err
		}
		if size > int64(s.t.opts.MaxBody-(end-start)) {
			return nil, s.tooLarge()
		}
		if size == 0 {
			break
		}
		for left := int(size); left > 0; {
			if s.in.pending() == 0 {
				s.in.from, s.in.to = end, end
				if err := s.more(w); err != nil {
					return nil, ended(err, errCutShort)
				}
			}
			n := copy(s.in.data[end:end+min(left, s.in.pending())], s.in.data[s.in.from:s.in.to])
			s.in.from += n
			end += n
			left -= n
		}
		if line, err = s.readLine(w, end); err != nil {
			return nil, err
		}
		if len(bytes.TrimRight(line, "\r\n")) > 0 {
			return nil, malformed("a chunk is longer than its size says")
		}
	}
	for trailers := 0; ; {
		line, err := s.readLine(w, end)
		if err != nil {
			return nil, err
		}
		trailers += len(line)
		if trailers > s.t.opts.MaxHead {
			return nil, malformed("its trailers are larger than %d bytes", s.t.opts.MaxHead)
		}
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			return s.in.data[start:end], nil
		}
	}
}

// maxLine bounds the line of a chunk's size, with its extensions, and of a trailer.
const maxLine = 8 << 10

// readLine returns the next line with its end, valid until more is read. Bytes before keep are in use.
func (s *Session) readLine(w *wire, keep int) ([]byte, error) {
	scanned := s.in.from
	for {
		if i := bytes.IndexByte(s.in.data[scanned:s.in.to], '\n'); i >= 0 {
			line := s.in.data[s.in.from : scanned+i+1]
			s.in.from = scanned + i + 1
			return line, nil
		}
		if s.in.pending() > maxLine {
			return nil, malformed("a line of its chunked body is longer than %d bytes", maxLine)
		}
		if s.in.to == len(s.in.data) && s.in.from > keep { // move down before growing
			n := copy(s.in.data[keep:], s.in.data[s.in.from:s.in.to])
			s.in.from, s.in.to = keep, keep+n
		}
		scanned = s.in.to
		if err := s.more(w); err != nil {
			return nil, ended(err, errCutShort)
		}
	}
}

// chunkSize reads the hexadecimal size at the head of a chunk, before any extension.
func chunkSize(line []byte) (int64, error) {
	line, _, _ = bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte{';'})
	line = bytes.TrimRight(line, " \t")
	if len(line) == 0 || len(line) > 15 {
		return 0, malformed("a chunk has no usable size (%s)", quoted(line))
	}
	var n int64
	for _, c := range line {
		switch {
		case '0' <= c && c <= '9':
			n = n<<4 | int64(c-'0')
		case 'a' <= lower(c) && lower(c) <= 'f':
			n = n<<4 | int64(lower(c)-'a'+10)
		default:
			return 0, malformed("a chunk has no usable size (%s)", quoted(line))
		}
	}
	return n, nil
}

// quoted shows a bit of what came in a message.
func quoted(b []byte) string {
	if len(b) > 40 {
		return fmt.Sprintf("%q…", b[:40])
	}
	return fmt.Sprintf("%q", b)
}

// buffer holds what was read and not yet handed out: data[from:to]. What came before from may still be in use as the
// head or body of the answer at hand.
type buffer struct {
	data     []byte
	from, to int
}

const (
	smallBuffer = 1 << 10  // most answers fit; thousands of connections that wait cost little
	keptBuffer  = 64 << 10 // a larger one is given back before the next request
)

// begin empties the buffer for the next answer.
func (b *buffer) begin() {
	if b.data == nil || len(b.data) > keptBuffer {
		b.data = make([]byte, smallBuffer)
	}
	b.from, b.to = 0, 0
}

// pending is the number of bytes that nobody asked for yet.
func (b *buffer) pending() int { return b.to - b.from }

// room returns where the next bytes go; it grows the buffer when it is full.
func (b *buffer) room() []byte {
	if b.to == len(b.data) {
		grown := make([]byte, 2*len(b.data))
		copy(grown, b.data[:b.to])
		b.data = grown
	}
	return b.data[b.to:]
}
