package statement

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestGuessedDelimiters(t *testing.T) {
	for text, want := range map[string]rune{
		"a\n1\n":                     ',',
		"\n":                         ',',
		"a;b\n1;2\n1;2;3\n":          ';', // most rows agree, not all
		"a,b,c;d\n1,2,3;4\n":         ',', // both agree: more fields win
		"a,b;c;d\n1,2;3;4\n":         ';',
		"a,b;c\n1,2;3\n":             ',', // and among equals the first
		"a,b;c;d\n1,2\n":             ',', // agreement comes before more fields
		"a,b;c;d\n1,2":               ',', // a last line without an end counts
		"a,b,c\td\n1\t2\n":           '\t',
		"a|b\n":                      '|',
		"\"id;a\n1;2\n":              ';', // a quote that never closes hides nothing of the header
		"\n\"id;a\n1;2\n":            ';',
		"a,b;c;d\n1,2\n\"x":          ',', // below the header it hides no other row
		"a,b;c;d\r\n\r\n1,2\r\n":     ',',
		"a,\"b;c;d\"\n1,\"2;3;4\"\n": ',',
	} {
		if got := guessDelimiter(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCountedRecords(t *testing.T) {
	for text, want := range map[string]int{
		"a,b":                               1,
		"a,b\n":                             1,
		"a,b\n1,2\n":                        2,
		"a,b\n1,2":                          2,
		"a,b\n\n\r\n1,2\n\n":                2,
		"a,b\n1,\"2\n3\"\n":                 2,
		"a,b\n1,\"2\n":                      1, // an open quote is no record
		strings.Repeat("a,b\n", 49) + "c,d": 50,
		strings.Repeat("a,b\n", 50) + "c,d": sampleSize,
		strings.Repeat("a,b\n", 99):         sampleSize,
	} {
		if got := countDelimiters(text); len(got) != want || got[0][0] != 1 {
			t.Errorf("%q: %d records, want %d; the header has %v", text, len(got), want, got[0])
		}
	}
}

func TestLineEndsAndQuotes(t *testing.T) {
	for text, want := range map[string]struct {
		end    string
		quoted bool
	}{
		"a,b":                   {"none", false},
		"\na\n":                 {"LF", false},
		"\r\na":                 {"CRLF", false},
		"a\r\nb\n":              {"mixed", false},
		"a\nb\r\n":              {"mixed", false},
		"\"a\nb\"\r\n":          {"CRLF", true},
		"1,\"x\"\"y\nz\"\r\n":   {"CRLF", true}, // a doubled quote does not close
		"1,\"x\"\"\n\"\"\"\r\n": {"CRLF", true},
		"a,x\"y\r\nb\n":         {"mixed", false}, // a quote in the middle opens nothing
		"a,x\"\n\"y\r\n":        {"LF", true},     // nor at the end, but after a line end it does
		"a;\"b\nc\"\r\n":        {"mixed", false}, // only after the delimiter
	} {
		if end, quoted := inspect(text, ','); end != want.end || quoted != want.quoted {
			t.Errorf("%q: %s, quoted %v, want %s, %v", text, end, quoted, want.end, want.quoted)
		}
	}
}

func TestBareReturns(t *testing.T) {
	for text, want := range map[string]int{ // line, 0: none
		"id\r1":              1,
		"id\r":               0, // nothing follows
		"id\r\n1":            0,
		"id\n1\r2":           0, // only the header shows
		"\n\nid\r1":          3,
		"\r\n\r\nid\r\n1\r2": 0,
		"\"a\rb\",c\n":       0,
		"\"a\nb\",c\r1":      2,
		"\"\"\n1\r2":         0,
		"\n\r\n\n":           0,
	} {
		if line, found := bareReturn(text); line != want || found != (want > 0) {
			t.Errorf("%q: line %d, %v, want %d", text, line, found, want)
		}
	}
}

func TestOtherFormatsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"<html>": "HTML", "<!doctype html>": "HTML", "<p><BODY >": "HTML", "<a>": "XML",
		"<a>" + strings.Repeat(" ", 1021) + "<html>": "XML", // too far behind
		"{": "JSON", "{}": "JSON", `{"a`: "JSON", " {\n\t\"": "JSON", "[": "JSON", "[{": "JSON", "[ {": "JSON",
		"[1,2]": "JSON", "[]": "JSON",
		"{id},{a}": "", "[id],[a]": "", "id": "", "(": "", "1": "",
	} {
		err := refuseOtherFormats(text)
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if !errors.Is(err, ErrNotCSV) || !strings.Contains(err.Error(), "expected CSV, got "+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// decode reads a file as text.
func decode(data string) (string, Dialect, error) {
	d, err := encodingOf([]byte(data))
	if err != nil {
		return "", d, err
	}
	text, err := io.ReadAll(decoding(strings.NewReader(data), d))
	return string(text), d, err
}

func TestEncodingsOfVeryShortFiles(t *testing.T) {
	for data, want := range map[string]string{
		"i\x00d\x00":    "utf-16le",
		"\x00i\x00d":    "utf-16be",
		"id":            "utf-8",
		"\xe9":          "windows-1252",
		"\xff\xfei\x00": "utf-16le",
	} {
		text, dialect, err := decode(data)
		if err != nil || dialect.Encoding != want || !strings.ContainsAny(text, "ié") {
			t.Errorf("%q: %q, %+v, %v, want %s", data, text, dialect, err, want)
		}
	}
	for _, data := range []string{"\x00", "ab\x00c", "a\x00b", "a\x00\x00\x00", "\x00\x00\x00a", "a\x00bc"} {
		if _, _, err := decode(data); !errors.Is(err, ErrNotCSV) || !strings.Contains(err.Error(), "binary") {
			t.Errorf("%q: %v", data, err)
		}
	}
	for _, data := range []string{"\x1f\x8b\x08", "\x1f\x8b\x08\x00"} {
		if _, err := inflateAll([]byte(data), 1<<20); !errors.Is(err, ErrNotCSV) ||
			!strings.Contains(err.Error(), "starts like gzip") {
			t.Errorf("%q: %v", data, err)
		}
	}
	for _, data := range []string{"\x1f\x8b", "\x1e\x8b\x08id", "\x1f\x8a\x08id", "\x1f\x8b\x07id"} {
		if out, err := inflateAll([]byte(data), 1<<20); err != nil || !bytes.Equal(out, []byte(data)) {
			t.Errorf("%q is not gzip: %q, %v", data, out, err)
		}
	}
}

func inflateAll(data []byte, limit int64) ([]byte, error) {
	plain, err := inflated(bufio.NewReader(bytes.NewReader(data)), limit)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(plain)
}

func TestInvalidLinesAreCounted(t *testing.T) {
	for data, want := range map[string]int{
		"\xef\xbb\xbf\xffa\n":            1,
		"\xef\xbb\xbfa\né\n\xc3\n":       3,
		"\xef\xbb\xbfa\n\ufffd\nb\xff\n": 3, // the replacement character itself is valid
		"a\n\xe9\n\x81\n":                3,
	} {
		_, _, err := decode(data)
		var bad *ParseError
		if !errors.As(err, &bad) || bad.Line != want {
			t.Errorf("%q: %v, want line %d", data, err, want)
		}
	}
}

func TestSurrogates(t *testing.T) {
	for _, c := range []struct {
		units []uint16
		line  int // of the error, 0: none
		text  string
	}{
		{[]uint16{0xd800, 0xdc00}, 0, "\U00010000"},
		{[]uint16{0xdbff, 0xdfff, 'a'}, 0, "\U0010ffffa"},
		{[]uint16{0xd800, 0xdc00, 0xd83d, 0xde00}, 0, "\U00010000😀"},
		{[]uint16{0xd7ff, 0xe000, 0xffff}, 0, "\ud7ff\ue000\uffff"},
		{[]uint16{'a', '\n', 0xd800}, 2, ""},
		{[]uint16{0xdbff, 0xdbff}, 1, ""},
		{[]uint16{0xd800, 0xe000}, 1, ""},
		{[]uint16{0xd800, 0xdbff}, 1, ""},
		{[]uint16{0xdc00}, 1, ""},
		{[]uint16{0xdc00, 0xdc00}, 1, ""},
		{[]uint16{0xdfff}, 1, ""},
		{[]uint16{0xd800, 0xdc00, 0xdc00}, 1, ""},
		{[]uint16{0xd800, '\n', 0xdc00}, 1, ""},
		{[]uint16{0xd7ff, 0xdc00}, 1, ""},
	} {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			data := make([]byte, 2*len(c.units))
			for i, u := range c.units {
				order.PutUint16(data[2*i:], u)
			}
			encoding := map[binary.ByteOrder]string{binary.LittleEndian: "utf-16le"}[order]
			all, err := io.ReadAll(decoding(bytes.NewReader(data), Dialect{Encoding: cmp.Or(encoding, "utf-16be")}))
			text := string(all)
			var bad *ParseError
			if c.line == 0 && (err != nil || text != c.text) || c.line > 0 &&
				(!errors.As(err, &bad) || bad.Line != c.line) {
				t.Errorf("%x: %q, %v", c.units, text, err)
			}
		}
	}
}
