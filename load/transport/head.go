package transport

import (
	"bytes"
	"math"
)

// parse reads the head of an answer: the status line and the headers that frame the body.
func (a *answer) parse(head []byte) error {
	*a = answer{length: -1}
	line, rest := cutLine(head)
	if err := a.statusLine(line); err != nil {
		return err
	}
	framing := false // the last header concerned the framing
	for {
		line, rest = cutLine(rest)
		if len(line) == 0 {
			break
		}
		if line[0] == ' ' || line[0] == '\t' { // a folded line, long out of use
			if framing {
				return malformed("a header that frames the body is folded")
			}
			continue
		}
		i := bytes.IndexByte(line, ':')
		if i <= 0 {
			return malformed("%s is not a header", quoted(line))
		}
		name := line[:i]
		if c := name[i-1]; c == ' ' || c == '\t' {
			return malformed("white space before the colon of header %s", quoted(name))
		}
		framing = false
		switch i {
		case len("connection"):
			if equalFold(name, "connection") {
				a.connection(line[i+1:])
			}
		case len("content-length"):
			if equalFold(name, "content-length") {
				framing = true
				if err := a.contentLength(trim(line[i+1:])); err != nil {
					return err
				}
			}
		case len("transfer-encoding"):
			if equalFold(name, "transfer-encoding") {
				framing = true
				if a.chunked || !equalFold(trim(line[i+1:]), "chunked") {
					return malformed("its transfer encoding is %s, and only chunked is understood",
						quoted(trim(line[i+1:])))
				}
				a.chunked = true
			}
		}
	}
	switch {
	case a.chunked && a.old:
		return malformed("a chunked body in HTTP/1.0")
	case a.chunked && a.length >= 0:
		a.length, a.last = -1, true // what stands here is ambiguous: nothing may follow on this connection
	}
	a.last = a.last || a.old && !a.kept
	return nil
}

const version = "HTTP/1."

func noStatusLine(begin []byte) error {
	return malformed("it begins with %s, not with a status line of HTTP/1", quoted(begin))
}

// statusLine reads HTTP/1.x, a space, three digits and what may follow them.
func (a *answer) statusLine(line []byte) error {
	if len(line) < len("HTTP/1.1 200") || string(line[:len(version)]) != version || line[8] != ' ' {
		return noStatusLine(line)
	}
	minor := line[7]
	if minor < '0' || minor > '9' {
		return noStatusLine(line)
	}
	a.old = minor == '0'
	for _, c := range line[9:12] {
		if c < '0' || c > '9' {
			return malformed("its status is %s", quoted(line[9:]))
		}
		a.status = a.status*10 + int(c-'0')
	}
	if a.status < 100 || len(line) > 12 && line[12] != ' ' {
		return malformed("its status is %s", quoted(line[9:]))
	}
	return nil
}

func (a *answer) connection(v []byte) {
	for token := range bytes.SplitSeq(v, []byte{','}) {
		switch token = trim(token); {
		case equalFold(token, "close"):
			a.last = true
		case equalFold(token, "keep-alive"):
			a.kept = true
		}
	}
}

func (a *answer) contentLength(v []byte) error {
	if len(v) == 0 {
		return malformed("its Content-Length is empty")
	}
	var n int64
	for _, c := range v {
		if c < '0' || c > '9' || n > math.MaxInt64/10-1 {
			return malformed("its Content-Length is %s", quoted(v))
		}
		n = n*10 + int64(c-'0')
	}
	if a.length >= 0 && a.length != n {
		return malformed("it has two lengths, %d and %d", a.length, n)
	}
	a.length = n
	return nil
}

// cutLine splits off the first line, without its end.
func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return nil, nil
	}
	line, rest = b[:i], b[i+1:]
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, rest
}

// trim cuts the white space that may surround a value.
func trim(b []byte) []byte { return bytes.Trim(b, " \t") }
