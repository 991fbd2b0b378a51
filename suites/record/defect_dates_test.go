package record

import (
	"testing"

	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/testmust"
)

// Dates that are now and then off by the same number of days have one cause. A field that is always
// wrong has its own.
func TestDatesThatMoveAlikeAreOneDefect(t *testing.T) {
	for _, c := range []struct {
		updated, birth, start int // days late
		failed, want          int // failed of 50
	}{
		{-1, -1, -1, 3, 1},
		{-1, -1, 1, 3, 2},
		{-1, 365, -1, 3, 2},
		{0, -1, -1, 3, 2}, // changed otherwise
		{-1, -1, -1, 50, 3},
	} {
		list := []RuleResult{ruleOf("create.echo.relationship_end_date", Finding{}, pass)}
		for id, days := range map[string]int{
			"create.default.registration_update_date_kept": c.updated,
			"create.echo.birth_date":                       c.birth,
			"create.echo.relationship_start_date":          c.start,
		} {
			list = append(list, ruleOf(id, Finding{
				Outcome: outcome.Changed, Got: id, DaysLate: days, Attempts: 50, Failed: c.failed,
			}, fail))
		}
		testmust.Equal(t, len(Defects(list)), c.want, c)
	}
}
