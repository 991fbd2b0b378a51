package create

import (
	"net/http"
	"slices"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/representative"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// outcome is which answers are clear, and which of them are right.
type outcome struct {
	clear   target.Clear
	matcher Matcher
	whose   bool // about for whom it runs
	valid   bool // its record is judged with all others
}

// ofValue: what is not a required parameter is rejected by any 4xx that speaks about the request.
func ofValue() outcome { return outcome{clear: target.AboutField, matcher: BeRejected()} }

// ofAttack: a firewall in front stops what looks like an attack, with a status of its own.
func ofAttack() outcome {
	return outcome{clear: target.AboutAttack, matcher: BeRefused(http.StatusUnauthorized)}
}

// ofRequired: for a required parameter the document names the statuses.
func ofRequired() outcome {
	return outcome{clear: target.AboutField, matcher: HaveStatus(http.StatusBadRequest, http.StatusUnprocessableEntity)}
}

// ofShareholder: whether a shareholder is called unknown, forbidden or invalid is open.
func ofShareholder() outcome {
	return outcome{clear: target.AboutCaller, matcher: HaveStatus(http.StatusBadRequest, http.StatusForbidden,
		http.StatusNotFound, http.StatusUnprocessableEntity)}
}

// ofCaller: whose request it is, or for whom, may be refused by any 4xx.
func ofCaller() outcome { return outcome{clear: target.AboutCaller, matcher: BeRefused(), whose: true} }

func ofField(name string) outcome {
	switch {
	case name == "shareholder_id":
		return ofShareholder()
	case slices.ContainsFunc(where(required), func(f field) bool { return f.Name == name }):
		return ofRequired()
	}
	return ofValue()
}

// asValid is the edit as that of a valid creation, which is accepted.
func (e edit) asValid() edit {
	clear := target.Clear(target.AboutField)
	if e.whose {
		clear = target.AboutCaller
	}
	return e.expecting(outcome{clear: clear, matcher: BeAccepted(), valid: true})
}

// holds reports whether an edit got what is right.
func (e edit) holds(a target.Answer) bool {
	ok, err := e.matcher.Match(a)
	return ok && err == nil || e.fine != nil && e.fine(a)
}

// ifShown excuses an acceptance by what the record shows of a field.
func ifShown(field string, right func(got any, sent target.Creation) bool) func(target.Answer) bool {
	return func(a target.Answer) bool {
		found := read(a)
		got, _ := found.record.Get(representative.ResponsePath(field))
		return a.Success() && found.fault == nil && a.Creation != nil && right(got, *a.Creation)
	}
}

// rejects declares a rule that each of some edits makes a valid creation one that is rejected. A rule about one field
// rests on its name.
func (s *Suite) rejects(id string, level Level, section Section, statement string, edits []edit, options ...any) {
	spec.Helper()
	if field := edits[0].field(); field != "" && !slices.ContainsFunc(edits, func(e edit) bool { return e.field() != field }) {
		options = append(options, s.namesOf(field))
	}
	s.Rule(id, level, section, statement, append(options, func() {
		for _, e := range edits {
			s.isRejected(e)
		}
	})...)
}

// isRejected declares the case of a defect.
func (s *Suite) isRejected(e edit) {
	spec.Helper()
	seen := s.refused(e)
	s.It("rejects a "+label(e), func(ctx spec.Context) {
		a := seen.Await(ctx)
		if e.holds(a) {
			return
		}
		if unread := s.unread(ctx, e.field()); unread != nil {
			ctx.GiveUp(unread)
		}
		ctx.Expect(a).To(e.matcher)
	})
}

// accepts declares a rule that a creation with each of some edits is accepted.
func (s *Suite) accepts(id string, level Level, section Section, statement string, edits ...edit) {
	spec.Helper()
	s.Rule(id, level, section, statement, func() {
		for _, e := range edits {
			s.isAccepted(e)
		}
	})
}

func (s *Suite) isAccepted(e edit) {
	spec.Helper()
	s.accepted(e, s.sound(e))
}

// accepted declares the case that a valid creation is accepted, unless doubts end it.
func (s *Suite) accepted(e edit, seen answer, doubts ...func(spec.Context, target.Answer)) {
	spec.Helper()
	s.It("accepts a "+label(e), func(ctx spec.Context) {
		a := seen.Await(ctx)
		if a.Status == http.StatusConflict {
			ctx.Inconclusive("answered 409, which is about identifiers; these were fresh, see create.repeat.other_transaction")
		}
		for _, doubt := range doubts {
			doubt(ctx, a)
		}
		ctx.Expect(a).To(BeAccepted())
	})
}
