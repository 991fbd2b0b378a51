package suitetest

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gateassay/gateassay/suites/record"
)

var (
	// vague are forms that name no defect: what they would say instead is what a reader wants to know.
	vague = regexp.MustCompile(
		`another status|was not (rejected|refused|accepted)|not as documented|did not come back|` +
			`was not recognised|right rows|U\+[0-9A-F]{4}|^The request |^\d{3} |^must not`)
	// bare is a status alone, as in "409 Conflict".
	bare = regexp.MustCompile(`^[1-5]\d\d( [A-Z][A-Za-z ]*)?$`)
)

// Headline returns what is wrong with the sentence that heads a failed check: it has to name the defect in a line, with
// what was observed.
func headline(c record.Check) error {
	h := c.Message
	switch n := utf8.RuneCountInString(h); {
	case h == "":
		return fmt.Errorf("%s, %s: no headline", c.Rule, c.Name)
	case n > record.ConditionedLimit, n > record.HeadlineLimit && len(c.Condition) == 0:
		return fmt.Errorf("%s, %s: %d characters: %s", c.Rule, c.Name, n, h)
	case vague.MatchString(h), bare.MatchString(h), strings.ContainsAny(h, "\n\r\t"):
		return fmt.Errorf("%s, %s: names no defect: %q", c.Rule, c.Name, h)
	}
	if c.Got == "" && c.Outcome == "" {
		return fmt.Errorf("%s, %s: %q says nothing of what was observed", c.Rule, c.Name, h)
	}
	return nil
}
