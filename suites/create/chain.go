package create

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// follow is what comes after a creation that was accepted, under the same transaction ID.
type follow struct {
	words      string // as a subject: "The same creation again"
	change     func(*target.Creation)
	equal      bool // it repeats the body: it gets 409 or the record
	everywhere bool // it is tried in every context
}

// What follows a creation.
const (
	identical     = "The same creation again"
	underNewNonce = "The same creation under another nonce"
	underCapitals = "A creation again with its transaction ID in capitals"
	inEnglish     = "A creation again in another language"
	withProduct   = "A creation again with " + target.HeaderProduct
	otherBody     = "Another body under a used transaction ID"
	afterOther    = "The same creation after another body"
)

// follows lists them, what may overwrite the record last, as far as the deployment file has what they need.
func (s *Suite) follows() []follow {
	product := s.t.Deployment.Fixtures.ProductID
	anew := func(change func(*target.Creation)) func(*target.Creation) {
		return func(c *target.Creation) { c.Nonce = target.UUID(); change(c) }
	}
	nothing := func(*target.Creation) {}
	list := []follow{
		{identical, nothing, true, true},
		{underNewNonce, anew(nothing), true, true},
		{underCapitals, anew(func(c *target.Creation) { c.Transaction = strings.ToUpper(c.Transaction) }), false, true},
		{inEnglish, anew(func(c *target.Creation) { c.Language = "en-US" }), false, false},
		{withProduct, anew(func(c *target.Creation) { c.Product = product }), false, false},
		{otherBody, anew(s.otherPerson), false, true},
		{afterOther, anew(nothing), false, true},
	}
	return slices.DeleteFunc(list, func(f follow) bool { return f.words == withProduct && product == "" })
}

// otherPerson is another body in the same context.
func (s *Suite) otherPerson(c *target.Creation) {
	other := s.t.Creation("another person, after " + c.Label).Draft // who it is does not depend on other chains
	for _, name := range []string{"shareholder_id", "qualification", "pep", "is_public_server", "document_country_of_issue"} {
		other = other.With(name, c.Draft.Get(name))
	}
	if c.Draft.Get(control.EndOfTerm) == nil {
		other = other.Without(control.EndOfTerm)
	}
	c.Draft = other
}

// repeated is a creation that was accepted with what came after it.
type repeated struct {
	Repetition
	err error // why nothing can be said of it
}

type repetition = *spec.Observation[repeated]

func (r repeated) secondRecord() bool { _, other := r.Kept(); return other }

// right reports whether a repeat made no second record, and did not change the first.
func (f follow) right(r repeated) bool {
	same, _ := r.Kept()
	known := same || r.Again.Status == http.StatusConflict
	return len(r.Changed()) == 0 && (known || !f.equal) && !r.secondRecord()
}

// repeat declares what follows a creation, plain and in the contexts of repeats, among others that follow it.
func (s *Suite) repeat(words string) repetition {
	all := s.follows()
	f := all[slices.IndexFunc(all, func(f follow) bool { return f.words == words })]
	return spec.Observe(s.Plan, words, func(ctx context.Context) (repeated, error) {
		in := plain()
		if f.everywhere {
			in = append(in, s.c.Assign(client.Create, "create.repeat", 1)[0]...)
		}
		if found, err := s.followed(nil).Get(ctx); err == nil && !found[words].secondRecord() {
			for _, with := range in { // side by side, where they leave no records behind
				s.followed(with).Start(ctx)
			}
		}
		r, condition, err := control.InContexts(ctx, s.c, client.Create, in, f.right, func(with design.Context) (repeated, error) {
			among, err := s.followed(with).Get(ctx)
			if err == nil {
				err = among[words].err
			}
			return among[words], err
		})
		r.Condition = condition
		return r, err
	})
}

// followed declares a creation in a context and all that follows it, by its words.
func (s *Suite) followed(with design.Context) *spec.Observation[map[string]repeated] {
	return spec.Observe(s.Plan, "a creation and its repeats, with "+with.String(),
		func(ctx context.Context) (map[string]repeated, error) {
			ctx = client.WithRank(ctx, 0) // few others are as long, and a run is as long as they are
			first, x, err := s.first(ctx, with)
			if err != nil {
				return nil, err
			}
			found := map[string]repeated{}
			for _, f := range s.follows() {
				if !f.everywhere && len(with) > 0 {
					continue
				}
				a, err := s.t.Settle(ctx, target.AboutField, func() *client.Exchange {
					return s.t.Create(ctx, func() target.Creation {
						c := first
						f.change(&c)
						c.Label, c.Claim = f.words, target.Repeated
						return c
					})
				}, func(ctx context.Context) (*client.Exchange, bool) { // another first one: the usual control is a repeat as well
					_, x, err := s.first(ctx, with)
					return x, err == nil
				})
				r := repeated{Repetition: Repetition{First: x, Again: a.Exchange, What: f.words}, err: err}
				if a.Control != nil {
					r.Died = len(a.Attempts)
				}
				found[f.words] = r
			}
			return found, nil
		})
}

// first makes a new representative, once the control was accepted.
func (s *Suite) first(ctx context.Context, with design.Context) (sent target.Creation, x *client.Exchange, err error) {
	if _, err := s.c.Creation.Get(ctx); err != nil {
		return sent, nil, err
	}
	label := "a creation that is repeated"
	if len(with) > 0 { // another person in each context, whichever comes first
		label += ", with " + with.String()
	}
	x = s.t.Create(ctx, func() target.Creation {
		sent = s.t.Creation(label)
		s.c.Change(&sent, with)
		return sent
	})
	err = s.t.Usable(ctx, x)
	switch {
	case err != nil:
	case x.Crashed():
		err = spec.Transient("the first creation got %s", target.Describe(x))
	case !x.Success():
		err = spec.Unclear("the first creation was not accepted: %s", target.Describe(x))
	}
	return sent, x, err
}

// afterControl declares a creation that follows the control's at the end of the run.
func (s *Suite) afterControl(what string, follow func(first target.Creation) target.Creation, before ...reason) repetition {
	return spec.Observe(s.Plan, what, func(ctx context.Context) (r repeated, err error) {
		for _, keptBack := range before {
			if err := keptBack(ctx); err != nil {
				return r, err
			}
		}
		base, err := s.c.Creation.Get(ctx)
		if err != nil {
			return r, err
		}
		var again target.Creation
		x := s.t.Create(ctx, func() target.Creation {
			again = follow(*base.Creation)
			again.Label, again.Claim = what, target.Preceded
			return again
		})
		if !target.AboutField(x) && target.AboutCaller(x) && again.Credential == base.Creation.Credential {
			return r, spec.Unclear("the repeat got %s, which concerns the caller and not the repeat", target.Describe(x))
		}
		return repeated{Repetition: Repetition{First: base.Exchange, Again: x, What: what}}, s.t.Usable(ctx, x)
	}, spec.AtEnd)
}
