package statement

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// detectEncoding detects the encoding of a file from its beginning.
func detectEncoding(head []byte) (Dialect, error) {
	starts := func(with string) bool { return bytes.HasPrefix(head, []byte(with)) }
	letter := func(i int) bool { return head[i] != 0 && head[i+1] == 0 }
	long := len(head) >= 4
	switch {
	case len(head) == 0:
		return Dialect{}, &ParseError{
			Detail: "the file is empty (0 bytes): not even a header",
			cause:  ErrEmpty,
		}
	case starts("PK\x03\x04"):
		return Dialect{}, notCSVError("it is a ZIP archive or a spreadsheet (XLSX)")
	case starts("%PDF"):
		return Dialect{}, notCSVError("it is a PDF document")
	case starts("\xff\xfe\x00\x00"), starts("\x00\x00\xfe\xff"):
		return Dialect{}, notCSVError("it is encoded in UTF-32, which is not supported")
	case starts("\xff\xfe"), long && letter(0) && letter(2):
		return Dialect{Encoding: "utf-16le", BOM: starts("\xff\xfe")}, nil
	case starts("\xfe\xff"), long && head[0] == 0 && letter(1) && head[3] != 0:
		return Dialect{Encoding: "utf-16be", BOM: starts("\xfe\xff")}, nil
	case starts("\xef\xbb\xbf"):
		return Dialect{Encoding: "utf-8", BOM: true}, nil
	case utf8.Valid(head):
		return Dialect{Encoding: "utf-8"}, nil
	}
	return Dialect{Encoding: "windows-1252"}, nil
}

// decodeReader returns a reader that converts a file to UTF-8. Its errors are *ParseErrors,
// except for errors of r.
func decodeReader(r io.Reader, d Dialect) io.Reader {
	var decoder transform.Transformer
	mark := int64(2)
	utf16 := func(order unicode.Endianness) transform.Transformer {
		return transform.Chain(unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder(),
			&windows1252Decoder{line: 1})
	}
	switch d.Encoding {
	case "utf-16le":
		decoder = utf16(unicode.LittleEndian)
	case "utf-16be":
		decoder = utf16(unicode.BigEndian)
	default:
		decoder, mark = &windows1252Decoder{
			marked:  d.BOM,
			western: d.Encoding == "windows-1252",
			line:    1,
		}, 3
	}
	if d.BOM {
		_, _ = io.CopyN(io.Discard, r, mark) // what breaks here breaks again
	}
	return transform.NewReader(r, decoder)
}

// windows1252Decoder copies valid UTF-8 and decodes every other byte as windows-1252.
type windows1252Decoder struct {
	transform.NopResetter
	marked  bool // a byte order mark says UTF-8: other bytes are errors
	western bool // nothing is UTF-8
	line    int
}

func (e *windows1252Decoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		room := src[nSrc:min(len(src), nSrc+len(dst)-nDst)]
		if valid := room[:e.unchangedLength(room)]; len(valid) > 0 {
			if bytes.IndexByte(valid, 0) >= 0 {
				return nDst, nSrc, notCSVError("it is binary: it holds NUL bytes")
			}
			e.line += bytes.Count(valid, []byte{'\n'})
			nDst += copy(dst[nDst:], valid)
			nSrc += len(valid)
			continue
		}
		switch {
		case !atEOF && !utf8.FullRune(src[nSrc:]):
			return nDst, nSrc, transform.ErrShortSrc
		case len(dst)-nDst < utf8.UTFMax:
			return nDst, nSrc, transform.ErrShortDst
		case e.marked:
			return nDst, nSrc, &ParseError{
				Line:   e.line,
				Detail: "the file announces UTF-8 by its byte order mark, but this line is not valid UTF-8",
			}
		}
		switch b := src[nSrc]; b {
		case 0x81, 0x8d, 0x8f, 0x90, 0x9d:
			return nDst, nSrc, &ParseError{Line: e.line, Detail: fmt.Sprintf(
				"byte 0x%02x is neither valid UTF-8 here nor a character of windows-1252", b)}
		}
		nDst += utf8.EncodeRune(dst[nDst:], charmap.Windows1252.DecodeByte(src[nSrc]))
		nSrc++
	}
	return nDst, nSrc, nil
}

// unchangedLength returns how many bytes at the beginning are copied as they are.
func (e *windows1252Decoder) unchangedLength(data []byte) int {
	if !e.western && utf8.Valid(data) {
		return len(data)
	}
	i := 0
	for i < len(data) {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 || e.western && size > 1 {
			break
		}
		i += size
	}
	return i
}
