package auth

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// labelled names a request by its operation and by what it carries.
func labelled(op client.Operation, what string) string {
	return map[client.Operation]string{client.Create: "creation", client.Export: "export"}[op] + " with " + what
}

// refused declares a request of an operation by a sender that must not be accepted, once a valid one was, in some
// contexts.
func (s *Suite) refused(op client.Operation, who sender, in []design.Context) answer {
	s.Asks(string(op))
	label := labelled(op, who.what)
	right := func(a target.Answer) bool { ok, _ := who.refused(op).Match(a); return ok || inFront(a) }
	return spec.Observe(s.Plan, fmt.Sprint(label, in), func(ctx context.Context) (target.Answer, error) {
		if _, err := who.give(); err != nil {
			return target.Answer{}, err
		}
		a, condition, err := control.InContexts(ctx, s.c, op, in, right, func(with design.Context) (target.Answer, error) {
			a, err := s.c.RequestIn(ctx, op, target.AboutCaller, with.Without(control.Method), func(r *target.Request) {
				sign, _ := who.give()
				sign.of(r, label)
				r.Unwelcome, r.Claim = true, target.Preceded
			})
			s.t.Disown(a.Attempts...)
			return a, err
		})
		a.Condition = condition
		return a, err
	})
}

// send sends a valid creation or a valid export by a sender, and settles nothing.
func (s *Suite) send(ctx context.Context, op client.Operation, sign signature, what string) *client.Exchange {
	if op == client.Export {
		return s.t.StartExport(ctx, func() target.ExportCall {
			call := s.t.Export("", s.t.Unique(what))
			sign.of(&call.Request, labelled(op, what))
			return call
		})
	}
	// it finds out how this deployment wants creations spelled; its own fate is judged elsewhere
	_, _ = s.c.Creation.Get(ctx)
	return s.t.Create(ctx, func() target.Creation {
		c := s.t.Creation(what)
		sign.of(&c.Request, labelled(op, what))
		return c
	})
}

// refuses declares the case that an operation refused a sender. One that is let in like another, who shows in the same place
// what nobody could take for a credential, is that one's finding.
func (s *Suite) refuses(op client.Operation, who sender, in []design.Context) {
	spec.Helper()
	seen, text, right := s.refused(op, who, in), labelled(op, who.what), who.refused(op)
	var alike []answer
	for _, t := range s.tried {
		if t.op == op && t.rule == who.worthless() && t.rule != s.Building().ID {
			alike = append(alike, t.seen)
			s.Uses(t.seen)
		}
	}
	s.tried = append(s.tried, tried{s.Building().ID, op, who, seen})
	s.It("refuses the "+text, func(ctx spec.Context) {
		a := seen.Await(ctx)
		if inFront(a) {
			return
		}
		if ok, _ := right.Match(a); !ok {
			for _, o := range alike {
				if b, known := o.Settled(ctx); known && b.Status == a.Status {
					ctx.NotVerified("", "a %s gets %d as well, see %s", b.About(), a.Status, who.worthless())
				}
			}
		}
		ctx.Expect(a).To(right)
	})
}

// inFront reports a 403 that comes from something in front of the service, which keeps strangers out of its own accord:
// it is not JSON, as the answers of the service are.
func inFront(a target.Answer) bool {
	kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return a.Status == http.StatusForbidden && kind != "application/json" && !strings.HasSuffix(kind, "+json")
}
