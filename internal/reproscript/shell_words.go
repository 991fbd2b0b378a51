package reproscript

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/curl"
)

const minLongRunLength = 500 // times of one character that a person would rather read as a number

// quoteLongRuns quotes a text, and has a function make long runs of one character.
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

// printfEscape quotes any bytes as printf writes them.
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

// scriptPath is a JSON pointer as the functions of scripts write paths.
func scriptPath(pointer string) string {
	return curl.Quote(strings.NewReplacer("/", ".", "~1", "/", "~0", "~").Replace(pointer))
}

// quoteLines is a list, with one text a line.
func quoteLines(list []string) string { return curl.Quote(strings.Join(list, "\n")) }
