package auth

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// labelled names a request by its operation and by what it carries.
func labelled(op client.Operation, what string) string {
	return map[client.Operation]string{client.Create: "creation", client.Export: "export"}[op] + " with " + what
}

// refuses declares the case that an operation refused a sender, in some contexts. One that is let in like another, who
// shows in the same place what nobody could take for a credential, is that one's finding.
func (s *Suite) refuses(op client.Operation, who sender, in []design.Context) {
	spec.Helper()
	s.Asks(string(op))
	label, right := labelled(op, who.what), who.refused(op)
	fine := func(a target.Answer) bool {
		ok, _ := right.Match(a)
		_, created := RecordID(a.Exchange)
		return ok || inFront(a) || who.place == otherPath && !created && !LetThrough(a.Exchange) // nothing is served there
	}
	seen := spec.Observe(s.Plan, fmt.Sprint(label, in), func(ctx context.Context) (target.Answer, error) {
		if err := who.able(); err != nil {
			return target.Answer{}, err
		}
		return s.c.Try(ctx, control.Trial{
			Op: op, In: in, Without: []string{control.Method}, Clear: target.AboutCaller,
			Right: fine,
			Edit: func(x control.Call) {
				who.on(x.Request, label)
				x.Unwelcome, x.Claim = true, target.Preceded
			},
		})
	})
	var alike []answer
	for _, t := range s.tried {
		if t.op == op && t.rule == who.worthless() && t.rule != s.Building().ID {
			alike = append(alike, t.seen)
			s.Uses(t.seen)
		}
	}
	s.tried = append(s.tried, tried{s.Building().ID, op, who, seen})
	s.It("refuses the "+label, func(ctx spec.Context) {
		a := seen.Await(ctx)
		if fine(a) {
			return
		}
		for _, o := range alike {
			if b, known := o.Settled(ctx); known && b.Status == a.Status {
				ctx.NotVerified("", "%s gets %d as well, see %s", b.About(), a.Status, who.worthless())
			}
		}
		ctx.Expect(a).To(right)
	})
}

// alone declares a creation or an export under nothing but a credential. A valid one finds out how this deployment wants it
// spelled, and its own fate is judged elsewhere.
func (s *Suite) alone(op client.Operation, who sender) answer {
	s.Asks(string(op))
	label := labelled(op, who.what)
	return spec.Observe(s.Plan, label, func(ctx context.Context) (a target.Answer, err error) {
		if err := who.able(); err != nil {
			return a, err
		}
		_, refused := s.c.Valid(op).Get(ctx)
		if spec.Need(refused) != nil {
			return a, refused
		}
		a, err = s.c.Settle(ctx, op, target.AboutCaller, func(x control.Call) { who.on(x.Request, label) })
		// Only 401 is about the credential for certain: the control shows whether anything else can be.
		switch {
		case err != nil || a.Success() || a.Status == http.StatusUnauthorized:
		case a.Status == http.StatusConflict:
			err = spec.Unclear("answered 409, which is about identifiers, and these were fresh")
		default:
			err = refused
		}
		return a, err
	})
}

// inFront reports a 403 that comes from something in front of the service, which keeps strangers out of its own accord:
// it is not JSON, as the answers of the service are.
func inFront(a target.Answer) bool {
	kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return a.Status == http.StatusForbidden && kind != "application/json" && !strings.HasSuffix(kind, "+json")
}
