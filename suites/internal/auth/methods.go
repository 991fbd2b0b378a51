package auth

import (
	"net/http"
	"net/url"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) declareMethodRules() {
	s.ruleAccepts("auth.bearer", "The platform token alone, as a bearer token, is accepted.",
		s.token.aloneWithExpiry("the platform token alone", false, "it expired on"), s.token.settingKey)
	s.ruleAccepts("auth.api_key", "The API key alone, in x-api-key, is accepted.",
		s.key.alone("the API key alone"), s.key.settingKey)
}

// ruleAccepts declares a rule that both operations accept a credential alone. A credential that
// both refuse may be wrong in the deployment file, so the case is then inconclusive.
func (s *Suite) ruleAccepts(id, statement string, who caller, key string) {
	spec.Helper()
	s.Rule(id, Must, SectionAuthentication, statement, spec.NeedsKeys(key), func() {
		var creation, export lab.AnswerObservation
		judge := func(ctx spec.Context, own, other lab.AnswerObservation) {
			a := own.Await(ctx)
			if a.Status == http.StatusUnauthorized {
				if b, ok := other.TryGet(ctx); !ok || !b.IsSuccess() {
					ctx.Inconclusivef("%s gets 401 wherever it is sent: check the value in the deployment file",
						who.description)
				}
			}
			ctx.Expect(a).To(BeAccepted())
		}
		creation = s.observeIndependently(client.OperationCreate, who)
		s.It("accepts a creation with "+who.description,
			func(ctx spec.Context) { judge(ctx, creation, export) })
		export = s.observeIndependently(client.OperationExport, who) // leaves no record behind
		s.It("accepts an export with "+who.description,
			func(ctx spec.Context) { judge(ctx, export, creation) }, spec.AtEveryDepth())
	})
}

func (s *Suite) declareMissingCredential() {
	nobody := caller{
		description: "no credential", authenticate: func(*target.Request) error { return nil },
		samplings: map[client.Operation]spec.Sampling{
			client.OperationCreate: spec.AtEveryDepth(), client.OperationExport: spec.AtEveryDepth(),
		},
	}
	s.ruleRejects(ruleMissing, Must,
		"Without a credential, a creation answers 401 and an export a 4xx.",
		[]caller{nobody}, spec.Security)
	at := func(what string, path func(own string) string) caller {
		return caller{
			description: "no credential and " + what, location: onOtherPath,
			authenticate: func(r *target.Request) error { r.RewritePath = path; return nil },
		}
	}
	withQuery := caller{
		description: "no credential and a query after the path", location: onOtherPath,
		authenticate: func(r *target.Request) error {
			r.Query = url.Values{"page": {"1"}}
			return nil
		},
	}
	s.ruleRejects(ruleMissingPath, Must,
		"Without a credential, nothing is created or exported under another spelling of the "+
			"path, or with a query after it.",
		append(
			alternateBySeed(at("a slash after the path", func(own string) string { return own + "/" }),
				at("the path in capitals", strings.ToUpper),
				at("a second slash before the path", func(own string) string { return "/" + own })),
			withQuery),
		spec.Security)
	s.ruleRejects("auth.missing.forwarded", Must,
		"Without a credential, a request that claims to come from inside is refused.",
		alternateBySeed(
			callerWithHeader("no credential and X-Forwarded-For: 127.0.0.1", "X-Forwarded-For", "127.0.0.1"),
			callerWithHeader("no credential and X-Real-Ip: 10.0.0.1", "X-Real-Ip", "10.0.0.1")),
		spec.Security)
	s.Rule("auth.missing.before_body", Should, SectionAuthentication,
		"Without a credential, a creation answers 401 whatever its body, and reveals nothing "+
			"about the body.",
		func() {
			for _, b := range [][2]string{
				{"an empty object", "{}"}, {"a body that is not JSON", "this is not JSON"},
			} {
				s.lab.ItRejects(s.refusalOf(client.OperationCreate, caller{
					description: b[0] + " and no credential", location: "body",
					authenticate: func(r *target.Request) error { r.Body = []byte(b[1]); return nil },
				}))
			}
		})
}
