package replay

import (
	"context"
	"maps"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// otherHeaders: headers that identify nothing are not in the group, unless somebody takes them for its params, which
// the document does not explain. One request changes them all; where it passes, each is changed alone.
func (s *Suite) otherHeaders() {
	values := []string{
		target.HeaderLanguage, "en-US", "User-Agent", "curl/8.9.1", "Accept", "application/json, */*;q=0.8",
		"X-Request-Id", target.UUID(),
	}
	s.Rule("replay.none.other_headers", rules.Should, rules.ExportOperation,
		"A request that changes only headers which are not compared, such as x-lang and User-Agent, is blocked.",
		func() {
			// Only one of the rows has a product and a wallet that can be left out.
			s.otherHeadersOf(mode("none"), values, func(ctx context.Context) control.Row { return s.leaving(ctx) })
			s.otherHeadersOf(mode("nonce"), values, func(ctx context.Context) control.Row {
				return control.First + control.Second - s.leaving(ctx)
			})
		})
}

func (s *Suite) otherHeadersOf(m rules.Mode, values []string, where func(context.Context) control.Row) {
	const words = "changes only headers that are not compared"
	under := func(again change) repeat {
		return repeat{words: words, blocks: true, again: again, both: true, where: where, grouped: true}
	}
	how := under(func(c *target.ExportCall) {
		headers(values...)(c)
		leaveOut(c)
	})
	s.join(m, how)
	all, exact := s.repeat(m, how), s.likeExact(control.First, m)
	s.blocked = append(s.blocked, all)
	seen := spec.Observe(s.Plan, "which other header lets a repeat pass, "+called(m),
		func(ctx context.Context) (repeated, error) {
			r, err := all.Get(ctx)
			if err != nil || len(r.Condition) > 0 || !LetThrough(r.Exchange) {
				return r, err
			}
			for i := 0; i < len(values); i += 2 {
				alone, err := s.chain(ctx, m, under(headers(values[i:i+2]...)))
				if err == nil && LetThrough(alone.Exchange) {
					alone.Condition = record.Only("another " + values[i])
					return alone, nil
				}
			}
			return r, nil
		})
	s.It("blocks a request with "+called(m)+" that "+words, func(ctx spec.Context) {
		got := seen.Await(ctx).Answer
		exact(ctx, got.Exchange)
		ctx.Expect(got).To(BeBlocked())
	})
}

// leaving is the row whose requests may go without their product or wallet.
func (s *Suite) leaving(ctx context.Context) control.Row {
	for _, r := range control.Accompanied(client.Export) {
		call := target.ExportCall{Request: target.Request{Header: map[string][]string{}}}
		s.c.Company(ctx, client.Export, r).Export(&call)
		if n := len(call.Header); leaveOut(&call) && len(call.Header) < n {
			return r
		}
	}
	return control.First
}

// leaveOut takes product and wallet from a request, which may always go without: a value in their place might be
// refused, which looks like a block. A product beside a target user has to stay.
func leaveOut(c *target.ExportCall) bool {
	if slices.Contains(slices.Collect(maps.Keys(c.Header)), target.HeaderTarget) {
		return false
	}
	c.Header = c.Header.Clone()
	delete(c.Header, target.HeaderProduct)
	delete(c.Header, target.HeaderWallet)
	return true
}

func headers(names ...string) change {
	return func(c *target.ExportCall) {
		for i := 0; i < len(names); i += 2 {
			name, value := names[i], names[i+1]
			if name == target.HeaderLanguage && slices.Contains(c.Header[name], value) {
				value = "pt-BR" // the other one
			}
			*c = c.Set(name, value)
		}
	}
}
