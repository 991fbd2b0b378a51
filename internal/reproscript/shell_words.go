package reproscript

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/curl"
)

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
