package create

import (
	"context"
	"net/http"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// permission: who is authenticated but may not create gets 403, which tells lack of permission from lack of identity.
func (s *suite) permission() []kind {
	const rule, name = "create.permission", "a user without the permission gets 403"
	seen := s.send(label(rule, name), target.AboutCaller, func(valid target.Creation) target.Creation {
		valid.Credential = s.t.Deployment.Credentials.Unprivileged
		return valid
	})
	s.p.It(rule, name, plan.After(seen), func(ctx context.Context) {
		gomega.Expect(seen.Await(ctx)).To(matchers.HaveStatus(http.StatusForbidden))
	})
	return []kind{{"no permission", "credentials.unprivileged", seen}}
}
