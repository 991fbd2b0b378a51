package replay

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observed: what the document leaves open about replay protection.
func (s *Suite) observed() {
	Describe("what is left open", func() {
		s.memory()
		s.sameBodies()
		s.values()
	})
}

// notes declares a rule that records what tell says about the answers to requests, which are sent one after the other.
func (s *Suite) notes(id, statement, name string, requests func() []target.ExportCall,
	tell func(seen []*client.Exchange) string,
) {
	GinkgoHelper()
	s.Rule(id, Observe, ExportOperation, statement, func() { s.note(name, requests, tell) })
}

// note declares the spec of such a rule.
func (s *Suite) note(name string, requests func() []target.ExportCall, tell func(seen []*client.Exchange) string) {
	GinkgoHelper()
	o := spec.Observe(s.Plan, name, func(ctx context.Context) ([]*client.Exchange, error) {
		return s.steps(ctx, requests)
	})
	s.It("sends "+name, func(ctx SpecContext) { spec.Note("%s", tell(o.Await(ctx))) })
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

// memory: which requests count as earlier ones.
func (s *Suite) memory() {
	none, nonce := mode("none"), mode("nonce")

	// The nonce is not compared without a value, so the second request differs from the rejected one in nothing that
	// counts.
	s.notes("replay.observed.rejected_counts", "Whether a request that was rejected counts as an earlier one.",
		"a request rejected for its nonce, then the same with a good one", func() []target.ExportCall {
			bad := s.request(none, "malformed nonce")
			good := bad
			bad.Nonce = "not-a-uuid"
			good.Label = "the same body with a good nonce"
			return []target.ExportCall{bad, good}
		}, func(seen []*client.Exchange) string {
			if seen[0].Success() {
				return "not shown: a malformed nonce was accepted"
			}
			return "after a request rejected for its nonce, the same body " + fate(seen[1])
		})

	// The blocked request is the only one that carried the second nonce.
	s.notes("replay.observed.blocked_counts", "Whether a request that was blocked counts as an earlier one.",
		"the nonce of a blocked request", func() []target.ExportCall {
			first := s.request(none, "first request", "blocked")
			blocked := first
			blocked.Label, blocked.Nonce = "a repeat with another nonce", target.UUID()
			third := blocked
			third.Label, third.Mode = "the nonce of the blocked repeat, now compared", nonce.Header
			return []target.ExportCall{first, blocked, third}
		}, func(seen []*client.Exchange) string {
			if !seen[0].Success() || seen[1].Success() {
				return "not shown: the repeat was not blocked"
			}
			return "a request that equals a blocked one, nonce included, " + fate(seen[2])
		})

	s.Rule("replay.observed.cross_mode", Observe, ExportOperation, "Whether one mode sees requests of another.",
		func() {
			for _, o := range []struct{ first, again Mode }{{nonce, none}, {none, nonce}} {
				text := "a request with " + called(o.first) + ", then with " + called(o.again)
				s.note(text, func() []target.ExportCall {
					first := s.request(o.first, "first request, "+called(o.first))
					again := first
					again.Label, again.Mode = "the same request, "+called(o.again), o.again.Header
					return []target.ExportCall{first, again}
				}, func(seen []*client.Exchange) string { return text + ": " + s.afterFirst(seen) })
			}
		})
}

// sameBodies: when two bodies are the same.
func (s *Suite) sameBodies() {
	twice := func(id, statement, name, first, again string) {
		GinkgoHelper()
		s.notes(id, statement, name, func() []target.ExportCall {
			fields := s.t.Unique(name)
			write := func(form string) []byte {
				return []byte(fmt.Sprintf(form, fields["date_start"], fields["date_end"]))
			}
			a := s.request(mode("none"), "first request", name)
			a.Body = write(first)
			b := a
			b.Label, b.Body = name, write(again)
			return []target.ExportCall{a, b}
		}, func(seen []*client.Exchange) string { return "the repeat " + s.afterFirst(seen) })
	}
	const plain = `{"date_start":"%[1]s","date_end":"%[2]s"}`
	twice("replay.observed.key_order", "Whether another order of keys makes another body.",
		"the same body, its keys in another order", plain, `{"date_end":"%[2]s","date_start":"%[1]s"}`)
	twice("replay.observed.white_space", "Whether other white space makes another body.",
		"the same body with more white space", plain, "{\n  \"date_start\": \"%[1]s\",\n  \"date_end\": \"%[2]s\"\n}")
}

// values of the header that the document does not show.
func (s *Suite) values() {
	thrice := func(id, statement, name string, change change) {
		GinkgoHelper()
		s.notes(id, statement, name, func() []target.ExportCall {
			first := change.of(s.request(mode("none"), name))
			again := first
			again.Label = name + ", repeated"
			other := first
			other.Label, other.Nonce = name+", repeated with another nonce", target.UUID()
			return []target.ExportCall{first, again, other}
		}, func(seen []*client.Exchange) string {
			if !seen[0].Success() {
				return fmt.Sprintf("is refused (%d)", seen[0].Status)
			}
			return fmt.Sprintf("is accepted (%d); the same again %s; with another nonce it %s", seen[0].Status,
				fate(seen[1]), fate(seen[2]))
		})
	}
	thrice("replay.observed.value_case", "The replay protection value in upper case.", "NONCE in upper case",
		func(c *target.ExportCall) { c.Mode = "NONCE" })
	thrice("replay.observed.empty_value", "An empty replay protection value.", "an empty value",
		headers(target.HeaderReplay, ""))
	thrice("replay.observed.no_transaction", "The transaction mode without a transaction ID.",
		"x-transaction-uuid without a transaction ID",
		func(c *target.ExportCall) { c.Mode, c.Transaction = mode("transaction").Header, "" })
}
