package redact

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// view is a text as it reads once an encoding is undone. Each of its bytes knows the part of the source it comes from.
type view struct {
	text  []byte
	spans []span // nil: the text is the source
}

func (v *view) source(at int32) (from, to int32) {
	if v.spans == nil {
		return at, at + 1
	}
	return v.spans[at].from, v.spans[at].to
}

// put appends bytes that come from v.text[from:to] of another view.
func (v *view) put(of *view, from, to int, plain ...byte) {
	start, _ := of.source(int32(from))
	_, end := of.source(int32(to - 1))
	for _, c := range plain {
		v.text = append(v.text, c)
		v.spans = append(v.spans, span{start, end})
	}
}

// decoded visits what the text may be meant as: escapes undone, and what its runs of Base64, Base32, hexadecimal digits
// and numbers of bytes stand for.
func (v *view) decoded(visit func(view)) {
	if plain, changed := v.unescaped(); changed {
		visit(plain)
	}
	for i := range notations {
		v.digits(&notations[i], visit)
	}
	v.numbers(visit)
}

// notation is one that writes so many bits in each character.
type notation struct {
	width    int
	least    int             // characters; a shorter run holds nothing
	starts   int             // characters at which a byte can begin
	value    [256]int8       // of a character; negative: it is none of the notation
	between  func(byte) bool // what may stand between two characters
	prefixed bool            // a 0x may stand before a byte
}

const letters64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

var (
	hexValue  = values("0123456789abcdef", "0123456789ABCDEF")
	notations = []notation{
		{width: 6, least: 16, starts: 4, value: values(letters64+"+/", letters64+"-_"), between: lineEnd},
		{
			width: 5, least: 20, starts: 8, between: lineEnd,
			value: values("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "abcdefghijklmnopqrstuvwxyz234567"),
		},
		{width: 4, least: 2 * runLength, starts: 2, value: hexValue, between: separator, prefixed: true},
	}
)

// values are the places of characters in alphabets.
func values(alphabets ...string) (value [256]int8) {
	for c := range value {
		value[c] = -1
		for _, alphabet := range alphabets {
			value[c] = max(value[c], int8(strings.IndexByte(alphabet, byte(c))))
		}
	}
	return value
}

// digits decodes each run of a notation, from each character at which a byte can begin.
func (v *view) digits(n *notation, visit func(view)) {
	var at []int
	flush := func() {
		if len(at) >= n.least && !v.uuid(at) {
			for start := range n.starts {
				if plain := v.bits(n, at[start:]); len(plain.text) >= runLength {
					visit(plain)
				}
			}
		}
		at = at[:0]
	}
	for i, c := range v.text {
		switch {
		case n.value[c] >= 0:
			at = append(at, i)
		case n.prefixed && c|0x20 == 'x' && len(at) > 0 && at[len(at)-1] == i-1 && v.text[i-1] == '0':
			at = at[:len(at)-1]
		case len(at) > 0 && !n.between(c):
			flush()
		}
	}
	flush()
}

// uuid reports whether a run is a UUID, as most long runs of an answer are: it stands for nothing else.
func (v *view) uuid(at []int) bool {
	const length = 36
	if len(at) != length || at[length-1]-at[0] != length-1 {
		return false
	}
	text := v.text[at[0]:]
	return text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-'
}

// readable reports whether most of the text is ASCII: what was no encoding at all decodes to anything.
func (v *view) readable() bool {
	others := 0
	for _, c := range v.text {
		if c >= 0x80 {
			others++
		}
	}
	return others <= len(v.text)/4
}

func (v *view) bits(n *notation, at []int) view {
	plain := view{text: make([]byte, 0, len(at)), spans: make([]span, 0, len(at))}
	held, count, from := uint32(0), 0, 0
	for i, position := range at {
		held, count = held<<n.width|uint32(n.value[v.text[position]]), count+n.width
		if count >= 8 {
			count -= 8
			plain.put(v, at[from], position+1, byte(held>>count))
			from = i
			if count == 0 {
				from = i + 1
			}
		}
	}
	return plain
}

func lineEnd(c byte) bool { return c == '\n' || c == '\r' || c == '\t' }
func separator(c byte) bool {
	return c < 0x80 && !alphanumeric(c) && bytes.IndexByte([]byte("{}<>()"), c) < 0
}

// numbers decodes lists of bytes in decimal: 101, 121, 74.
func (v *view) numbers(visit func(view)) {
	plain := view{}
	flush := func() {
		if len(plain.text) >= runLength {
			visit(plain)
		}
		plain = view{}
	}
	for i := 0; i < len(v.text); {
		from := i
		for i < len(v.text) && v.text[i] >= '0' && v.text[i] <= '9' {
			i++
		}
		if from == i {
			if !separator(v.text[i]) {
				flush()
			}
			i++
			continue
		}
		value, err := strconv.ParseUint(string(v.text[from:i]), 10, 8)
		if err != nil {
			flush()
			continue
		}
		plain.put(v, from, i, byte(value))
	}
	flush()
}

// unescaped undoes the escapes of addresses, of strings in programs, of HTML and of quoted-printable text.
func (v *view) unescaped() (plain view, changed bool) {
	if !bytes.ContainsAny(v.text, `%\&=`) {
		return view{}, false
	}
	for i := 0; i < len(v.text); {
		size, value := escape(v.text[i:])
		if size == 0 {
			plain.put(v, i, i+1, v.text[i])
			i++
			continue
		}
		changed = true
		plain.put(v, i, i+size, value...)
		i += size
	}
	return plain, changed
}

// escape reads the escape that a text begins with: its length, 0 when there is none, and what it stands for.
func escape(b []byte) (size int, value []byte) {
	switch b[0] {
	case '%', '=':
		if len(b) > 2 {
			if c, ok := hexByte(b[1:3]); ok {
				return 3, []byte{c}
			}
		}
	case '\\':
		return backslash(b)
	case '&':
		end := bytes.IndexByte(b[:min(len(b), 12)], ';')
		if end > 1 {
			if plain := html.UnescapeString(string(b[:end+1])); plain != string(b[:end+1]) {
				return end + 1, []byte(plain)
			}
		}
	}
	return 0, nil
}

func backslash(b []byte) (size int, value []byte) {
	if len(b) < 2 {
		return 0, nil
	}
	switch c := b[1]; {
	case c == 'u' && len(b) > 5:
		if n, err := strconv.ParseUint(string(b[2:6]), 16, 32); err == nil {
			return 6, utf8.AppendRune(nil, rune(n))
		}
	case c == 'x' && len(b) > 3:
		if n, ok := hexByte(b[2:4]); ok {
			return 4, []byte{n}
		}
	case bytes.IndexByte([]byte("nrtbfv0"), c) >= 0:
		return 2, []byte{' '}
	}
	return 0, nil
}

func hexByte(b []byte) (byte, bool) {
	high, low := hexValue[b[0]], hexValue[b[1]]
	return byte(high)<<4 | byte(low), high >= 0 && low >= 0
}
