package statement

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

const (
	markedUTF8  = "the file announces UTF-8 by its byte order mark, but this line is not valid UTF-8"
	noCharacter = "byte 0x%02x is neither valid UTF-8 here nor a character of windows-1252"
)

// decode turns the bytes into UTF-8 text and names the encoding they were in.
func decode(data []byte) (string, Dialect, error) {
	switch {
	case len(data) == 0:
		return "", Dialect{}, &ParseError{Detail: "the file is empty (0 bytes): not even a header", cause: ErrEmpty}
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "", Dialect{}, notCSV("it is a ZIP archive or a spreadsheet (XLSX)")
	case bytes.HasPrefix(data, []byte("%PDF")):
		return "", Dialect{}, notCSV("it is a PDF document")
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(data, []byte{0, 0, 0xfe, 0xff}):
		return "", Dialect{}, notCSV("it is encoded in UTF-32, which is not supported")
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return decodeUTF16(data[2:], binary.LittleEndian, Dialect{BOM: true, Encoding: "utf-16le"})
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return decodeUTF16(data[2:], binary.BigEndian, Dialect{BOM: true, Encoding: "utf-16be"})
	case len(data) >= 4 && data[0] != 0 && data[1] == 0 && data[2] != 0 && data[3] == 0:
		return decodeUTF16(data, binary.LittleEndian, Dialect{Encoding: "utf-16le"})
	case len(data) >= 4 && data[0] == 0 && data[1] != 0 && data[2] == 0 && data[3] != 0:
		return decodeUTF16(data, binary.BigEndian, Dialect{Encoding: "utf-16be"})
	case bytes.IndexByte(data, 0) >= 0:
		return "", Dialect{}, notCSV("it is binary: it holds NUL bytes")
	}
	dialect := Dialect{Encoding: "utf-8"}
	if rest, found := bytes.CutPrefix(data, []byte{0xef, 0xbb, 0xbf}); found {
		data, dialect.BOM = rest, true
	}
	if utf8.Valid(data) {
		return string(data), dialect, nil
	}
	if dialect.BOM {
		return "", dialect, &ParseError{
			Line:   1 + bytes.Count(data[:firstInvalid(data)], []byte("\n")),
			Detail: markedUTF8,
		}
	}
	return decodeWindows1252(data)
}

func decodeWindows1252(data []byte) (string, Dialect, error) {
	dialect := Dialect{Encoding: "windows-1252"}
	for i, b := range data {
		switch b {
		case 0x81, 0x8d, 0x8f, 0x90, 0x9d:
			return "", dialect, &ParseError{
				Line:   1 + bytes.Count(data[:i], []byte("\n")),
				Detail: fmt.Sprintf(noCharacter, b),
			}
		}
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return "", dialect, notCSV("its encoding is neither UTF-8 nor windows-1252")
	}
	return string(text), dialect, nil
}

func decodeUTF16(data []byte, order binary.ByteOrder, dialect Dialect) (string, Dialect, error) {
	if len(data)%2 != 0 {
		return "", dialect, &ParseError{Detail: "the file is " + dialect.Encoding +
			" with an odd number of bytes: it is cut off"}
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	line := 1
	for i := 0; i < len(units); i++ {
		u := units[i]
		switch {
		case u == '\n':
			line++
		case u == 0:
			return "", dialect, notCSV("it is binary: it holds NUL characters")
		case u >= 0xd800 && u < 0xdc00 && i+1 < len(units) && units[i+1] >= 0xdc00 && units[i+1] < 0xe000:
			i++
		case u >= 0xd800 && u < 0xe000:
			return "", dialect, &ParseError{
				Line:   line,
				Detail: "half a surrogate pair: the line is not valid " + dialect.Encoding,
			}
		}
	}
	return string(utf16.Decode(units)), dialect, nil
}

// firstInvalid is the offset of the first byte that is not valid UTF-8; the caller knows that there is one.
func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return 0
}
