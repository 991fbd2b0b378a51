// Package printable makes any text fit to be shown: harmless on a terminal and in a file, and no wider than there is
// room.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Clean makes a text harmless on one line: line breaks and tabs become spaces, other control characters and invisible
// ones that turn the direction of writing become visible, invalid UTF-8 becomes U+FFFD.
func Clean(s string) string { return clean(s, false) }

// CleanLines is Clean for a text of several lines: it keeps line breaks.
func CleanLines(s string) string { return clean(s, true) }

func clean(s string, lines bool) string {
	ok := utf8.ValidString(s)
	if ok && strings.IndexFunc(s, hostile) < 0 {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	for _, r := range s { // ranging turns invalid bytes into U+FFFD
		switch {
		case r == '\n' && lines:
			b.WriteRune(r)
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			b.WriteByte(' ')
		case hostile(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hostile reports whether a character acts on a terminal, a parser or a reader's eye instead of showing.
func hostile(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' ||
		r == '\uFEFF' ||
		r >= 0xFFFE && r <= 0xFFFF || unicode.Is(unicode.Noncharacter_Code_Point, r)
}

// Clip cuts a text after limit runes and says how many bytes were left out. Where that remark is longer than what it
// stands for nothing is cut.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit {
			if remark := fmt.Sprintf("… (%d more bytes)", len(s)-i); len(remark) < len(s)-i {
				return s[:i] + remark
			}
			return s
		}
		n++
	}
	return s
}

// Columns is how many columns of a terminal a text takes.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Fit cuts a text to a number of columns, with … at its end when something was cut.
func Fit(s string, columns int) string {
	if Columns(s) <= columns {
		return s
	}
	if columns <= 0 {
		return ""
	}
	n := 0
	for i, r := range s {
		if n+runeColumns(r) > columns-1 {
			return s[:i] + "…"
		}
		n += runeColumns(r)
	}
	return s
}

// Pad adds spaces up to a number of columns.
func Pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-Columns(s)))
}

// Wrap breaks a text at spaces so that no line takes more than a number of columns; a longer word is cut into pieces.
// There is always at least one line.
func Wrap(s string, columns int) []string {
	columns = max(columns, 8)
	var lines []string
	line, used := "", 0
	for i, word := range strings.Fields(s) {
		w := Columns(word)
		if i > 0 && used+1+w <= columns {
			line, used = line+" "+word, used+1+w
			continue
		}
		if i > 0 {
			lines = append(lines, line)
		}
		for w > columns {
			cut, n := len(word), 0
			for i, r := range word {
				if n+runeColumns(r) > columns {
					cut = i
					break
				}
				n += runeColumns(r)
			}
			lines = append(lines, word[:cut])
			word = word[cut:]
			w = Columns(word)
		}
		line, used = word, w
	}
	return append(lines, line)
}

// Quantity writes a number with its noun in singular or plural.
func Quantity[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
