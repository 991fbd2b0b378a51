package create

import (
	"encoding/json"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// echo: what was sent comes back the same. Values are compared, not JSON types: those have rules of their own. Left
// open are the letter case of an email, further spaces between two names, and decimals of a percentage beyond the
// second. What no rule obliges the deployment to accept is compared where it is accepted.
func (s *Suite) echo() {
	s.Describe("what was sent", func() {
		for _, f := range where(func(f field) bool { return f.Path != "" && f.Kind != Object }) {
			if strings.HasPrefix(f.Name, "registration_") || f.Name == "document_country_of_issue" {
				continue // it has rules of its own
			}
			s.Rule("create.echo."+f.Path, echo(f), RequestTable, "The "+f.Path+" of the request comes back unchanged"+kept(f)+".",
				s.namesOf(f.Name), func() {
					switch { // what has to be accepted without any doubt, and no other rule is about
					case f.Kind == Flag:
						s.isAccepted(with(f.Name, true))
					case f.Name == "name":
						s.isAccepted(s.accents())
					}
					s.comesBack(f)
				})
		}
	})
}

// comesBack declares the case that a field which was given comes back, whatever right value it had. Where records show
// the field at all, null in place of a zero or of false is another value.
func (s *Suite) comesBack(f field) {
	spec.Helper()
	s.soundOf(f.Name)
	run := s.everything()
	s.It("comes back in every record", func(ctx spec.Context) {
		all := run.Await(ctx)
		shown := slices.ContainsFunc(all, func(a answered) bool { return a.record != nil && !a.lacks(f.Path) })
		s.judge(ctx, all, ComeBackThroughout(f.Path), ofRecords(func(a answered) (string, bool) {
			sent := a.sent.Get(f.Name)
			_, there := a.record.Get(f.Path)
			found := a.echo(f, sent)
			switch {
			case sent == nil:
				return "", false
			case found.Got == nil:
				return found.Contrast(), there && shown && (sent == false || sent == json.Number(nothing))
			}
			return unlessRight(found.Likeness() == Alike, found.Contrast()), found.Likeness() != Incomparable
		}))
	})
}

// defaults: what fills in for what the request leaves out.
func (s *Suite) defaults() {
	s.Describe("defaults", func() {
		s.fillsIn("country_of_issue", "document_country_of_issue", "A country of issue that is left out defaults to BRA.",
			"A country of issue that was given is kept.", "BRA, since the request gave none", func(answered) any { return "BRA" })
		const start = "relationship_start_date"
		s.fillsIn("registration_update_date", "registration_update_date",
			"A registration update date that is left out defaults to the start of the relationship.",
			"A registration update date that was given is kept.", "the relationship_start_date of the request, since it gave none",
			func(a answered) any { return a.sent.Get(start) }, s.namesOf(start))
	})
}

// fillsIn declares the rules that a field which is left out gets a default, and that one which is given keeps its value.
func (s *Suite) fillsIn(id, name, filled, stays, expected string, value func(answered) any, options ...any) {
	spec.Helper()
	f := where(called(name))[0]
	s.Rule("create.default."+id, Must, RequestTable, filled, append(options, func() {
		s.isAccepted(without(name))
		s.soundOf(name)
		s.throughout(HoldThroughout("record", expected), ofRecords(func(a answered) (string, bool) {
			want := value(a)
			if a.sent.Has(name) || want == nil || !a.shows(f.Path) {
				return "", false
			}
			found := a.echo(f, want)
			return unlessRight(found.Likeness() == Alike, a.found(f.Path)), found.Got == nil || found.Likeness() != Incomparable
		}))
	})...)
	s.Rule("create.default."+id+"_kept", Must, RequestTable, stays, s.namesOf(name), func() { s.comesBack(f) })
}
