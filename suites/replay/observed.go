package replay

import (
	"context"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// sent declares requests that are sent one after the other. accepted: those that follow are about the first one, and
// say nothing where it is refused.
func (s *Suite) sent(name string, accepted bool, requests func() []target.ExportCall,
) *spec.Observation[[]*client.Exchange] {
	return spec.Observe(s.Plan, name, func(ctx context.Context) ([]*client.Exchange, error) {
		return s.steps(ctx, accepted, requests)
	})
}

// note declares the spec that records what describe says about the answers to some requests.
func (s *Suite) note(text string, o *spec.Observation[[]*client.Exchange], describe func(seen []*client.Exchange) string) {
	spec.Helper()
	s.It("sends "+text, func(ctx spec.Context) { ctx.Note("%s", describe(o.Await(ctx))) })
}

// fate says in a word what a repeat met.
func fate(x *client.Exchange) string {
	if x.Success() {
		return fmt.Sprintf("passes (%d)", x.Status)
	}
	return fmt.Sprintf("is blocked (%d)", x.Status)
}

// afterFirst is the fate of the requests that follow a first one which was accepted.
func (s *Suite) afterFirst(seen []*client.Exchange) string {
	if !seen[0].Success() {
		return fmt.Sprintf("the first request was not accepted (%d)", seen[0].Status)
	}
	var fates []string
	for _, x := range seen[1:] {
		fates = append(fates, fate(x))
	}
	return strings.Join(fates, ", ")
}

// What follows one first request without a value, by its place. None changes what another one shows: what passes has
// another body, or a nonce that is compared.
const (
	keyOrder = iota + 1
	whiteSpace
	withOtherNonce
	blockedNonce // the only other request that carries the nonce of a blocked one
	otherMode
)

// followed is a first request without a value, and what follows it.
func (s *Suite) followed() *spec.Observation[[]*client.Exchange] {
	const name = "a first request and what follows it"
	return s.sent(name, true, func() (all []target.ExportCall) {
		first, fields := s.request(mode("none"), name), s.t.Unique(name)
		add := func(label, form, header, nonce string) {
			call := first
			call.Label, call.Mode, call.Nonce = label, header, nonce
			call.Body = fmt.Appendf(nil, form, fields["date_start"], fields["date_end"])
			all = append(all, call)
		}
		const plain = `{"date_start":"%[1]s","date_end":"%[2]s"}`
		own, other, compared := first.Nonce, target.UUID(), mode("nonce").Header
		add("first request", plain, "", own)
		add("the same body, its keys in another order", `{"date_end":"%[2]s","date_start":"%[1]s"}`, "", own)
		add("the same body with more white space",
			"{\n  \"date_start\": \"%[1]s\",\n  \"date_end\": \"%[2]s\"\n}", "", own)
		add("a repeat with another nonce", plain, "", other)
		add("the nonce of the blocked repeat, now compared", plain, compared, other)
		add("the same request, "+compared, plain, compared, own)
		return all
	})
}

// memory: which requests count as earlier ones, and when two bodies are the same.
func (s *Suite) memory() {
	none, nonce := mode("none"), mode("nonce")

	// The nonce is not compared without a value, so the second request differs from the rejected one in nothing that
	// counts.
	s.Rule("replay.observed.rejected_counts", Observe, ExportOperation,
		"Whether a request that was rejected counts as an earlier one.", func() {
			const text = "a request rejected for its nonce, then the same with a good one"
			s.note(text, s.sent(text, false, func() []target.ExportCall {
				bad := s.request(none, "malformed nonce")
				good := bad
				bad.Nonce = "not-a-uuid"
				good.Label = "the same body with a good nonce"
				return []target.ExportCall{bad, good}
			}), func(seen []*client.Exchange) string {
				if seen[0].Success() {
					return "not shown: a malformed nonce was accepted"
				}
				return "after a request rejected for its nonce, the same body " + fate(seen[1])
			})
		})

	follows := func(id, statement, text string, describe func(seen []*client.Exchange) string) {
		spec.Helper()
		s.Rule(id, Observe, ExportOperation, statement, func() { s.note(text, s.followed(), describe) })
	}
	then := func(at int) func(seen []*client.Exchange) string {
		return func(seen []*client.Exchange) string {
			return s.afterFirst([]*client.Exchange{seen[0], seen[min(at, len(seen)-1)]})
		}
	}
	follows("replay.observed.blocked_counts", "Whether a request that was blocked counts as an earlier one.",
		"the nonce of a blocked request", func(seen []*client.Exchange) string {
			if !seen[0].Success() || seen[withOtherNonce].Success() {
				return "not shown: the repeat was not blocked"
			}
			return "a request that equals a blocked one, nonce included, " + fate(seen[blockedNonce])
		})

	s.Rule("replay.observed.cross_mode", Observe, ExportOperation, "Whether one mode sees requests of another.",
		func() {
			between := func(a, b Mode) string { return "a request with " + called(a) + ", then with " + called(b) }
			back, there := between(nonce, none), between(none, nonce)
			s.note(back, s.sent(back, true, func() []target.ExportCall {
				first := s.request(nonce, "first request, "+called(nonce))
				again := first
				again.Label, again.Mode = "the same request, "+called(none), none.Header
				return []target.ExportCall{first, again}
			}), func(seen []*client.Exchange) string { return back + ": " + s.afterFirst(seen) })
			s.note(there, s.followed(), func(seen []*client.Exchange) string { return there + ": " + then(otherMode)(seen) })
		})

	repeat := func(at int) func(seen []*client.Exchange) string {
		return func(seen []*client.Exchange) string { return "the repeat " + then(at)(seen) }
	}
	follows("replay.observed.key_order", "Whether another order of keys makes another body.",
		"the same body, its keys in another order", repeat(keyOrder))
	follows("replay.observed.white_space", "Whether other white space makes another body.",
		"the same body with more white space", repeat(whiteSpace))
}

// values of the header that the document does not show.
func (s *Suite) values() {
	thrice := func(id, statement, name string, vary func(*target.ExportCall)) {
		spec.Helper()
		s.Rule(id, Observe, ExportOperation, statement, func() {
			s.note(name, s.sent(name, true, func() []target.ExportCall {
				first := s.request(mode("none"), name)
				vary(&first)
				again := first
				again.Label = name + ", repeated"
				other := first
				other.Label, other.Nonce = name+", repeated with another nonce", target.UUID()
				return []target.ExportCall{first, again, other}
			}), func(seen []*client.Exchange) string {
				if !seen[0].Success() {
					return fmt.Sprintf("is refused (%d)", seen[0].Status)
				}
				return fmt.Sprintf("is accepted (%d); the same again %s; with another nonce it %s", seen[0].Status,
					fate(seen[1]), fate(seen[2]))
			})
		})
	}
	thrice("replay.observed.value_case", "The replay protection value in upper case.", "NONCE in upper case",
		func(c *target.ExportCall) { c.Mode = "NONCE" })
	thrice("replay.observed.empty_value", "An empty replay protection value.", "an empty value",
		func(c *target.ExportCall) { *c = c.Set(target.HeaderReplay, "") })
	thrice("replay.observed.no_transaction", "The transaction mode without a transaction ID.",
		"x-transaction-uuid without a transaction ID",
		func(c *target.ExportCall) { c.Mode, c.Transaction = mode("transaction").Header, "" })
}
