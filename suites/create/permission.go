package create

import (
	"context"
	"net/http"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// permission: who is authenticated but may not create gets 403, which tells lack of permission from lack of identity.
func (s *suite) permission() []kind {
	const rule, name = "create.permission", "a user without the permission gets 403"
	const key = "credentials.unprivileged"
	seen := s.send(label(rule, name), target.AboutCaller, func(valid target.Creation) target.Creation {
		valid.Credential = s.t.Deployment.Credentials.Unprivileged
		return valid
	})
	// A 401 is the wrong answer to somebody who is known, and the right one to a credential that is worth nothing.
	known := plan.Observe(s.p, "export, "+key, func(ctx context.Context) (bool, error) {
		a, err := seen.Get(ctx)
		if err != nil || a.Status != http.StatusUnauthorized {
			return true, err
		}
		export, err := s.t.Settle(ctx, target.AboutCaller, func() *client.Exchange {
			return s.t.StartExport(ctx, func() target.ExportCall {
				call := s.t.Export("export, "+key, s.t.Unique())
				call.Credential = s.t.Deployment.Credentials.Unprivileged
				return call
			})
		}, s.c.ExportAlive)
		return err == nil && export.Status != http.StatusUnauthorized, nil
	})
	s.p.It(rule, name, plan.After(seen, known), func(ctx context.Context) {
		a := seen.Await(ctx)
		if !known.Await(ctx) {
			s.p.Inconclusive("the credential gets 401 wherever it is sent: check the value of %s", key)
		}
		gomega.Expect(a).To(matchers.HaveStatus(http.StatusForbidden))
	})
	return []kind{{"no permission", key, seen}}
}
