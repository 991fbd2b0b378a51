package auth

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareExportStatus declares the rule that exports get 401, too. The document gives 401 for
// failed authentication on creations, and lists no errors of exports. Other rules judge exports
// that are accepted or get a server error.
func (s *Suite) declareExportStatus() {
	s.Rule("auth.export_status", Should, SectionAuthentication,
		"The export operation, too, answers 401 to a request without valid authentication.", func() {
			s.NeedOperation("export")
			var exports []lab.AnswerObservation
			for _, t := range s.triedCallers {
				// which may be refused for its own sake
				if t.operation == client.OperationExport && t.location != inQuery && t.location != onOtherPath {
					exports = append(exports, t.answer)
					s.UseObservations(t.answer)
				}
			}
			s.It("answers 401 to every export that it refuses", func(ctx spec.Context) {
				var refused RuleTally
				for _, o := range exports {
					a, ok := o.TryGet(ctx)
					if !ok || !a.IsClientError() || a.Status == http.StatusTooManyRequests ||
						isForbiddenByProxy(a) || s.lab.IsBesideOthers(a.Exchange, true) {
						continue
					}
					refused.AddAnswer(a.Exchange, FlawUnless(a.Status == http.StatusUnauthorized,
						answers.Describe(a.Exchange), reproscript.ExpectStatus{Right: []string{"401"}}))
				}
				if refused.Judged == 0 {
					ctx.Inconclusivef(
						"no export without valid authentication was refused with a 4xx that is certainly the " +
							"operation's own, so there is no status to judge: a 403 that is not JSON may be a proxy's",
					)
				}
				ctx.Expect(refused).To(HoldForEveryAnswer("exports without valid authentication", "401"))
			})
		})
}

// declareConfidential declares the rule that no answer repeats a credential, which would leak it
// into logs, caches and error trackers. Findings name the credential, never its value.
func (s *Suite) declareConfidential() {
	s.Rule("auth.confidential", Should, SectionAuthentication, "No answer repeats a credential.",
		spec.Security, func() {
			leaks := spec.Observe(s.Plan, "credentials in answers",
				func(context.Context) (t RuleTally, _ error) {
					const unfinished = 64          // numbers may be assigned to unfinished requests
					var repeats []*client.Exchange // last, as reproducing one takes the request before it
					add := func(x *client.Exchange) {
						t.AddAnswer(x,
							Flaw{
								Found:    strings.Join(x.Leaks, " and "),
								Evidence: spec.Evidence{Sign: reproscript.ExpectNoLeak{}},
							})
					}
					for i := range s.target.Client.Stats().Sent + unfinished {
						switch x := s.target.Client.Exchange(i + 1); {
						case x == nil:
						case x.Status == http.StatusConflict:
							repeats = append(repeats, x)
						default:
							add(x)
						}
					}
					for _, x := range repeats {
						add(x)
					}
					return t, nil
				}, spec.PhaseLast)
			s.It("repeats no credential in any answer of the run", func(ctx spec.Context) {
				ctx.Expect(leaks.Await(ctx)).To(HoldForEveryAnswer("credentials that answers repeat", "none"))
			})
		})
}

// declareObservations declares the rules that record what the document leaves open about
// authentication.
func (s *Suite) declareObservations() {
	and := func(what string, c credential, header, value string) caller {
		return c.callerWith(what, "", func(r *target.Request, _ string) error {
			r.Credential, r.Header[header] = c.configured, []string{value}
			return nil
		})
	}
	s.declareStatusObservation("auth.observed.both_token_wrong",
		"A valid API key together with an invalid token.", s.key.settingKey,
		and("the API key and a token that nobody issued", s.key, inAuthorizationHeader,
			"Bearer "+rand.Text()))
	s.declareStatusObservation("auth.observed.both_key_wrong",
		"A valid token together with an invalid API key.", s.token.settingKey,
		and("the token and an API key that nobody issued", s.token, inAPIKeyHeader, target.NewUUID()))
	s.declareStatusObservation("auth.observed.scheme_case", "The scheme written in lower case.",
		s.token.settingKey,
		s.token.callerInHeader("the token under bearer in lower case", inAuthorizationHeader, "bearer "))
	s.Rule("auth.observed.plain_http", Observe, SectionAuthentication,
		"Plain HTTP where the deployment is HTTPS.", func() {
			plain := spec.Observe(s.Plan, "export over plain HTTP, without a credential",
				s.sendOverPlainHTTP)
			s.It("sends an export without a credential",
				func(ctx spec.Context) { ctx.RecordObservedf("%s", plain.Await(ctx)) })
		})
}

// declareStatusObservation declares a rule that records the statuses that both operations answer
// to a caller, as far as the run can send a creation.
func (s *Suite) declareStatusObservation(id, statement, need string, sent caller) {
	spec.Helper()
	s.Rule(id, Observe, SectionAuthentication, statement, spec.NeedsKeys(need),
		spec.NeedsOperation("export"), func() {
			creation := s.observeIndependently(client.OperationCreate, sent)
			export := s.observeIndependently(client.OperationExport, sent)
			s.It("sends "+sent.description, func(ctx spec.Context) {
				ctx.RecordObserved("export", fmt.Sprint(export.Await(ctx).Status))
				if a, ok := creation.TryGet(ctx); ok {
					ctx.RecordObserved("create", fmt.Sprint(a.Status))
				}
			})
		})
}

// sendOverPlainHTTP sends a request to the same host without TLS. It carries no credential,
// which would cross the network in clear. It bypasses the run's client, which knows one address
// only.
func (s *Suite) sendOverPlainHTTP(ctx context.Context) (string, error) {
	base, err := url.Parse(s.target.Deployment.BaseURL)
	if err != nil || base.Scheme != "https" {
		return "the deployment itself is plain HTTP", nil
	}
	plain := *s.target.Deployment
	base.Scheme = "http"
	plain.BaseURL = base.String()
	c, err := client.New(&plain, client.Options{InFlight: 1, Timeout: 10 * time.Second})
	if err != nil {
		return "", spec.Inconclusivef("no client for plain HTTP: %v", err)
	}
	defer c.Close()
	x := c.SendOnce(client.WithTrace(ctx, nil), &client.Request{
		Label: "export over plain HTTP, without a credential", Operation: client.OperationExport,
		Method: http.MethodPost,
		Path:   plain.Export.Path, Body: []byte("{}"),
		Header: http.Header{"Content-Type": {"application/json"}, target.HeaderNonce: {target.NewUUID()}},
	})
	if ctx.Err() != nil {
		return "", spec.ErrInterrupted
	}
	return answers.StatusText(x), nil // without an address
}
