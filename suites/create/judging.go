package create

import (
	"context"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// outcome is which answers are clear, and which of them are right. What an edit is about stays out of its contexts.
type outcome struct {
	clear           target.Clear
	matcher         Matcher
	scope, language bool // about for whom it runs, about the language of the answer
	sound           bool // its record is judged with all others
}

// ofValue: what is not a required parameter is rejected by any 4xx that speaks about the request.
func ofValue() outcome { return outcome{clear: target.AboutField, matcher: BeRejected()} }

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
func ofCaller() outcome { return outcome{clear: target.AboutCaller, matcher: BeRefused(), scope: true} }

// asSound is the edit as that of a valid creation, which is accepted.
func (e edit) asSound() edit {
	clear := target.Clear(target.AboutField)
	if e.how.scope {
		clear = target.AboutCaller
	}
	return e.rejected(outcome{clear: clear, matcher: BeAccepted(), sound: true})
}

func howOf(e edit) outcome {
	switch {
	case e.how.clear != nil:
		return e.how
	case e.field() == "shareholder_id":
		return ofShareholder()
	case len(where(func(f field) bool { return f.Required && f.Name == e.field() })) > 0:
		return ofRequired()
	}
	return ofValue()
}

// holds reports whether an edit got what is right.
func (e edit) holds(a target.Answer) bool {
	ok, err := e.how.matcher.Match(a)
	return ok && err == nil || e.fine != nil && e.fine(a)
}

// ifShown excuses an acceptance by what the record shows of a field.
func ifShown(field string, right func(got any, sent target.Creation) bool) func(target.Answer) bool {
	return func(a target.Answer) bool {
		found := read(a)
		if !a.Success() || found.record == nil || a.Creation == nil {
			return false
		}
		got, _ := found.record.Get(representative.ResponsePath(field))
		return right(got, *a.Creation)
	}
}

// rejects declares a rule that each of some edits makes a valid creation one that is rejected. args are the edits, and
// options of the rule. A rule about one field rests on its name.
func (s *Suite) rejects(id string, level Level, section Section, statement string, args ...any) {
	spec.Helper()
	edits, options := split(args)
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
	e.how = howOf(e)
	s.It("rejects a "+label(e), func(ctx spec.Context) {
		a := seen.Await(ctx)
		if e.holds(a) {
			return
		}
		if unread := s.unread(ctx, e.field()); unread != nil {
			ctx.GiveUp(unread)
		}
		ctx.Expect(a).To(e.how.matcher)
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
	s.accepted("accepts a "+label(e), s.sound(e))
}

// accepted declares the case that a valid creation is accepted.
func (s *Suite) accepted(text string, seen answer) {
	spec.Helper()
	s.It(text, func(ctx spec.Context) {
		a := seen.Await(ctx)
		notAboutIdentifiers(ctx, a)
		ctx.Expect(a).To(BeAccepted())
	})
}

func split(args []any) (edits []edit, options []any) {
	for _, a := range args {
		switch a := a.(type) {
		case edit:
			edits = append(edits, a)
		case []edit:
			edits = append(edits, a...)
		default:
			options = append(options, a)
		}
	}
	return edits, options
}

// notAboutIdentifiers ends the case when a creation under fresh identifiers got a conflict: another rule judges that.
func notAboutIdentifiers(ctx spec.Context, a target.Answer) {
	if a.Status == http.StatusConflict {
		ctx.Inconclusive(
			"answered 409, which is about identifiers; these were fresh, see %s", spec.Ref("create.repeat.other_transaction"))
	}
}

// ordinary is a creation with something that an ordinary one has: the valid creation, unless that was refused and only
// accepted without it. Then it is sent once more, so that a passing trouble is not taken for a refusal.
func (s *Suite) ordinary(e edit, has func(target.Creation) bool) answer {
	return spec.Observe(s.Plan, label(e), func(ctx context.Context) (target.Answer, error) {
		base, err := s.c.Creation.Get(ctx)
		if err != nil || has(*base.Creation) {
			return base, err
		}
		a, err := s.send(ctx, e.asSound(), plain())
		a.Control = base.Exchange
		return a, err
	})
}
