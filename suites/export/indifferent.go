package export

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// A language, and the method of authentication where both credentials are one user's, decide nothing about which quotes
// there are. The twins of the window stand beside them: only where the window is not the same beside one does it take
// requests more to see what that one does.

// indifferent is the window beside a partner that should make no difference to it.
type indifferent struct {
	words string // as findings name the export
	is    func(control.Partner) bool
	seen  download
	base  func(l look) *window // the same without the partner
}

// languageOf is the language that partners ask for.
func languageOf(with ...control.Partner) string {
	call := target.ExportCall{Request: target.Request{Header: http.Header{}}}
	for _, p := range with {
		p.Export(&call)
	}
	for name, values := range call.Header {
		if strings.EqualFold(name, target.HeaderLanguage) { // which is sent as the document spells it
			return strings.Join(values, "")
		}
	}
	return ""
}

// sameDates reports whether the rows that both hold have the same dates.
func sameDates(a, b []statement.Quote) bool {
	known := make(map[string]statement.Quote, len(b))
	for _, q := range b {
		known[q.Identity] = q
	}
	return !slices.ContainsFunc(a, func(q statement.Quote) bool {
		p, both := known[q.Identity]
		return both && slices.ContainsFunc(sorts(), func(key statement.Key) bool {
			x, y := q.Moment(key), p.Moment(key)
			return x.Empty != y.Empty || x.Misfit != y.Misfit || !x.Time.Equal(y.Time)
		})
	})
}

// indifferent declares the window beside a partner, which is known by what is: a twin where that is the same beside it,
// else the window beside nothing but the partner, or where that is the same, beside what the twin has, too. change puts
// the partner into a query; digits tell its bounds from those of other exports.
func (s *Suite) indifferent(words string, digits [2]int, is func(control.Partner) bool, change func(q *query),
) indifferent {
	twins := map[control.Row]download{control.First: s.windowAsc, control.Second: s.settledAsc}
	in := func() (control.Row, string) {
		for _, r := range control.Accompanied(client.File) {
			if i := slices.IndexFunc(s.c.FileRow(r), is); i >= 0 {
				return r, s.c.FileRow(r)[i].String()
			}
		}
		return control.Plain, ""
	}
	base := func(l look) *window {
		if r, _ := in(); r == control.Second {
			return s.rowsOf(l, s.settled, statement.SettledDate)
		}
		return s.base(l)
	}
	return indifferent{words: words, is: is, base: base, seen: spec.Observe(s.Plan, words, act(func(l look) *sheet {
		r, name := in()
		l.unmetIf(name == "", "", "no export of the window can be compared with %s", words)
		s.base(l)
		twin := l.sheet(twins[r])
		if twin.query.company.Has(name) {
			return twin
		}
		w, together := base(l), twin.dropped[name]
		if together == nil {
			l.end(twin.usable())
			l.unclear("the window in rising order holds other rows than in falling order, so it says nothing about %s",
				words)
		}
		q := together.query
		q.company, q.label, q.fields = nil, words, s.spelled(w.key, digits[0], digits[1])
		change(&q)
		alone := s.take(l, q)
		if alone.usable() != nil || !s.likened(alone, w.sheet) {
			return alone
		}
		both := *together
		both.query.company = both.query.company.Without(name)
		change(&both.query)
		return &both
	}))}
}

// lost reports a fault that is the file's own, and not that of how it was asked for.
func lost(f *client.FetchError) bool {
	return f.Status == http.StatusGone || f.Fault == client.FailedState || f.Fault == client.NotReady && !f.NoFile()
}

// languageRows declares the specs that no language makes a difference to the rows.
func (s *Suite) languageRows() {
	spec.Helper()
	for i, language := range []string{"pt-BR", "en-US"} {
		x := s.indifferent("export with "+target.HeaderLanguage+" "+language, [2]int{3, i},
			func(p control.Partner) bool { return languageOf(p) == language },
			func(q *query) { q.header = map[string]string{target.HeaderLanguage: language} })
		s.holds("the rows of no language, with "+language, []download{x.seen, s.window}, func(l look) Rows {
			if l.sheet(x.seen).alien != nil {
				s.c.Drop("the file with %s %s has other titles, so its rows were not compared", target.HeaderLanguage,
					language)
				return moot("the file with this language has other titles, so its rows were not compared")
			}
			return s.sameRows(l, x)
		})
	}
}

