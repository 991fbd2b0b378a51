package replay

import (
	"context"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// mode finds a mode of the catalogue by its name in rule IDs.
func mode(name string) rules.Mode {
	for _, m := range rules.Modes() {
		if m.Name == name {
			return m
		}
	}
	panic("replay: no mode " + name)
}

// observe adds one observed rule: steps that requests lists, and what tell says about their answers.
func (s *suite) observe(rule, name string, requests func() []target.ExportCall, tell func(seen []*client.Exchange) string) {
	o := spec.Observe(s.p, rule, func(ctx context.Context) ([]*client.Exchange, error) { return s.steps(ctx, requests) })
	s.p.It("replay.observed."+rule, name, spec.After(o), func(ctx context.Context) {
		s.p.Note("%s", tell(o.Await(ctx)))
	})
}

// fate says in a word what a repeat met.
func fate(x *client.Exchange) string {
	if x.Success() {
		return fmt.Sprintf("passes (%d)", x.Status)
	}
	return fmt.Sprintf("is blocked (%d)", x.Status)
}

// checkObserved notes what the document leaves open about replay protection.
func (s *suite) checkObserved() {
	s.observeMemory()
	s.observeBodies()
	s.observeValues()
}

// observeMemory: which requests count as earlier ones.
func (s *suite) observeMemory() {
	none, nonce := mode("none"), mode("nonce")
	// The nonce is not compared without a value, so the second request differs from the rejected one in nothing that
	// counts.
	s.observe("rejected_counts", "rejected for its nonce, then sent well", func() []target.ExportCall {
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
	s.observe("blocked_counts", "the nonce of a blocked request", func() []target.ExportCall {
		first := s.request(none, "first request")
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
	order := []struct{ first, again rules.Mode }{{nonce, none}, {none, nonce}}
	for _, o := range order {
		text := called(o.first) + ", then " + called(o.again)
		s.observe("cross_mode", text, func() []target.ExportCall {
			first := s.request(o.first, "first request, "+called(o.first))
			again := first
			again.Label, again.Mode = "the same request, "+called(o.again), o.again.Header
			return []target.ExportCall{first, again}
		}, func(seen []*client.Exchange) string {
			return text + ": " + s.afterFirst(seen)
		})
	}
}

// afterFirst tells the fate of the second request where the first was accepted.
func (s *suite) afterFirst(seen []*client.Exchange) string {
	if !seen[0].Success() {
		return fmt.Sprintf("the first request was not accepted (%d)", seen[0].Status)
	}
	var fates []string
	for _, x := range seen[1:] {
		fates = append(fates, fate(x))
	}
	return strings.Join(fates, ", ")
}

// observeBodies: when two bodies are the same.
func (s *suite) observeBodies() {
	twice := func(rule, name, first, again string) {
		s.observe(rule, name, func() []target.ExportCall {
			fields := s.t.Unique()
			write := func(form string) []byte {
				return []byte(fmt.Sprintf(form, fields["date_start"], fields["date_end"]))
			}
			a := s.request(mode("none"), "first request")
			a.Body = write(first)
			b := a
			b.Label, b.Body = name, write(again)
			return []target.ExportCall{a, b}
		}, func(seen []*client.Exchange) string { return "the repeat " + s.afterFirst(seen) })
	}
	const plain = `{"date_start":"%[1]s","date_end":"%[2]s"}`
	twice("key_order", "the same body, its keys in another order", plain, `{"date_end":"%[2]s","date_start":"%[1]s"}`)
	twice("white_space", "the same body with more white space", plain, "{\n  \"date_start\": \"%[1]s\",\n  \"date_end\": \"%[2]s\"\n}")
}

// observeValues: values of the header that the document does not show.
func (s *suite) observeValues() {
	thrice := func(rule, name string, change func(target.ExportCall) target.ExportCall) {
		s.observe(rule, name, func() []target.ExportCall {
			first := change(s.request(mode("none"), name))
			again := first
			again.Label = name + ", repeated"
			other := first
			other.Label, other.Nonce = name+", repeated with another nonce", target.UUID()
			return []target.ExportCall{first, again, other}
		}, func(seen []*client.Exchange) string {
			if !seen[0].Success() {
				return fmt.Sprintf("is refused (%d)", seen[0].Status)
			}
			return fmt.Sprintf("is accepted (%d); the same again %s; with another nonce it %s", seen[0].Status, fate(seen[1]), fate(seen[2]))
		})
	}
	thrice("value_case", "NONCE in upper case", func(c target.ExportCall) target.ExportCall {
		c.Mode = "NONCE"
		return c
	})
	thrice("empty_value", "an empty value", func(c target.ExportCall) target.ExportCall {
		return c.Set(target.HeaderReplay, "")
	})
	thrice("no_transaction", "x-transaction-uuid without a transaction ID", func(c target.ExportCall) target.ExportCall {
		c.Mode, c.Transaction = mode("transaction").Header, ""
		return c
	})
}
