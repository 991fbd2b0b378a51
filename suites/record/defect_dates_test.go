package record

import (
	"testing"

	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/testmust"
)

// Dates that are now and then off by the same number of days have one cause, unless they move in
// both directions. A field that is always wrong has its own.
func TestDatesThatMoveAlikeAreOneDefect(t *testing.T) {
	const back, forth = `sent "2017-10-15", got "2017-10-14"`, `sent "2017-10-15", got "2017-10-16"`
	const aDay, aYear = "another date, off by 1 day", "another date, off by 365 days"
	for _, c := range []struct {
		updated, birth, start string
		failed, want          int // failed of 50
	}{
		{back, aDay, back, 3, 1},
		{forth, aDay, forth, 3, 1},
		{back, aDay, forth, 3, 3},
		{back, aYear, back, 3, 2},
		{"", aDay, back, 3, 1},
		{`sent "2017-10-15", got null`, aDay, back, 3, 2},
		{back, aDay, back, 50, 3},
	} {
		list := []RuleResult{ruleOf("create.echo.relationship_end_date", Finding{}, pass)}
		for id, got := range map[string]string{
			"create.default.registration_update_date_kept": c.updated,
			"create.echo.birth_date":                       c.birth,
			"create.echo.relationship_start_date":          c.start,
		} {
			if got != "" {
				list = append(list, ruleOf(id, Finding{
					Outcome: outcome.Changed, Got: got, Attempts: 50, Failed: c.failed,
				}, fail))
			}
		}
		testmust.Equal(t, len(Defects(list)), c.want, c)
	}
}
