package export

import (
	"fmt"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// enoughOfEverything is how much is read of a file that no bound keeps small: its first rows show how it is sorted.
const enoughOfEverything = 2 << 20

// bare are the files of exports without bounds that were seen accepted, as far as they are read.
type bare struct {
	object  download // of an empty object
	settled download // of nothing but a sort, and so on
	asc     download
	format  download
	filter  download
}

// only is an export with a single field.
func (s *Suite) only(field string, value any) attempt {
	return s.send(fmt.Sprintf("only %s %v", field, value), fields(target.Fields{field: value}))
}

// onlyBound is an export with a single bound.
func (s *Suite) onlyBound(name string) attempt {
	return s.send("only "+name, func(c *target.ExportCall) { c.Fields = target.Fields{name: c.Fields[name]} })
}

func (s *Suite) declareBare() {
	finish := func(l look, a attempt, label string, sent target.Fields) *sheet {
		answer, err := a.Get(l)
		l.end(err)
		q := query{label: label, fields: sent, as: s.t.Deployment.Credentials.Main(), most: enoughOfEverything}
		return s.finish(l, q, answer.Exchange)
	}
	file := func(label string, a attempt, sent target.Fields) download {
		return spec.Observe(s.Plan, "the file of "+label, act(func(l look) *sheet {
			s.fetchable(l)
			l.unmetIf(a != s.emptyObject && s.parted(), "",
				"an export without bounds holds too many quotes to be compared with another")
			sh := finish(l, a, label, sent)
			// Which format comes without a type_extension is not documented: where it is not CSV, an export that asks
			// for CSV and nothing else serves.
			if a == s.emptyObject && sh.foreign() {
				sh = finish(l, s.formatAlone, "nothing but type_extension CSV", target.Fields{"type_extension": "CSV"})
			}
			return sh
		}))
	}
	one := func(field, value string) download {
		return file("nothing but "+field+" "+value, s.only(field, value), target.Fields{field: value})
	}
	settledAsc := target.Fields{"sort": string(statement.SettledDate), "order": "asc"}
	sorted := s.send("only settled_date, asc", fields(settledAsc))
	s.bare = bare{
		object:  file("an empty object", s.emptyObject, nil),
		settled: file("nothing but a sort and an order", sorted, settledAsc),
		asc:     one("order", "asc"), format: one("type_extension", "CSV"),
		filter: file("nothing but a client filter", s.filterAlone, clientFilter(target.Fields{}, s.someClient())),
	}
}

// unbounded waits for a file without bounds: how long it takes, and how large it may be, is not documented.
func unbounded(l look, o download) *sheet {
	got := l.sheet(o)
	if got.fault != nil {
		l.unmet("", "the file of %s could not be fetched, and may be too large: %s", got.query.label, got.fault.Error())
	}
	l.unmetIf(got.broken != nil && !got.blank(), "", "the file of %s is not CSV, which no type_extension asked for",
		got.query.label)
	l.end(got.usable())
	return got
}

// besideEverything waits for an export without bounds, and for the quotes of the window that the export of an empty
// object holds: none of those is left out for nothing but other fields. why says what keeps them from being compared.
func (s *Suite) besideEverything(l look, o download) (got *sheet, all []statement.Quote, why error) {
	w := s.base(l)
	_, why = act(func(l look) any {
		everything := unbounded(l, s.bare.object)
		got, all = unbounded(l, o), common(w.rows, everything.rows)
		l.unmetIf(everything.fetched.Cut || got.fetched.Cut, "",
			"an export without bounds is larger than the %d MiB that are read of it", enoughOfEverything>>20)
		return nil
	})(l)
	return got, all, why
}

// unboundedExports: a bound that is not given keeps nothing out, and neither does how rows are sorted or written.
func (s *Suite) unboundedExports() {
	s.Rule("export.range.unbounded", Should, ExportOperation,
		"Without bounds, neither a sort nor an order nor a type_extension leaves quotes out.", func() {
			for _, of := range []struct {
				name   string
				export download
			}{
				{"sort settled_date, asc", s.bare.settled},
				{"order asc", s.bare.asc},
				{"type_extension CSV", s.bare.format},
			} {
				s.holds("nothing but "+of.name, []download{of.export, s.bare.object, s.window}, func(l look) Rows {
					got, all, why := s.besideEverything(l, of.export)
					l.end(why)
					return Rows{
						Export: "the export of " + got.query.label,
						Should: "the quotes of the export of an empty object",
						Held:   got.held(), Missing: statement.Difference(all, got.rows),
					}
				})
			}
			s.holds("an empty object", []download{s.bare.object, s.bare.settled, s.window}, func(l look) Rows {
				got := unbounded(l, s.bare.object)
				found := Rows{
					Export: "the export of " + got.query.label, Held: got.held(),
					Should: "the quotes of the window that the export of nothing but a sort shows",
				}
				if wide, ok := l.rowsIfAny(s.bare.settled); ok && !wide.fetched.Cut && !got.fetched.Cut {
					found.Missing = statement.Difference(common(s.base(l).rows, wide.rows), got.rows)
				}
				return found
			})
		})
}

// hiddenUnsettled compares the window with an export by settled_date without bounds, which may show quotes that are not
// settled. Rows of a wallet that the window does not show are not judged here, nor are those of somebody else.
func (s *Suite) hiddenUnsettled(l look) Rows {
	w := s.dates(l)
	found := Rows{
		Export: "the export of the window by quote_created_at", Held: w.held(),
		Should: "every row dated in the window that the export by settled_date without bounds shows",
	}
	wide, ok := l.rowsIfAny(s.bare.settled)
	if !ok || wide.fetched.Cut || wide.legible(w.key) != nil {
		return found
	}
	wallets := map[string]bool{}
	for _, q := range w.rows {
		wallets[q.Wallet] = true
	}
	found.Missing = statement.Difference(pick(wide.rows, func(q statement.Quote) bool {
		return wallets[q.Wallet] && w.between(w.start, w.end).inside(q)
	}), w.rows)
	found.Missing = beyond(found.Missing, s.knownTheirs(l))
	return found
}

// filteredAlone: a filter needs neither bounds nor anything else beside it. What cannot be had of such a file says
// nothing.
func (s *Suite) filteredAlone(l look) Rows {
	found := Rows{
		Export: "the export of nothing but a client filter", Should: "every row of the client, and no other client's",
		Strange: "row of another client",
	}
	s.some(l, s.base(l))
	if got, all, why := s.besideEverything(l, s.bare.filter); why == nil {
		mine, _ := split(all, s.client.id)
		found.Held, found.Missing = got.held(), statement.Difference(mine, got.rows)
		if got.table.Has(statement.ClientID) {
			_, found.Extra = split(got.rows, s.client.id)
		}
	}
	return found
}
