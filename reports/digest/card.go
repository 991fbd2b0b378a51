package digest

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/suites/record"
)

// Card is the plain text of what did not pass in a check: expected, actual, exchanges, curl; one fact a line.
func Card(c record.Check) []string {
	var lines []string
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, fmt.Sprintf("%-9s %s", label, text))
		}
	}
	add("check", c.Name)
	add("message", c.Message)
	add("expected", c.Expected)
	add("actual", strings.ReplaceAll(c.Actual, "\n", "\n"+strings.Repeat(" ", 10)))
	add("repeats", Repeats(c))
	add("exchanges", Exchanges(c.Exchanges))
	add("at", c.Location)
	add("curl", c.Curl)
	return lines
}

// Repeats says how often a check that was judged several times failed; empty when judged once.
func Repeats(c record.Check) string {
	if c.Attempts < 2 {
		return ""
	}
	return fmt.Sprintf("failed %d of %d times", c.Failed, c.Attempts)
}

// Exchanges writes exchange numbers: "#12 #13", at most eight of them.
func Exchanges(numbers []int) string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = fmt.Sprintf("#%d", n)
	}
	return First(list, 8, " ")
}
