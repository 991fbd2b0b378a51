package digest

import (
	"fmt"

	"github.com/gateassay/gateassay/suites/record"
)

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
