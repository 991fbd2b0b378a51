package create

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// rejection is which answers are clear, and which of them reject.
type rejection struct {
	clear   target.Clear
	matcher Matcher
	caller  bool // for whom it runs is what it is about: neither a product nor a user stands beside it
}

// ofValue: what is not a required parameter is rejected by any 4xx that speaks about the request.
func ofValue() rejection { return rejection{clear: target.AboutField, matcher: BeRejected()} }

// ofRequired: for a required parameter the document names the statuses.
func ofRequired() rejection {
	return rejection{
		clear: target.AboutField, matcher: BeRejectedWith(http.StatusBadRequest, http.StatusUnprocessableEntity),
	}
}

// ofShareholder: whether a shareholder is called unknown, forbidden or invalid is open.
func ofShareholder() rejection {
	return rejection{clear: target.AboutCaller, matcher: BeRejectedWith(http.StatusBadRequest, http.StatusForbidden,
		http.StatusNotFound, http.StatusUnprocessableEntity)}
}

// ofCaller: whose request it is, or for whom, may be refused by any 4xx.
func ofCaller() rejection {
	return rejection{clear: target.AboutCaller, matcher: BeRefused(), caller: true}
}

// rejects declares a rule that each of some edits makes a valid creation one that is rejected. args are the edits, and
// options of the rule.
func (s *Suite) rejects(id string, level Level, section Section, statement string, how rejection, args ...any) {
	spec.Helper()
	edits, options := split(args)
	s.Rule(id, level, section, statement, append(options, func() {
		rows := s.rows(id, level, len(edits))
		for i, e := range edits {
			switch {
			case e.often:
				rows[i] = control.Accompanied(client.Create)
			case e.plain:
				rows[i] = []control.Row{control.Plain}
			}
			refused := s.inCompany(how, e, rows[i])
			s.It("rejects a "+label(e), func(ctx spec.Context) {
				a := refused.Await(ctx)
				if e.fine == nil || !e.fine(a) {
					ctx.Expect(a).To(how.matcher)
				}
			})
		}
	})...)
}

// rows are those that each of the n edits of a rule goes in.
func (s *Suite) rows(id string, level Level, n int) [][]control.Row {
	in := control.Accompanied(client.Create)
	if strings.HasPrefix(id, "create.body.") {
		in = in[:2] // the other has no headers, and there is no body for what it has
	}
	return s.c.Rows(in, id, n, alone(id, level))
}

// alone reports whether a rule of few requests is judged by a plain one as well.
func alone(id string, level Level) bool {
	if id == "create.email.at_sign" {
		return true
	}
	return level == Must && !slices.ContainsFunc([]string{
		"create.body.", "create.type.", "create.shareholder.foreign_", "create.money.", "create.cpf.", "create.participation.",
	}, func(prefix string) bool { return strings.HasPrefix(id, prefix) })
}

// accepts declares a rule that a creation with each of some edits is accepted.
func (s *Suite) accepts(id string, level Level, section Section, statement string, args ...any) {
	spec.Helper()
	edits, options := split(args)
	s.Rule(id, level, section, statement, append(options, func() {
		for _, e := range edits {
			s.acceptedAnywhere(e)
		}
	})...)
}

// observes declares a rule that records what a creation with each of some edits gets, in one check, so that its note
// reads the same in every run.
func (s *Suite) observes(id string, section Section, statement string, args ...any) {
	spec.Helper()
	edits, options := split(args)
	s.Rule(id, Observe, section, statement, append(options, func() {
		kinds := make([]kind, len(edits))
		for i, e := range edits {
			kinds[i] = kind{e.name, s.send(target.AboutField, e)}
		}
		s.It("sends "+both(edits...).name, func(ctx spec.Context) { noteStatuses(ctx, kinds) })
	})...)
}

// observesTogether declares a rule that records what creations with several edits at once get: each by itself where they
// are not accepted together.
func (s *Suite) observesTogether(id string, section Section, statement string, groups ...[]edit) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		for _, group := range groups {
			all := both(group...)
			seen := spec.Observe(s.Plan, all.name+", together or alone", func(ctx context.Context) ([]record.Value, error) {
				var seen []record.Value
				for _, e := range append([]edit{all}, group...) {
					a, err := s.c.Creations(ctx, target.AboutField, nil, func(valid *target.Creation) {
						valid.Spares = evidenceTakes
						edited(e)(valid)
					})
					switch {
					case err != nil:
						return nil, err
					case e.name == all.name && a.Success():
						return []record.Value{record.Seen(e.name, status(a.Exchange))}, nil
					case e.name != all.name:
						seen = append(seen, record.Seen(e.name, status(a.Exchange)))
					}
				}
				return seen, nil
			}, spec.AtEnd)
			s.It("sends "+all.name, func(ctx spec.Context) { ctx.Saw(seen.Await(ctx)...) })
		}
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

// acceptedAnywhere declares the specs that a sound edit is accepted, whatever else is sent.
func (s *Suite) acceptedAnywhere(e edit) {
	spec.Helper()
	s.accepted("accepts a "+label(e), s.vary(target.AboutField, e), e.doubts...)
	if seen, found := s.accompanied(e); found {
		s.accepted("accepts a "+label(e)+beside, seen, e.doubts...)
	}
}

// beside is said of what is seen in company.
const beside = ", whatever else is sent"

// accepted declares the spec that a valid creation is accepted. A doubt ends it where the fault may be another's.
func (s *Suite) accepted(text string, seen answer, doubts ...doubt) {
	spec.Helper()
	s.It(text, func(ctx spec.Context) {
		a := seen.Await(ctx)
		notAboutIdentifiers(ctx, a)
		for _, doubt := range doubts {
			doubt(ctx, a)
		}
		ctx.Expect(a).To(BeAccepted())
	})
}

// notAboutIdentifiers ends the spec when a creation under fresh identifiers got a conflict: another rule judges that.
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
		a, err := s.c.Creations(ctx, target.AboutField, nil, edited(e))
		a.Control = base.Exchange
		return a, err
	})
}

// blamed is the control for a rule about something that the control itself sends. A control that was refused proves
// nothing by itself; but when the same request is accepted once that one thing is different, the thing was the reason.
func (s *Suite) blamed(different edit) answer {
	what := "the valid creation, or one with " + different.name
	return spec.Observe(s.Plan, what, func(ctx context.Context) (target.Answer, error) {
		base, refused := s.c.Creation.Get(ctx)
		if refused == nil || !errors.Is(refused, spec.ErrInconclusive) {
			return base, refused
		}
		twin := s.t.Create(ctx, func() target.Creation {
			c := s.t.Creation(what)
			edited(different)(&c)
			return c
		})
		if err := s.t.Usable(ctx, twin); err != nil {
			return target.Answer{}, err
		}
		if !twin.Success() {
			return target.Answer{}, refused
		}
		// Once more as it was, so that a passing trouble is not taken for a refusal.
		again := s.t.Create(ctx, func() target.Creation { return s.t.Creation("valid creation") })
		return target.Answer{Exchange: again, Control: twin}, s.t.Usable(ctx, again)
	})
}
