package replay

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// oneMode: the two orders of the names are two spellings of one choice.
func (s *Suite) oneMode() {
	a, b := mode("transaction_nonce"), mode("nonce_transaction")
	s.Rule("replay.mode.both_spellings", rules.Should, rules.ExportOperation,
		"A request that repeats one sent under the other order of the two names is blocked.", func() {
			for _, pair := range [][2]rules.Mode{{a, b}, {b, a}} {
				seen := s.repeat(pair[0], repeat{
					words: "repeats everything, under " + pair[1].Header, blocks: true,
					again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
						sent.Mode = pair[1].Header
						return sent
					},
				})
				It("blocks a repeat under "+pair[1].Header+" of a request under "+pair[0].Header, func(ctx SpecContext) {
					Expect(seen.Await(ctx).Answer).To(BeBlocked())
				})
			}
		})
}

// oneUser: a user is the same by either method of authentication. That both credentials belong to one user is what the
// deployment file says by giving them; where their first exports are not accepted, nothing is judged.
func (s *Suite) oneUser() {
	s.Rule("replay.method.same_user", rules.Should, rules.ExportOperation,
		"A request that repeats one of the same user's, sent by the other method of authentication, is blocked.",
		spec.Needs("credentials.platform_token", "credentials.api_key"), func() {
			byKey := spec.Observe(s.Plan, "valid export by API key", func(ctx context.Context) (*client.Exchange, error) {
				return s.mayExport(ctx, "valid export by API key", "credentials.api_key", s.t.Deployment.Credentials.APIKey)
			})
			seen := s.repeat(mode("none"), repeat{
				words: "repeats everything, by the other method of authentication", blocks: true,
				again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
					sent.Credential = s.t.Deployment.Credentials.APIKey
					return sent
				},
			})
			It("blocks a repeat by the API key of a request by the token", func(ctx SpecContext) {
				byKey.Await(ctx)
				Expect(seen.Await(ctx).Answer).To(BeBlocked())
			})
		})
}
