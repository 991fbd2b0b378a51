package diagnostic

import "strings"

// Widest is how many characters of a line a problem shows.
const Widest = 160

// breaks are the line ends that YAML counts, which are more than newlines.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// Lines splits a text where YAML counts lines.
func Lines(text string) []string { return strings.Split(breaks.Replace(text), "\n") }

// Window gives the part of a line of so many characters that is shown around a column: columns from up to and without to,
// counted from 1.
func Window(length, column int) (from, to int) {
	if length <= Widest {
		return 1, length + 1
	}
	from = min(max(1, column-Widest/2), length-Widest+1)
	return from, from + Widest
}

// Cut gives what is shown of a line around a column, printable and with an ellipsis where it was cut, and the offset of the
// column in it.
func Cut(line string, column int) (text string, caret int) {
	all := []rune(line)
	from, to := Window(len(all), column)
	var out []rune
	if from > 1 {
		out = append(out, '…')
	}
	caret = len(out) + max(0, column-from)
	for _, c := range all[from-1 : to-1] {
		out = append(out, Printable(c))
	}
	if to <= len(all) {
		out = append(out, '…')
	}
	return string(out), caret
}

// Printable keeps control characters of a file away from the terminal.
func Printable(c rune) rune {
	if c != '\t' && (c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029) {
		return '\uFFFD'
	}
	return c
}

// Clean is a text without control characters.
func Clean(text string) string { return strings.Map(Printable, text) }
