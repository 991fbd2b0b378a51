package export

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// clash is what an export is refused for where each part of it is accepted without the others.
type clash struct {
	parts  []string
	answer target.Answer
}

// refusedBeside says which parts of an export are refused together: one finding, of export.success. Nothing is said of
// the exports that show beside which partners the window is the same, which leave out what is refused, nor where
// somebody else asks, or another wallet is asked for, which may be a reason, nor of a conflict: a repeat is blocked so.
func (s *Suite) refusedBeside(l look, q query, refused *client.Exchange) error {
	other := q.as != s.t.Deployment.Credentials.Main() || q.header[target.HeaderWallet] != ""
	if q.twin || other || !target.AboutField(refused) || refused.Status == http.StatusConflict {
		return nil
	}
	s.clashing.Lock()
	defer s.clashing.Unlock()
	found := slices.IndexFunc(s.clashes, func(c clash) bool {
		return !slices.ContainsFunc(c.parts, func(part string) bool { return !q.has(part) })
	})
	if found < 0 {
		c, ok := s.clash(l, q)
		if !ok {
			return nil
		}
		found, s.clashes = len(s.clashes), append(s.clashes, c)
	}
	c := s.clashes[found]
	return spec.Unmet("", "the deployment refuses an export with %s together (%s); see %s",
		strings.Join(c.parts, " and "), c.answer, spec.Ref("export.success"))
}

// clash leaves out of a refused export what the refusal does not take. Where it is refused without company as well, or
// something gives a reason to refuse it, it says nothing.
func (s *Suite) clash(l look, q query) (found clash, ok bool) {
	last := (*client.Exchange)(nil)
	refuses := func(q query) bool {
		x := s.start(l, q)
		l.end(s.t.Usable(l, x))
		if !x.Refusal() {
			return false
		}
		last = x
		return true
	}
	bare := q
	if bare.company = nil; len(q.company) == 0 || refuses(bare) {
		return found, false
	}
	for _, p := range q.company {
		fewer := q
		if fewer.company = q.company.Without(p.String()); refuses(fewer) {
			q = fewer
		}
	}
	for _, names := range [][]string{{"filter_type", "filter_text"}, {"sort"}, {"order"}, {"type_extension"}} {
		fewer := q
		if fewer.fields = q.fields.Without(names...); len(fewer.fields) < len(q.fields) && refuses(fewer) {
			q = fewer
		}
	}
	for _, name := range slices.Sorted(maps.Keys(q.header)) {
		fewer := q
		fewer.header = maps.Clone(q.header)
		if delete(fewer.header, name); refuses(fewer) {
			q = fewer
		}
	}
	if last == nil || len(q.company) == 0 || !s.groundless(l, q) {
		return found, false
	}
	found.parts = q.partners()
	if len(found.parts) < 2 {
		return found, false
	}
	found.answer = target.Answer{
		Exchange: last, Attempts: []*client.Exchange{last}, Condition: settings(found.parts...),
		Subject: "export",
	}
	return found, true
}

// groundless reports that nothing gives a reason to refuse what stands together in an export. A wallet may be of another
// product, or nothing that a caller may use, and a client need not have it: it is the default one, and the window is
// the same without it and all that stands beside it.
func (s *Suite) groundless(l look, q query) bool {
	parts := q.partners()
	scopes := []string{target.HeaderWallet, target.HeaderProduct, target.HeaderTarget, control.ByKey}
	if !slices.Contains(parts, target.HeaderWallet) {
		return slices.ContainsFunc(parts, func(part string) bool { return !slices.Contains(scopes, part) })
	}
	text, filtered := q.fields["filter_text"].(string)
	if filtered && text != s.client.id {
		return false
	}
	rest := q
	rest.company = q.company.Without(target.HeaderWallet)
	rest.label, rest.twin = rest.label+", without the wallet", true
	rest.fields = s.whole(statement.CreatedAt)
	sh, ours := s.take(l, rest), l.sheet(s.window)
	return sh.usable() == nil && ours.usable() == nil && statement.SameRows(sh.rows, ours.rows)
}

// neverClash declares the spec that no export of the run was refused for what stands together in it.
func (s *Suite) neverClash() {
	spec.Helper()
	s.Uses(s.c.Export, s.run)
	s.It("accepts each export of the run, whatever it combines", func(ctx spec.Context) {
		s.run.Await(ctx)
		s.clashing.Lock()
		defer s.clashing.Unlock()
		for _, c := range s.clashes {
			ctx.Expect(c.answer).To(BeAccepted())
		}
	})
}
