package printable_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain, José O’Néill 日本": "plain, José O’Néill 日本", "a\nb\tc\r\nd": "a b c d",
		"\x1b[31m": "<U+001B>[31m",
		"a\u202eb": "a<U+202E>b", "\xff": "\uFFFD", "\u0085": "<U+0085>",
	} {
		testmust.Equal(t, printable.Clean(in), want, in)
	}
	testmust.Equal(t, printable.CleanLines("a\r\nb\n\x07"), "a\nb\n<U+0007>")
}

func TestTextFitsItsColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := printable.Clean(rapid.String().Draw(t, "text"))
		columns := rapid.IntRange(8, 60).Draw(t, "columns")
		if fitted := printable.TruncateToWidth(s, columns); printable.Width(fitted) > columns ||
			!utf8.ValidString(fitted) {
			t.Fatalf("Fit gives %d columns: %q", printable.Width(fitted), fitted)
		}
		lines := printable.Wrap(s, columns)
		for _, line := range lines {
			if printable.Width(line) > columns {
				t.Fatalf("Wrap gives %d columns: %q", printable.Width(line), line)
			}
		}
		if strings.Join(strings.Fields(strings.Join(lines, "")), "") != strings.Join(strings.Fields(s),
			"") {
			t.Fatalf("Wrap loses text: %q", lines)
		}
	})
	for text, want := range map[string]int{"abc": 3, "日本": 4, "e\u0301": 1, "✓": 1, "🙂": 2} {
		testmust.Equal(t, printable.Width(text), want, text)
	}
}

func TestClipCutsOnlyWhatIsLongerThanTheRemark(t *testing.T) {
	for text, want := range map[string]string{
		"0123456789":                           "0123456789",
		"0123456789 and 4 more":                "0123456789 and 4 more",
		"0123456789" + strings.Repeat("x", 40): "0123456789… (40 more bytes)",
		strings.Repeat("é", 40):                strings.Repeat("é", 10) + "… (60 more bytes)",
	} {
		testmust.Equal(t, printable.Truncate(text, 10), want, text)
	}
}

func TestQuantity(t *testing.T) {
	for n, want := range map[int64]string{0: "0 rules", 1: "1 rule", 2: "2 rules"} {
		testmust.Equal(t, printable.Quantity(n, "rule"), want)
	}
}
