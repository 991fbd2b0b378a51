package create

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// echo: what was sent comes back the same. Values are compared, not JSON types: those have rules of their own. Left
// open are the letter case of an email, further spaces between two names, and decimals of a percentage beyond the
// second. What no rule obliges the deployment to accept is compared where it is accepted.
func (s *Suite) echo() {
	s.Describe("what was sent", func() {
		for _, f := range fields() {
			path := representative.ResponsePath(f.name)
			if path == "" || f.is == object || strings.HasPrefix(f.name, "registration_") || f.name == "document_country_of_issue" {
				continue // the record does not show it, or it has rules of its own
			}
			s.Rule("create.echo."+path, f.echo(), RequestTable, "The "+path+" of the request comes back unchanged"+f.kept+".",
				s.namesOf(f.name), func() {
					switch { // what has to be accepted without any doubt, and no other rule is about
					case f.is == flag:
						s.isAccepted(with(f.name, true))
					case f.name == "name":
						s.isAccepted(s.accents())
					}
					s.comesBack(f.name)
				})
		}
	})
}

// comesBack declares the case that a field which was given comes back, whatever right value it had. Where records show
// the field at all, null in place of a zero or of false is another value.
func (s *Suite) comesBack(name string) {
	spec.Helper()
	for _, e := range s.soundOf(name) {
		s.sound(e)
	}
	run, path := s.everything(), representative.ResponsePath(name)
	s.It("comes back in every record", func(ctx spec.Context) {
		all := run.Await(ctx)
		shown := slices.ContainsFunc(all, func(a answered) bool { return a.record != nil && !a.lacks(path) })
		s.judge(ctx, all, ComeBackThroughout(path), ofRecords(func(a answered) (string, bool) {
			sent := a.sent.Get(name)
			got, there := a.record.Get(path)
			found := echoOf(path, sent, got)
			switch {
			case sent == nil:
				return "", false
			case got == nil:
				return found.Contrast(), there && shown && (sent == false || sent == json.Number(nothing))
			}
			return unlessRight(found.Likeness() == Alike, found.Contrast()), found.Likeness() != Incomparable
		}))
	})
}

// echoOf is a value that was sent, and what the record shows in its place.
func echoOf(path string, sent, got any) Echo {
	return Echo{Path: path, Kind: Kind(path), Sent: sent, Got: got}
}

// defaults: what fills in for what the request leaves out.
func (s *Suite) defaults() {
	const country, update, start = "document_country_of_issue", "registration_update_date", "relationship_start_date"
	filled := func(id, name, statement, expected string, value func(answered) any, options ...any) {
		spec.Helper()
		s.Rule("create.default."+id, Must, RequestTable, statement, append(options, func() {
			s.isAccepted(without(name))
			s.filledIn(name, expected, value)
		})...)
	}
	kept := func(id, name, statement string) {
		spec.Helper()
		s.Rule("create.default."+id+"_kept", Must, RequestTable, statement, s.namesOf(name), func() { s.comesBack(name) })
	}
	s.Describe("defaults", func() {
		filled("country_of_issue", country, "A country of issue that is left out defaults to BRA.",
			"BRA, since the request gave none", func(answered) any { return "BRA" })
		kept("country_of_issue", country, "A country of issue that was given is kept.")
		filled(update, update, "A registration update date that is left out defaults to the start of the relationship.",
			"the relationship_start_date of the request, since it gave none",
			func(a answered) any { return a.sent.Get(start) }, s.namesOf(start))
		kept(update, update, "A registration update date that was given is kept.")
	})
}

// filledIn declares the case that a record shows a default of a field that the request did not give.
func (s *Suite) filledIn(name, expected string, value func(answered) any) {
	spec.Helper()
	for _, e := range s.soundOf(name) {
		s.sound(e)
	}
	path := representative.ResponsePath(name)
	s.throughout("is filled in where it is left out", HoldThroughout("record", expected),
		ofRecords(func(a answered) (string, bool) {
			want := value(a)
			if a.sent.Has(name) || want == nil || !a.shows(path) {
				return "", false
			}
			got, _ := a.record.Get(path)
			found := echoOf(path, want, got)
			return unlessRight(found.Likeness() == Alike, a.found(path)), got == nil || found.Likeness() != Incomparable
		}))
}
