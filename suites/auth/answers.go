package auth

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// exportStatus: the document gives 401 for failed authentication on the other operation and lists no errors of this one.
// Exports that were accepted, or answered by a server error, are findings of their own rules.
func (s *Suite) exportStatus() {
	s.Rule("auth.export_status", Should, Authentication,
		"The export operation, too, answers 401 to a request without valid authentication.", func() {
			exports := s.exports
			for _, o := range exports {
				s.Uses(o)
			}
			It("answers 401 to every export that it refuses", func(ctx SpecContext) {
				var refused []*client.Exchange
				failed := 0
				for _, o := range exports {
					a, ok := o.Settled(ctx)
					if !ok || !a.Refusal() || a.Status == http.StatusTooManyRequests {
						continue
					}
					refused = append(refused, a.Exchange)
					if a.Status != http.StatusUnauthorized {
						failed++
					}
				}
				if len(refused) == 0 {
					spec.Inconclusive("no export without valid authentication was refused with a 4xx, so there is no status to look at")
				}
				spec.Attempts(len(refused), failed)
				Expect(refused).To(AllHaveStatus(http.StatusUnauthorized))
			})
		})
}

// confidential: an answer that repeats a credential puts it into logs, caches and error trackers.
func (s *Suite) confidential() {
	s.Rule("auth.confidential", Should, Authentication, "No answer repeats a credential.", spec.Security, Serial, func() {
		leaks := spec.ObserveEnd(s.Plan, "credentials in answers", s.leaks)
		It("repeats no credential in any answer of the run", func(ctx SpecContext) {
			found := leaks.Await(ctx)
			if n := s.t.Client.Stats().Sent; n > 0 {
				spec.Attempts(n, len(found))
			}
			Expect(found).To(repeatNoCredential())
		})
	})
}

// leaks looks through every answer of the run, whatever the request was for.
func (s *Suite) leaks(context.Context) (all []*client.Exchange, _ error) {
	const unfinished = 64 // numbers may be given out to requests that have not ended
	first := s.t.Client.FirstSeq() + 1
	for i := range s.t.Client.Stats().Sent + unfinished {
		if x := s.t.Client.Exchange(first + i); x != nil && len(x.Leaks) > 0 {
			all = append(all, x)
		}
	}
	return all, nil
}

// leaksMatcher names which credential was repeated and where, never its value.
type leaksMatcher struct{}

func repeatNoCredential() types.GomegaMatcher { return leaksMatcher{} }

func (leaksMatcher) Match(actual any) (bool, error) {
	found, ok := actual.([]*client.Exchange)
	if !ok {
		return false, fmt.Errorf("answers with leaks are judged here, not %T", actual)
	}
	return len(found) == 0, nil
}

func (leaksMatcher) FailureMessage(actual any) string {
	const most = 5
	found := actual.([]*client.Exchange)
	var names, places []string
	for _, x := range found {
		names = append(names, x.Leaks...)
		places = append(places, fmt.Sprintf("%s in exchange %d, the answer %d to %s %q",
			strings.Join(x.Leaks, " and "), x.Seq, x.Recorded.Status, x.Operation, x.Label))
	}
	if more := len(found) - most; more > 0 {
		places = append(places[:most], fmt.Sprintf("and %d more", more))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return spec.Finding(fmt.Sprintf("%d answers repeat a credential (%s)", len(found), strings.Join(names, ", ")),
		"no answer that repeats a credential", strings.Join(places, "\n"))
}

func (m leaksMatcher) NegatedFailureMessage(actual any) string { return m.FailureMessage(actual) }
