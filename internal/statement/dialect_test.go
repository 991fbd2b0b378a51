package statement

import (
	"io"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestGuessedDelimiters(t *testing.T) {
	for text, want := range map[string]rune{
		"a\n1\n":                     ',',
		"\n":                         ',',
		"a;b\n1;2\n1;2;3\n":          ';', // most rows agree, not all
		"a,b,c;d\n1,2,3;4\n":         ',', // both agree: more fields win
		"a,b;c;d\n1,2;3;4\n":         ';',
		"a,b;c\n1,2;3\n":             ',', // the first among equals
		"a,b;c;d\n1,2\n":             ',', // agreement comes before more fields
		"a,b;c;d\n1,2":               ',', // a last line without an end counts
		"a,b,c\td\n1\t2\n":           '\t',
		"a|b\n":                      '|',
		"\"id;a\n1;2\n":              ';', // a quote that never closes hides nothing of the header
		"\n\"id;a\n1;2\n":            ';',
		"a,b;c;d\n1,2\n\"x":          ',', // below the header an open quote hides no other row
		"a,b;c;d\r\n\r\n1,2\r\n":     ',',
		"a,\"b;c;d\"\n1,\"2;3;4\"\n": ',',
	} {
		testmust.Equal(t, detectDelimiter(maskQuoted(text)), want, text)
	}
}

func TestLineEnds(t *testing.T) {
	for text, want := range map[string]struct {
		ends string
		bare bool // the header ends with CR alone
	}{
		"a,b": {"none", false}, "\na\n": {"LF", false}, "\r\na": {"CRLF", false},
		"a\r\nb\n":     {"mixed", false},
		"\"a\nb\"\r\n": {"CRLF", false}, "1,\"x\"\"y\nz\"\r\n": {"CRLF", false},
		"\"a\rb\",c\n": {"LF", false},
		"id\r1":        {"none", true}, "id\r": {"none", false}, "\n\nid\r1": {"LF", true},
		"id\n1\r2":      {"LF", false},
		"\"a\nb\",c\r1": {"none", true},
	} {
		if ends, bare := detectLineEnds(maskQuoted(text)),
			headerHasBareCR(maskQuoted(text)); ends != want.ends || bare != want.bare {
			t.Errorf("%q: %s, %v, want %s, %v", text, ends, bare, want.ends, want.bare)
		}
	}
}

// decode decodes a file as text.
func decode(data string) (string, Dialect, error) {
	d, err := detectEncoding([]byte(data))
	if err != nil {
		return "", d, err
	}
	text, err := io.ReadAll(decodeReader(strings.NewReader(data), d))
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
	for _, data := range []string{
		"\x00", "ab\x00c", "a\x00b", "a\x00\x00\x00", "\x00\x00\x00a", "a\x00bc",
	} {
		_, _, err := decode(data)
		testmust.FailWith(t, err, "binary", data)
	}
}
