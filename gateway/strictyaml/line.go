package strictyaml

import (
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
)

// Widest is how many characters of a line a problem shows.
const Widest = 160

// breaks are the line ends that YAML counts, which are more than newlines.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// Lines splits a text where YAML counts lines.
func Lines(text string) []string { return strings.Split(breaks.Replace(text), "\n") }

// Cut returns what is shown of a line around a column, printable and with an ellipsis where it was cut, and the offset
// of the column in it.
func Cut(line string, column int) (text string, caret int) {
	all := []rune(line)
	from, to := 1, len(all)+1
	if len(all) > Widest {
		from = min(max(1, column-Widest/2), len(all)-Widest+1)
		to = from + Widest
	}
	var out []rune
	if from > 1 {
		out = append(out, '…')
	}
	caret = len(out) + max(0, column-from)
	for _, c := range all[from-1 : to-1] {
		out = append(out, shown(c))
	}
	if to <= len(all) {
		out = append(out, '…')
	}
	return string(out), caret
}

// shown keeps control characters of a file away from the terminal, and columns where they are.
func shown(c rune) rune {
	if c != '\t' && (c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029) {
		return '\uFFFD'
	}
	return c
}

// Quote returns a text in quotes, without control characters and cut where it is long.
func Quote(text string) string { return `"` + shorten(text) + `"` }

func shorten(text string) string { return printable.Clean(printable.Fit(text, 61)) }

// List joins names as a sentence does: "a, b and c".
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
