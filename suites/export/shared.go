package export

import (
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

const othersRows = "shows rows of other users"

// shared names the defect behind wrong rows where rules about different things show it alike: rows of another user, a
// client filter that finds too much or nothing, and rows lost behind a bound. It is empty for all others. only is what
// a mistaken filter takes.
func (s *Suite) shared(l look, rule string, found Rows, o download) (defect string, only []record.Setting) {
	if found.Order != "" || found.Whole != "" || found.Refused != "" {
		return "", nil
	}
	got, ok := l.rowsIfAny(o)
	if s.leaks(l, rule, found) && (rule != ruleForeign || s.leaksAnyway(l, got)) {
		return othersRows, nil
	}
	if !ok {
		return "", nil
	}
	if len(found.Extra) == 0 && justBehind(got, found.Missing) {
		return "drops rows just after the start", nil
	}
	text, filtered := got.query.fields["filter_text"].(string)
	if !filtered || text == "" || !got.table.Has(statement.ClientID) {
		return "", nil
	}
	others := pick(got.rows, func(q statement.Quote) bool { return q.Client != text })
	switch {
	case len(found.Extra) == 0 && len(got.rows) == 0:
		return "finds no rows by the client filter", s.onlyFiltered(l, (*sheet).empty, s.wholeIDs(), nil)
	case len(found.Missing) > 0 || len(beyond(found.Extra, others)) > 0:
		return "", nil
	case slices.ContainsFunc(others, func(q statement.Quote) bool { return !strings.Contains(q.Client, text) }):
		return "ignores the client filter", s.onlyFiltered(l, overfull, slices.Concat(s.wholeIDs(), s.partsOfIDs), nil)
	}
	// A whole ID may be a part of no other one.
	return "accepts a part of the client ID as filter_text", s.onlyFiltered(l, overfull, s.partsOfIDs, s.wholeIDs())
}

// wholeIDs lists the exports that filter by the whole ID of a client who has rows.
func (s *Suite) wholeIDs() []download {
	all := []download{
		s.client.window, s.client.bare, s.client.until, s.client.after, s.bare.filter, s.target.until,
		s.target.from,
	}
	if s.t.Deployment.Fixtures.OtherWalletID != "" {
		all = append(all, s.clientInOtherWallet())
	}
	return all
}

// overfull reports a filtered export that holds rows of other clients.
func overfull(sh *sheet) bool {
	client := sh.query.selection().client
	return slices.ContainsFunc(sh.rows, func(q statement.Quote) bool { return q.Client != client })
}

// onlyFiltered names what the filtered exports that are wrong have in common, and none of those that are right has: how
// they are sorted, or for whom. Where others are right, that says nothing.
func (s *Suite) onlyFiltered(l look, mistaken func(*sheet) bool, exports, others []download) []record.Setting {
	var wrong, right []query
	for i, o := range slices.Concat(exports, others) {
		if !o.Launched() {
			continue
		}
		switch sh, ok := l.rowsIfAny(o); {
		case !ok || !sh.table.Has(statement.ClientID):
		case mistaken(sh):
			wrong = append(wrong, sh.query)
		case i < len(exports):
			right = append(right, sh.query)
		}
	}
	if len(wrong) == 0 || len(right) == 0 {
		return nil
	}
	field := func(name string, values ...any) func(query) bool {
		return func(q query) bool { return slices.Contains(values, q.fields[name]) }
	}
	beside := func(name string) func(query) bool {
		return func(q query) bool { return slices.Contains(q.partners(), name) }
	}
	type condition struct {
		words string
		holds func(query) bool
	}
	for _, alike := range [][]condition{
		{
			{"sort settled_date", field("sort", string(statement.SettledDate))},
			{"order asc", field("order", "asc")},
			{"order desc", field("order", "desc")},
			{"order left out", field("order", nil)},
			{"sort left out", field("sort", nil)},
			{target.HeaderTarget, query.onBehalf},
			{target.HeaderProduct, beside(target.HeaderProduct)},
			{target.HeaderWallet, beside(target.HeaderWallet)},
			{control.ByKey, beside(control.ByKey)},
			{"type_extension CSV", beside("type_extension CSV")},
		},
		{
			{"order asc or left out", field("order", "asc", nil)},
			{"order desc or left out", field("order", "desc", nil)},
			{"sort quote_created_at or left out", field("sort", string(statement.CreatedAt), nil)},
		},
	} {
		var taken []string
		for _, c := range alike {
			if count(wrong, c.holds) == len(wrong) && count(right, c.holds) == 0 {
				taken = append(taken, c.words)
			}
		}
		if len(taken) > 0 {
			return settings(taken...)
		}
	}
	return nil
}

func count(all []query, holds func(query) bool) (n int) {
	for _, q := range all {
		if holds(q) {
			n++
		}
	}
	return n
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

// leaksAnyway reports whether an export that names a wallet of somebody else shows its rows without that name, too.
func (s *Suite) leaksAnyway(l look, got *sheet) bool {
	theirs := s.knownTheirs(l)
	if got == nil || len(theirs) == 0 {
		return false
	}
	q := got.query
	q.label += ", without the wallet"
	q.header = maps.Clone(q.header)
	delete(q.header, target.HeaderWallet)
	sh := s.take(l, q)
	return sh.usable() == nil && len(common(sh.rows, theirs)) > 0
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
