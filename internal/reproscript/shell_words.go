package reproscript

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/curl"
)

// shellWord returns text as a word of the shell, with variables for drawn and carried values.
func (w *scriptWriter) shellWord(t curl.ShellText) string {
	var word strings.Builder
	for _, p := range t {
		if p.Variable == "" {
			word.WriteString(w.plainWord(p.Plain))
			continue
		}
		word.WriteString(`"$` + p.Variable + `"`)
		w.needVariable(p)
	}
	return cmp.Or(word.String(), "''")
}

// needVariable records a variable, after the one that it is derived from.
func (w *scriptWriter) needVariable(p curl.TextPart) {
	if p.Source != nil {
		w.needVariable(*p.Source)
		p.Source = nil
	}
	if !slices.Contains(w.needs, p) {
		w.needs = append(w.needs, p)
	}
}

func (w *scriptWriter) plainWord(s string) string {
	var pairs []string
	for _, text := range slices.SortedFunc(maps.Keys(w.names),
		func(a, b string) int { return len(b) - len(a) }) {
		pairs = append(pairs, text, "\x00"+w.names[text]+"\x00")
	}
	var word strings.Builder
	for i, part := range strings.Split(strings.NewReplacer(pairs...).Replace(s), "\x00") {
		switch {
		case i%2 == 1:
			word.WriteString(`"$` + part + `"`)
		case part != "":
			word.WriteString(quoteLongRuns(part))
		}
	}
	return word.String()
}

const minLongRunLength = 500 // repetitions of a character that are written as a number

// quoteLongRuns quotes a text and writes long runs of one character as calls of a function.
func quoteLongRuns(s string) string {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			continue
		}
		rest := strings.TrimLeft(s[i:], s[i:i+1])
		if n := len(s) - i - len(rest); n >= minLongRunLength {
			word := fmt.Sprintf(`"$(many %d %s)"`, n, curl.Quote(s[i:i+1]))
			if i > 0 {
				word = curl.Quote(s[:i]) + word
			}
			if rest != "" {
				word += quoteLongRuns(rest)
			}
			return word
		}
	}
	return curl.Quote(s)
}

// printfEscape quotes bytes as a format of printf.
func printfEscape(body []byte) string {
	var text strings.Builder
	for _, b := range body {
		if b >= ' ' && b <= '~' && b != '\'' && b != '\\' && b != '%' {
			text.WriteByte(b)
		} else {
			fmt.Fprintf(&text, `\%03o`, b)
		}
	}
	return "'" + text.String() + "'"
}

// scriptPath converts a JSON pointer to a path of the shell functions.
func scriptPath(pointer string) string {
	return curl.Quote(strings.NewReplacer("/", ".", "~1", "/", "~0", "~").Replace(pointer))
}

// quoteLines quotes a list as lines.
func quoteLines(list []string) string { return curl.Quote(strings.Join(list, "\n")) }
