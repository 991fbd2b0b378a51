// Package auth verifies authentication on both operations: either documented method alone is enough, and nothing else
// is.
package auth

import (
	"context"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/curl"
	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of authentication.
type Suite struct {
	*spec.Plan
	t *target.Target
	c *control.Controls

	exports     []answer                    // without valid authentication
	unknownKeys map[client.Operation]answer // with an API key that nobody issued; all others after it are keys, too
}

type answer = *spec.Observation[target.Answer]

// New makes the suite.
func New(p *spec.Plan, t *target.Target, c *control.Controls) *Suite {
	return &Suite{Plan: p, t: t, c: c}
}

// Declare declares the rules.
func (s *Suite) Declare() {
	s.exports, s.unknownKeys = nil, map[client.Operation]answer{}
	s.Describe("authentication", spec.Label("auth"), func() {
		s.methods()
		s.missing()
		s.bearer()
		s.tampered()
		s.keys()
		s.exportStatus()
		s.observed()
		s.confidential()
	})
}

// identity is what a request shows of its sender.
type identity struct {
	credential *deployment.Credential // sent by its own method
	header     http.Header            // sent as it is
	query      url.Values
	body       []byte // in place of a valid one; nil: a valid one
	altered    *curl.Alteration
}

// made adds how a shell makes the credential in the header.
func (i identity) made(how *curl.Alteration) identity {
	i.altered = how
	return i
}

// authorization is an identity that puts a value of its own into the Authorization header.
func authorization(value string) identity {
	return identity{header: http.Header{"Authorization": {value}}}
}

func (i identity) sign(r *target.Request, label string) {
	r.Label, r.Credential, r.Query, r.Altered = label, i.credential, i.query, i.altered
	maps.Copy(r.Header, i.header)
	if i.body != nil {
		r.Body = i.body
	}
}

// maker makes an identity for one attempt; its error says why there is none on this deployment.
type maker func() (identity, error)

// labelled names a request by its operation and by what it carries.
func labelled(op client.Operation, what string) string {
	if op == client.Create {
		return "creation with " + what
	}
	return "export with " + what
}

// refused declares a creation or an export under an identity that must not be accepted, once a valid one was, in rows
// of company; without any, plain.
func (s *Suite) refused(op client.Operation, what string, give maker, in ...control.Row) answer {
	s.Asks(string(op))
	label := labelled(op, what)
	if len(in) == 0 {
		in = []control.Row{control.Plain}
	}
	right := func(a target.Answer) bool {
		return a.Status == http.StatusUnauthorized || op == client.Export && a.Refusal() || inFront(a)
	}
	return spec.Observe(s.Plan, label+fmt.Sprint(" in rows ", in), func(ctx context.Context) (target.Answer, error) {
		if _, err := give(); err != nil {
			return target.Answer{}, err
		}
		return s.c.Answer(ctx, op, in, right, func(with control.Company) (target.Answer, error) {
			with = with.Without(apiKeyHeader) // who sends it is what the rule is about
			a, err := s.c.Requests(ctx, op, target.AboutCaller, with, func(r *target.Request) {
				who, _ := give()
				who.sign(r, label)
			})
			s.t.Disown(a.Attempts...)
			return a, err
		})
	})
}

// send sends a valid creation or a valid export under an identity, and settles nothing.
func (s *Suite) send(ctx context.Context, op client.Operation, who identity, what string) *client.Exchange {
	if op == client.Export {
		return s.t.StartExport(ctx, func() target.ExportCall {
			call := s.t.Export("", s.t.Unique(what))
			who.sign(&call.Request, labelled(op, what))
			return call
		})
	}
	// it finds out how this deployment wants creations spelled; its own fate is judged elsewhere
	_, _ = s.c.Creation.Get(ctx)
	return s.t.Create(ctx, func() target.Creation {
		c := s.t.Creation(what)
		who.sign(&c.Request, labelled(op, what))
		return c
	})
}

// rows are those that each of the n senders of a rule goes in.
func (s *Suite) rows(op client.Operation, rule string, n int) [][]control.Row {
	all := s.c.Rows(control.Accompanied(op), rule, n, rule == "auth.missing" || rule == "auth.bearer.expired")
	if op == client.Export && rule == "auth.api_key.altered" {
		all[n-1] = control.Accompanied(op) // one of them names a wallet
	}
	return all
}

const unknownKeyRule = "auth.api_key.unknown"

// sender is an identity that authenticates nobody, by what requests show of it.
type sender struct {
	what string
	give maker
}

// senders are who creates and who exports.
type senders struct{ creates, exports sender }

// alternately has creations show one of some senders, and exports the next: who identifies the caller does so for both.
// The seed decides which begin.
func (s *Suite) alternately(all ...sender) []senders {
	list := make([]senders, len(all))
	for i, one := range all {
		if (int64(i)+s.t.Seed)%2 == 0 {
			list[i].creates = one
		} else {
			list[i].exports = one
		}
	}
	return list
}

// rejects declares a rule that each of some senders is refused: a creation answers 401; of an export it is only
// documented that such a request fails, so any 4xx is right there. args are the senders, or two where operations have
// one each, and options of the rule.
func (s *Suite) rejects(id string, level Level, section Section, statement string, args ...any) {
	spec.Helper()
	var all []senders
	var options []any
	for _, a := range args {
		switch who := a.(type) {
		case sender:
			all = append(all, senders{who, who})
		case senders:
			all = append(all, who)
		case []senders:
			all = append(all, who...)
		default:
			options = append(options, a)
		}
	}
	s.Rule(id, level, section, statement, append(options, func() {
		creations, exports := s.rows(client.Create, id, len(all)), s.rows(client.Export, id, len(all))
		for n, one := range all {
			a, b := one.creates, one.exports
			if a.give != nil {
				s.refuses(client.Create, a, s.refused(client.Create, a.what, a.give, creations[n]...))
			}
			if b.give != nil {
				s.refuses(client.Export, b, s.refused(client.Export, b.what, b.give, exports[n]...))
			}
		}
	})...)
}

// refuses declares the spec that an operation refused a sender.
func (s *Suite) refuses(op client.Operation, who sender, seen answer) {
	text, right := "refuses a "+labelled(op, who.what), HaveStatus(http.StatusUnauthorized)
	if op == client.Export {
		text, right = "refuses an "+labelled(op, who.what), BeRefused()
		s.exports = append(s.exports, seen)
	}
	if s.Building() == unknownKeyRule {
		s.unknownKeys[op] = seen
	}
	unknown, isKey := s.unknownKeys[op]
	if isKey {
		s.Uses(unknown)
	}
	s.It(text, func(ctx spec.Context) {
		a := seen.Await(ctx)
		if inFront(a) {
			return
		}
		if ok, _ := right.Match(a); !ok && isKey && unknown != seen {
			if b, known := unknown.Settled(ctx); known && b.Status == a.Status {
				ctx.NotVerified("", "a key that nobody issued gets %d as well, see %s", a.Status,
					spec.Ref(unknownKeyRule))
			}
		}
		a.Condition = s.c.Either(a.Condition)
		ctx.Expect(a).To(right)
	})
}

// inFront reports a 403 that comes from something in front of the service, which keeps strangers out of its own accord:
// it is not JSON, as the answers of the service are.
func inFront(a target.Answer) bool {
	kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return a.Status == http.StatusForbidden && kind != "application/json" && !strings.HasSuffix(kind, "+json")
}

// token is the platform token, where the deployment file gives one as a bearer token.
func (s *Suite) token() (string, error) {
	return given("credentials.platform_token", s.t.Deployment.Credentials.PlatformToken, deployment.Bearer)
}

// key is the API key, where the deployment file gives one as such.
func (s *Suite) key() (string, error) {
	return given("credentials.api_key", s.t.Deployment.Credentials.APIKey, deployment.APIKey)
}

// given is the value of a credential that has to go by a method.
func given(key string, c *deployment.Credential, by deployment.Method) (string, error) {
	switch {
	case c == nil:
		return "", spec.Unmet(key, "")
	case c.Method == by:
		return c.Value, nil
	case by == deployment.Bearer:
		return "", spec.Unmet(key, "it is given as an API key, not as a bearer token")
	}
	return "", spec.Unmet(key, "it is given as a bearer token, not as an API key")
}
