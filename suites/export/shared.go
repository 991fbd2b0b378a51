package export

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
)

const othersRows = "shows rows of other users"

// shared names the defect behind wrong rows where rules about different things show it alike: rows of another user, a
// client filter that finds too much or nothing, and rows lost behind a bound. It is empty for all others.
func (s *Suite) shared(l look, rule string, found Rows, o download) string {
	if found.Order != "" || found.Whole != "" || found.Refused != "" {
		return ""
	}
	if s.leaks(l, rule, found) {
		return othersRows
	}
	got, ok := l.rowsIfAny(o)
	if !ok {
		return ""
	}
	if len(found.Extra) == 0 && justBehind(got, found.Missing) {
		return "drops rows just behind the start"
	}
	text, filtered := got.query.fields["filter_text"].(string)
	if !filtered || text == "" || !got.table.Has(statement.ClientID) {
		return ""
	}
	others := pick(got.rows, func(q statement.Quote) bool { return q.Client != text })
	switch {
	case len(found.Extra) == 0 && len(got.rows) == 0:
		if all, ok := l.rowsIfAny(s.client.window); ok && len(all.rows) == 0 {
			return "finds no rows by the client filter"
		}
	case len(found.Missing) > 0 || len(beyond(found.Extra, others)) > 0:
	case slices.ContainsFunc(others, func(q statement.Quote) bool { return !strings.Contains(q.Client, text) }):
		return "ignores the client filter"
	default:
		return "takes filter_text for a part of the client ID"
	}
	return ""
}

// justBehind reports rows that all lie behind the start of an export by no more than its dates show.
func justBehind(got *sheet, missing []statement.Quote) bool {
	a := got.query.selection()
	return !a.from.IsZero() && !slices.ContainsFunc(missing, func(q statement.Quote) bool {
		m := q.Moment(a.key)
		unit := got.table.Precision(a.key)
		return !m.Usable() || !m.Time.After(a.from) || m.Time.After(next(a.from, unit))
	})
}

// leaks reports that rows which another user alone should see are what is wrong, or among it.
func (s *Suite) leaks(l look, rule string, found Rows) bool {
	if strings.HasPrefix(rule, "export.isolation") {
		return len(found.Extra) > 0
	}
	ours, known := l.rowsIfAny(s.window)
	wrong := slices.Concat(found.Missing, found.Extra)
	return known && len(common(wrong, beyond(s.knownTheirs(l), ours.rows))) > 0
}

// knownTheirs are the rows of the other user's window, where the run asks for it and they can be had.
func (s *Suite) knownTheirs(l look) []statement.Quote {
	if s.t.Deployment.Credentials.OtherUser == nil || !s.theirs.Launched() {
		return nil
	}
	theirs, ok := l.rowsIfAny(s.theirs)
	if !ok {
		return nil
	}
	return theirs.rows
}
