// Package printable makes any text fit to be shown: harmless on a terminal and in a file, and no wider than there is
// room.
package printable

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
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

// terminal counts columns as terminals outside of East Asia do.
func terminal() *runewidth.Condition { return &runewidth.Condition{StrictEmojiNeutral: true} }

// Columns is how many columns of a terminal a text takes.
func Columns(s string) int { return terminal().StringWidth(s) }

// Fit cuts a text to a number of columns, with … at its end when something was cut.
func Fit(s string, columns int) string {
	if columns <= 0 {
		return ""
	}
	return terminal().Truncate(s, columns, "…")
}

// Quote puts a text into quotes, without what acts on a terminal and cut where it is long.
func Quote(s string) string { return `"` + Brief(s) + `"` }

// Brief is a text on one line, without what acts on a terminal and cut where it is long.
func Brief(s string) string { return Clean(Fit(s, 100)) }

// Pad adds spaces up to a number of columns.
func Pad(s string, columns int) string { return terminal().FillRight(s, columns) }

// Wrap breaks a text at spaces so that no line takes more than a number of columns; a longer word is cut into pieces.
// There is always at least one line.
func Wrap(s string, columns int) []string {
	columns = max(columns, 8)
	lines := []string{""}
	for i, word := range strings.Fields(s) {
		last := &lines[len(lines)-1]
		switch {
		case i == 0:
			*last = word
		case Columns(*last)+1+Columns(word) <= columns:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
		for {
			last := &lines[len(lines)-1]
			piece := terminal().Truncate(*last, columns, "")
			if piece == *last {
				break
			}
			rest := (*last)[len(piece):]
			*last = piece
			lines = append(lines, rest)
		}
	}
	return lines
}

// First joins the first of a list, and says how many follow, where that is more than one.
func First(list []string, most int, separator string) string {
	if len(list)-1 <= most {
		return strings.Join(list, separator)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], separator), len(list)-most)
}

// Quantity writes a number with its noun in singular or plural: 1 rule, 1,203 requests.
func Quantity[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Number writes a number with its thousands set apart: 1,203.
func Number[N int | int64](n N) string { return message.NewPrinter(language.English).Sprint(n) }

// Rate writes requests per second, with four digits and all that stand before the point: 2,000,000/s.
func Rate(perSecond float64) string {
	if perSecond >= 1000 {
		return message.NewPrinter(language.English).Sprintf("%.0f/s", perSecond)
	}
	return strconv.FormatFloat(perSecond, 'g', 4, 64) + "/s"
}
