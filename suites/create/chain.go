package create

import (
	"context"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// next makes the creation that follows a first one.
type next func(first target.Creation) target.Creation

func same(first target.Creation) target.Creation { return first }

func newNonce(first target.Creation) target.Creation {
	first.Nonce = target.UUID()
	return first
}

// follow is what comes after a creation that was accepted, of the same transaction ID.
type follow struct {
	words string // as a subject: "The same creation again"
	steps []next
	equal bool // it repeats the body: it gets 409 or the record
	every bool // it is tried in every context
}

func identical() follow {
	return follow{"The same creation again", []next{same}, true, true}
}

func underNewNonce() follow {
	return follow{"The same creation under another nonce", []next{newNonce}, true, true}
}

func (s *Suite) underOtherBody() follow {
	return follow{"Another body under a used transaction ID", []next{s.otherBody, newNonce}, false, true}
}

// otherBody is another person under the same transaction ID, in the same context.
func (s *Suite) otherBody(first target.Creation) target.Creation {
	other := s.t.Creation("another person, after " + first.Label).Draft // who it is does not depend on other chains
	for _, name := range []string{"shareholder_id", "qualification", "pep", "is_public_server", "document_country_of_issue"} {
		other = other.With(name, first.Draft.Get(name))
	}
	if first.Draft.Get("relationship_end_date") == nil {
		other = other.Without("relationship_end_date")
	}
	first.Draft, first.Nonce = other, target.UUID()
	return first
}

const byTheKey = "A creation again by the API key"

// ways are other forms of a request for the same object, as far as the deployment file has what they need.
func (s *Suite) ways() (all []follow) {
	add := func(words string, known, every bool, change func(c *target.Creation)) {
		step := func(first target.Creation) target.Creation {
			change(&first)
			return newNonce(first)
		}
		if known {
			all = append(all, follow{words, []next{step}, false, every})
		}
	}
	product, keys := s.t.Deployment.Fixtures.ProductID, s.t.Deployment.Credentials
	add("A creation again with its transaction ID in capitals", true, true,
		func(c *target.Creation) { c.Transaction = strings.ToUpper(c.Transaction) })
	add("A creation again in another language", true, false, func(c *target.Creation) { c.Language = "en-US" })
	add("A creation again with "+target.HeaderProduct, product != "", false,
		func(c *target.Creation) { c.Product = product })
	add(byTheKey, keys.PlatformToken != nil && keys.APIKey != nil, false,
		func(c *target.Creation) { c.Credential = keys.APIKey })
	return all
}

// repeated is a creation that was accepted and what came after it, each with the first.
type repeated struct {
	list      []Repetition
	condition design.Context
}

func (r repeated) secondRecord() bool {
	for _, one := range r.list {
		if _, other := one.Kept(); other {
			return true
		}
	}
	return false
}

type repetitions = *spec.Observation[repeated]

// right reports whether no repeat made a second record, or changed the first.
func (f follow) right(r repeated) bool {
	for _, one := range r.list {
		known := one.Again.Status == http.StatusConflict || one.Again.Success()
		if len(one.Changed()) > 0 || f.equal && !known {
			return false
		}
	}
	return !r.secondRecord()
}

// repeat declares what follows a creation, plain and in the contexts of repeats.
func (s *Suite) repeat(f follow) repetitions {
	return spec.Observe(s.Plan, f.words, func(ctx context.Context) (repeated, error) {
		in := plain()
		if f.every {
			in = append(in, s.c.Assign(client.Create, "create.repeat", 1)[0]...)
		}
		for _, with := range in { // each of them takes a while
			s.followed(with).Start(ctx)
		}
		r, condition, err := control.InContexts(ctx, s.c, client.Create, in, f.right,
			func(with design.Context) (repeated, error) {
				all, err := s.followed(with).Get(ctx)
				if r, seen := all[f.words]; err != nil || seen {
					return r, err
				}
				return repeated{}, spec.Unclear("the repeats before it got no clear answer, so it was not sent")
			})
		r.condition = condition
		return r, err
	})
}

// chains is how often an observation is started anew, at most (package spec decides that).
const chains = 5

// followed is a creation in a context and what follows it, by its words. They belong together: when one of them gets no
// answer, all are made anew, but once a repeat is seen to break the deployment each time.
func (s *Suite) followed(with design.Context) *spec.Observation[map[string]repeated] {
	tried, died := 0, map[string]int{}
	return spec.Observe(s.Plan, "a creation and its repeats, with "+with.String(),
		func(ctx context.Context) (map[string]repeated, error) {
			tried++
			first, x, err := s.first(ctx, "a creation that is repeated", with)
			if err != nil {
				return nil, err
			}
			found, broken := map[string]repeated{}, false
			for _, f := range s.follows(with) {
				var r repeated
				for _, step := range f.steps {
					again, err := s.resend(ctx, f, step(first))
					one := Repetition{First: x, Again: again, What: f.words}
					switch {
					case err != nil && len(found) > 0 && again.Err != nil && again.Err.Kind == client.Budget:
						return found, nil
					case err != nil && broke(again) && (broken || tried >= chains && died[f.words]+1 >= chains):
						// The first was answered each time: it is the repeat that breaks the deployment.
						one.Died, broken = died[f.words]+1, true
					case err != nil && broke(again):
						died[f.words]++
						return nil, err
					case err != nil:
						return nil, err
					}
					if r.list = append(r.list, one); one.Died > 0 {
						break
					}
				}
				found[f.words] = r
			}
			return found, nil
		})
}

// follows are what is tried in a context, what may overwrite the record last.
func (s *Suite) follows(with design.Context) (all []follow) {
	for _, f := range append(append([]follow{identical(), underNewNonce()}, s.ways()...), s.underOtherBody()) {
		if f.every || len(with) == 0 {
			all = append(all, f)
		}
	}
	return all
}

// resend sends a repeat. Who was let in a moment ago is asked once more whether that is so in general.
func (s *Suite) resend(ctx context.Context, f follow, c target.Creation) (*client.Exchange, error) {
	c.Label = f.words
	send := func() *client.Exchange { return s.t.Create(ctx, func() target.Creation { return c }) }
	x := send()
	if aboutCaller(x) {
		if other, alive := s.c.CreationAlive(ctx); !alive {
			return x, spec.Unclear("the repeat got %s, and so did another request: %s", target.Describe(x),
				target.Describe(other))
		}
		x = send()
	}
	return x, s.t.Usable(ctx, x)
}

// first makes a new representative, once the control was accepted.
func (s *Suite) first(ctx context.Context, label string, with design.Context) (target.Creation, *client.Exchange, error) {
	var sent target.Creation
	if _, err := s.c.Creation.Get(ctx); err != nil {
		return sent, nil, err
	}
	x := s.t.Create(ctx, func() target.Creation {
		sent = s.t.Creation(label)
		s.c.Change(&sent, with)
		return sent
	})
	if err := s.t.Usable(ctx, x); err != nil {
		return sent, x, err
	}
	if x.Crashed() {
		return sent, x, spec.Transient("the first creation got %s", target.Describe(x))
	}
	if !x.Success() {
		return sent, x, spec.Unclear("the first creation was not accepted: %s", target.Describe(x))
	}
	return sent, x, nil
}

func aboutCaller(x *client.Exchange) bool {
	return x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden
}

// broke reports that the deployment gave no usable answer, for reasons other than our pace or an interrupt.
func broke(x *client.Exchange) bool {
	if x.Err != nil {
		return x.Err.Kind == client.Reset || x.Err.Kind == client.TimedOut || x.Err.Kind == client.Garbled
	}
	return x.Status >= 500
}
