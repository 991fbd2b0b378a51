package transport

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// encode writes the request into the session's buffer. It refuses what would let a value break out of its line.
func (s *Session) encode(x *Exchange) ([]byte, error) {
	if !plain(x.Path) {
		return nil, errors.New("the request cannot be built: its path holds a control character or a space")
	}
	b := s.out[:0]
	b = append(b, "POST "...)
	b = append(b, x.Path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, s.t.opts.Base.Host...)
	b = append(b, "\r\nUser-Agent: "...)
	b = append(b, s.t.opts.UserAgent...)
	b = append(b, "\r\n"...)
	for i := range x.Fields {
		f := &x.Fields[i]
		if bytes.IndexByte(f.Value, '\n') >= 0 || bytes.IndexByte(f.Value, '\r') >= 0 ||
			bytes.IndexByte(f.Value, 0) >= 0 || !plain(f.Name) || f.Name == "" || strings.IndexByte(f.Name, ':') >= 0 {
			return nil, fmt.Errorf("the request cannot be built: header %q holds what would end its line", f.Name)
		}
		b = append(b, f.Name...)
		b = append(b, ": "...)
		b = append(b, f.Value...)
		b = append(b, "\r\n"...)
	}
	if s.t.opts.NoReuse {
		b = append(b, "Connection: close\r\n"...)
	}
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, int64(len(x.Body)), 10)
	b = append(b, "\r\n\r\n"...)
	b = append(b, x.Body...)
	s.out = b
	return b, nil
}

// plain reports that s holds neither space nor control character.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] == 0x7f {
			return false
		}
	}
	return true
}
