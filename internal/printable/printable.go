// Package printable makes text safe to show on a terminal and in files, and fits it to a width.
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

// Clean makes a text safe on one line: line breaks and tabs become spaces, control characters and
// bidirectional controls become visible, invalid UTF-8 becomes U+FFFD.
func Clean(s string) string { return cleanText(s, false) }

// CleanLines is Clean for several lines: it keeps line breaks.
func CleanLines(s string) string { return cleanText(s, true) }

// Clip is Clean for the first limit runes of a text, as Truncate cuts it.
func Clip(s string, limit int) string { return Clean(Truncate(s, limit)) }

func cleanText(s string, lines bool) string {
	ok := utf8.ValidString(s)
	if ok && strings.IndexFunc(s, isUnsafe) < 0 {
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
		case isUnsafe(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isUnsafe reports whether a character is invisible and affects a terminal, a parser or the
// reader.
func isUnsafe(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' ||
		r == '\u2029' || r == '\uFEFF' || r >= 0xFFFE && r <= 0xFFFF ||
		unicode.Is(unicode.Noncharacter_Code_Point, r)
}

// Truncate cuts a text after limit runes and adds how many bytes are missing. It cuts nothing if
// that note would be longer.
func Truncate(s string, limit int) string {
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

// eastAsianNeutral counts columns as terminals outside East Asia do.
var eastAsianNeutral = &runewidth.Condition{StrictEmojiNeutral: true}

// Width returns how many terminal columns a text takes.
func Width(s string) int { return eastAsianNeutral.StringWidth(s) }

// TruncateToWidth cuts a text to a number of columns. It ends with … if it was cut.
func TruncateToWidth(s string, columns int) string {
	if columns <= 0 {
		return ""
	}
	return eastAsianNeutral.Truncate(s, columns, "…")
}

// Quote returns a text in quotes, made safe and cut to 100 columns.
func Quote(s string) string { return `"` + OneLine(s) + `"` }

// OneLine returns a text on one line, made safe and cut to 100 columns.
func OneLine(s string) string { return Clean(TruncateToWidth(s, 100)) }

// Pad appends spaces up to a number of columns.
func Pad(s string, columns int) string { return eastAsianNeutral.FillRight(s, columns) }

// Wrap breaks a text at spaces into lines of at most so many columns, but at least 8. It splits
// longer words. It returns at least one line.
func Wrap(s string, columns int) []string {
	columns = max(columns, 8)
	lines := []string{""}
	for i, word := range strings.Fields(s) {
		last := &lines[len(lines)-1]
		switch {
		case i == 0:
			*last = word
		case Width(*last)+1+Width(word) <= columns:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
		for {
			last := &lines[len(lines)-1]
			piece := eastAsianNeutral.Truncate(*last, columns, "")
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

// JoinFirst joins the first most items of a list and says how many more there are. It never
// leaves out just one.
func JoinFirst(list []string, most int, separator string) string {
	if len(list)-1 <= most {
		return strings.Join(list, separator)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], separator), len(list)-most)
}

// Quantity formats a number with its noun in singular or plural: 1 rule, 1,203 requests.
func Quantity[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Number formats a number with thousands separators: 1,203.
func Number[N int | int64](n N) string { return message.NewPrinter(language.English).Sprint(n) }

// Rate formats requests per second with four significant digits, and from 1,000 on as a whole
// number: 2,000,000/s.
func Rate(perSecond float64) string {
	if perSecond >= 1000 {
		return message.NewPrinter(language.English).Sprintf("%.0f/s", perSecond)
	}
	return strconv.FormatFloat(perSecond, 'g', 4, 64) + "/s"
}

// TruncateAtSpace cuts a text to most runes, at a space if possible, and ends it with ….
func TruncateAtSpace(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	kept := string(runes[:most-1])
	if at := strings.LastIndexByte(kept, ' '); at > len(kept)/2 {
		kept = kept[:at]
	}
	return strings.TrimRight(kept, " ,;:(") + "…"
}
