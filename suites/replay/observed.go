package replay

import (
	"context"
	"fmt"
	"net/http"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// step is a request that follows others, made of the first of them.
type step struct {
	words  string
	change func(*target.Request)
}

// observed: which requests count as earlier ones, when two bodies are the same, and values of the header that the
// document does not show.
func (s *Suite) observed() {
	body := func(form string) func(*target.Request) {
		return func(c *target.Request) {
			c.Body = fmt.Appendf(nil, form, c.Fields["date_start"], c.Fields["date_end"])
		}
	}
	in := func(name string) func(*target.Request) {
		return func(c *target.Request) { c.Mode = mode(name).Header }
	}
	other := target.NewUUID()
	nonce := func(c *target.Request) { c.Nonce = other }
	again := step{"the same again", func(*target.Request) {}}
	renewed := step{"with another nonce", nonce}
	plain := body(`{"date_start":"%[1]s","date_end":"%[2]s"}`)

	s.follows("replay.observed.rejected_counts", "Whether a request that was rejected counts as an earlier one.",
		step{"a malformed nonce", func(c *target.Request) { c.Mode, c.Nonce = "", "not-a-uuid" }},
		step{"the same body with a good nonce", nonce})
	s.follows("replay.observed.blocked_counts", "Whether a request that was blocked counts as an earlier one.",
		step{"no replay value", in("none")}, renewed,
		step{"with that nonce, now compared", func(c *target.Request) { nonce(c); in("nonce")(c) }})
	s.follows("replay.observed.cross_mode", "Whether one mode sees requests of another.",
		step{"with nonce", in("nonce")}, step{"the same without a value", in("none")},
		step{"the same with both identifiers", in("transaction_nonce")})
	s.follows("replay.observed.key_order", "Whether another order of keys makes another body.", step{"one order", plain},
		step{"another order", body(`{"date_end":"%[2]s","date_start":"%[1]s"}`)})
	s.follows("replay.observed.white_space", "Whether other white space makes another body.", step{"without white space", plain},
		step{"with white space", body("{\n  \"date_start\": \"%[1]s\",\n  \"date_end\": \"%[2]s\"\n}")})

	s.follows("replay.observed.value_case", "The replay protection value in upper case.",
		step{"NONCE", func(c *target.Request) { c.Mode = "NONCE" }}, again, renewed)
	s.follows("replay.observed.empty_value", "An empty replay protection value.",
		step{"an empty value", func(c *target.Request) { c.SetHeader(target.HeaderReplay, "") }}, again, renewed)
	s.follows("replay.observed.no_transaction", "The transaction mode without a transaction ID.",
		step{"no transaction ID", func(c *target.Request) { in("transaction")(c); c.Transaction = "" }}, again, renewed)
}

// follows declares a rule that records what becomes of some requests, of which each is made of the first.
func (s *Suite) follows(id, statement string, steps ...step) {
	spec.Helper()
	s.Rule(id, Observe, SectionExport, statement, func() {
		seen := spec.Observe(s.Plan, statement, func(ctx context.Context) (all []*client.Exchange, _ error) {
			first := s.request(mode("none"), steps[0].words, nil)
			steps[0].change(&first)
			for i, one := range steps {
				call := first
				if call.Label = one.words; i > 0 {
					call.Label = steps[0].words + ", then " + one.words
					one.change(&call)
				}
				call.MayBlock = i > 0 && !s.throttles.Load()
				x := s.lab.SendAfterControlExport(ctx, func() target.Request { return call })
				if i > 0 {
					s.lab.MarkInvalid(x)
					s.pair(ctx, x, call)
				}
				if err := s.lab.TransientError(ctx, x); err != nil && (x.Status != http.StatusTooManyRequests || !s.clear(x)) {
					return nil, err
				}
				all = append(all, x)
			}
			return all, nil
		})
		s.It("sends "+steps[0].words+" and what follows it", func(ctx spec.Context) {
			var found []record.ObservedValue
			for i, x := range seen.Await(ctx) {
				fate := "passes"
				if !x.IsSuccess() {
					fate = "is refused"
				}
				found = append(found, record.NewObservedValue(steps[i].words, fmt.Sprintf("%s (%d)", fate, x.Status)))
			}
			ctx.RecordObserved(found...)
		})
	})
}