// methodRows declares the spec that the method of authentication makes no difference to the rows.
func (s *Suite) methodRows() {
	s.Rule("export.method.same_rows", Must, ExportOperation,
		"Exported by the API key, a user's file holds the same quotes as by the token.",
		spec.Needs("credentials.platform_token", "credentials.api_key"), func() {
			s.holds("the rows of the export by the token", []download{s.byKey.seen, s.window}, func(l look) Rows {
				s.provenOurs(l)
				return s.sameRows(l, s.byKey)
			})
		})
}

// provenOurs ends the act where the API key, beside which the window is not the same, is not known to be our own: the
// deployment file does not say so.
func (s *Suite) provenOurs(l look) {
	s.base(l)
	if s.byKey.same(l.sheet(s.byKey.seen)) {
		return
	}
	proven, err := s.c.KeyBlocked.Get(l)
	l.end(err)
	l.unmetIf(!proven, "", "the window by API key holds other rows than by the token, or could not be exported, and no blocked "+
		"repeat shows that both belong to one user")
}

// noneByKey declares the spec that an export by the API key holds none of another user's quotes that are known.
func (s *Suite) noneByKey() {
	spec.Helper()
	all := s.t.Deployment.Credentials
	if all.PlatformToken == nil || all.APIKey == nil {
		return
	}
	s.noneOfOthers("the export by the API key", "the "+s.byKey.words, s.byKey.seen, s.byKey.same, s.provenOurs)
}

// noneByWallet declares the same of an export that names the caller's default wallet.
func (s *Suite) noneByWallet() {
	spec.Helper()
	if s.t.Deployment.Fixtures.DefaultWalletID == "" {
		return
	}
	const export = "the export with the default wallet's ID"
	s.noneOfOthers(export, export, s.wallet, func(*sheet) bool { return false }, func(look) {})
}

// noneOfOthers declares the spec that an export holds none of another user's quotes that are known. proven ends the act
// where nothing shows that it is the caller's.
func (s *Suite) noneOfOthers(name, export string, o download, same func(got *sheet) bool, proven func(l look)) {
	spec.Helper()
	s.holds(name, []download{o, s.target.window, s.theirs, s.window}, func(l look) Rows {
		found := Rows{Export: export, Should: "no row of another user", Strange: "row of another user"}
		w := s.base(l)
		got, ok := l.rowsIfAny(o)
		if !ok || same(got) {
			return found // that cannot be had is another rule's matter
		}
		others := s.knownTheirs(l)
		if named, ok := l.rowsIfAny(s.target.window); ok {
			others = slices.Concat(others, named.rows)
		}
		if found.Extra = common(got.rows, beyond(others, w.rows)); len(found.Extra) > 0 {
			proven(l)
		}
		found.Held = got.held()
		return found
	})
}

// same reports an export that was seen to be the same beside the partner.
func (x indifferent) same(sh *sheet) bool { return slices.ContainsFunc(sh.query.company, x.is) }

// sameRows compares the window beside a partner with the one without it. Rows on its bounds, and what lies out of them,
// are for the rules about bounds, which stand beside the partner then.
func (s *Suite) sameRows(l look, x indifferent) Rows {
	w, got := x.base(l), l.sheet(x.seen)
	found := Rows{Export: "the " + x.words, Should: "the rows of the same export without it"}
	switch {
	case got.refused:
		l.end(got.usable())
	case got.fault != nil && len(got.query.company) == 0 && lost(got.fault):
		found.Whole = "its file cannot be fetched: " + s.shown(got.fault.Error())
		return found
	}
	l.end(cmp.Or(got.usable(), got.complete()))
	found.Held = got.held()
	if x.same(got) || statement.SameRows(got.rows, w.rows) {
		return found
	}
	joined := func(q statement.Quote) bool { return q.Joined }
	l.unmetIf(slices.ContainsFunc(got.rows, joined) || slices.ContainsFunc(w.rows, joined), "export.csv.columns.id",
		"the rows of the %s read differently, and no ID says which they are", x.words)
	l.end(got.dated(w.key))
	onStart := func(q statement.Quote) bool {
		m := q.Moment(w.key)
		return m.Usable() && m.Time.Equal(w.start)
	}
	found.Missing = slices.DeleteFunc(statement.Difference(w.rows, got.rows), onStart)
	found.Extra = slices.DeleteFunc(statement.Difference(got.rows, w.rows), onStart)
	if f := s.t.Deployment.Fixtures.OtherWalletID; f != "" && len(found.Extra) > 0 &&
		every(found.Extra, inWallet(f)) {
		found.Strange = "row of another wallet"
	}
	return found
}
