package create

import (
	"context"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const unprivilegedKey = "credentials.unprivileged"

// permission: 403 distinguishes a lack of permission from a lack of identity.
func (s *Suite) permission() {
	s.Rule("create.permission", Must, Errors, "An authenticated user without the permission gets 403.",
		spec.Needs(unprivilegedKey), func() {
			seen := s.send(target.AboutCaller, s.unprivileged())
			// A 401 is the wrong answer to somebody who is known, and the right one to a credential that is worth nothing.
			known := spec.Observe(s.Plan, "export, "+unprivilegedKey, func(ctx context.Context) (bool, error) {
				a, err := seen.Get(ctx)
				if err != nil || a.Status != http.StatusUnauthorized {
					return true, err
				}
				export, err := s.t.Settle(ctx, target.AboutCaller, func() *client.Exchange {
					return s.t.StartExport(ctx, func() target.ExportCall {
						call := s.t.Export("export, "+unprivilegedKey, s.t.Unique())
						call.Credential = s.t.Deployment.Credentials.Unprivileged
						return call
					})
				}, s.c.ExportAlive)
				return err == nil && export.Status != http.StatusUnauthorized, nil
			})
			It("gives 403 to a user without the permission", func(ctx SpecContext) {
				a := seen.Await(ctx)
				if !known.Await(ctx) {
					spec.Inconclusive("the credential gets 401 wherever it is sent: check the value of %s", unprivilegedKey)
				}
				Expect(a).To(HaveStatus(http.StatusForbidden))
			})
		})
}

func (s *Suite) unprivileged() edit {
	return changed("a user without the permission",
		func(c *target.Creation) { c.Credential = s.t.Deployment.Credentials.Unprivileged })
}
