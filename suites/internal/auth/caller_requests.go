package auth

import (
	"context"
	"mime"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

func (w caller) newProbe(op client.Operation) lab.Probe {
	p := lab.Probe{
		Operation: op, Description: w.description,
		Expectation:     lab.Expectation{Conclusive: answers.ConclusiveForCaller},
		ExcludedFactors: []string{lab.AuthMethodFactor},
		Edit: func(r *target.Request) {
			r.Credential = nil
			_ = w.authenticate(r) // possible, as the requirement has shown
		},
	}
	if op == client.OperationExport {
		p.Label = "export with " + w.description
	}
	return p.Requiring(func(context.Context, *lab.Lab) error {
		return w.authenticate(&target.Request{Header: http.Header{}})
	})
}

// refusalOf returns a request of a caller that an operation refuses. Its case is not verified
// where a caller with obvious garbage in the same location gets the same answer, which is the
// finding of another rule.
func (s *Suite) refusalOf(op client.Operation, who caller) lab.Probe {
	var alike []lab.AnswerObservation
	for _, t := range s.triedCallers {
		if t.operation == op && t.rule == who.garbageRule() && t.rule != s.CurrentRule().ID {
			alike = append(alike, t.answer)
			s.UseObservations(t.answer)
		}
	}
	p := who.newProbe(op)
	p.Matcher, p.Sampling = who.refusalMatcher(op), who.samplings[op]
	p.Tolerated = func(a target.Answer) bool {
		_, created := answers.RecordID(a.Exchange)
		// nothing is served there
		return isForbiddenByProxy(a) ||
			who.location == onOtherPath && !created && !answers.StartsExport(a.Exchange)
	}
	if who.location == onOtherPath {
		p.Tolerable = func(target.Answer) reproscript.Expectation {
			return reproscript.ExpectStatus{Right: []string{"3xx", "4xx"}}
		}
	}
	p.InconclusiveChecks = []lab.InconclusiveCheck{func(ctx spec.Context, a target.Answer) {
		for _, o := range alike {
			if b, known := o.TryGet(ctx); known && b.Status == a.Status {
				ctx.NotVerifiedf("", "%s gets %d as well, see %s", b.DescribeRequest(), a.Status,
					who.garbageRule())
			}
		}
	}}
	return p
}

// observeIndependently declares a creation or an export that is authenticated by one credential
// alone. It waits for the control to find the accepted form, but does not depend on its success.
func (s *Suite) observeIndependently(op client.Operation, who caller) lab.AnswerObservation {
	s.NeedOperation(string(op))
	p := who.newProbe(op)
	p.Valid, p.IgnoresControl = true, true
	return spec.ObserveAsCase(s.Plan, p.String(), func(ctx spec.Context) target.Answer {
		a, err := s.lab.SendInConfigurations(ctx, p)
		ctx.StopOnError(err)
		// Only 401 is certainly about the credential. The control shows whether any other status can
		// be.
		switch {
		case a.IsSuccess() || a.Status == http.StatusUnauthorized:
		case a.Status == http.StatusConflict:
			ctx.Inconclusivef("answered 409, which is about identifiers, and these were fresh")
		default:
			s.lab.PlainControl(op).Await(ctx)
			if s.lab.IsRefusedLikeValid(ctx, a) {
				ctx.Inconclusivef("refused (%s), as another with the ordinary credential is", a)
			}
		}
		return a
	})
}

// isForbiddenByProxy reports whether a 403 comes from a proxy in front of the service: it is not
// JSON, unlike the answers of the service.
func isForbiddenByProxy(a target.Answer) bool {
	kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return a.Status == http.StatusForbidden && kind != "application/json" &&
		!strings.HasSuffix(kind, "+json")
}
