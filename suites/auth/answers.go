package auth

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// checkExportStatus judges with what the export refuses. The document gives 401 for failed authentication on the other
// operation and lists no errors of this one. Exports that were accepted, or answered by a server error, are findings of
// their own rules.
func (s *suite) checkExportStatus() {
	var deps []spec.Awaited
	for _, o := range s.exports {
		deps = append(deps, o)
	}
	// The export operation, too, answers 401 to a request without valid authentication.
	s.p.It("auth.export_status", "every refused export", deps, func(ctx context.Context) {
		var refused []*client.Exchange
		failed := 0
		for _, o := range s.exports {
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
			s.p.Inconclusive("no export without valid authentication was refused with a 4xx, so there is no status to look at")
		}
		s.p.Attempts(len(refused), failed)
		Expect(refused).To(AllHaveStatus(http.StatusUnauthorized))
	})
}

// leak is an answer that repeats a credential.
type leak struct {
	credentials []string
	seq         int
	where       string
}

// observeLeaks looks through every answer of the run, whatever the request was for.
func (s *suite) observeLeaks(context.Context) ([]leak, error) {
	const unfinished = 64 // numbers may be given out to requests that have not ended
	var all []leak
	for seq := range s.t.Client.Stats().Sent + unfinished {
		x := s.t.Client.Exchange(seq + 1)
		if x == nil || len(x.Leaks) == 0 {
			continue
		}
		all = append(all, leak{x.Leaks, x.Seq, fmt.Sprintf("the answer %d to %s %q", x.Recorded.Status, x.Operation, x.Label)})
	}
	return all, nil
}

// checkConfidential judges every answer of the run.
func (s *suite) checkConfidential() {
	leaks := spec.ObserveEnd(s.p, "credentials in answers", s.observeLeaks)
	// The key is confidential and not to be shared: no answer repeats a credential, which would put it into logs,
	// caches and error trackers.
	s.p.It("auth.confidential", "every answer of the run", spec.After(leaks), func(ctx context.Context) {
		found := leaks.Await(ctx)
		if n := s.t.Client.Stats().Sent; n > 0 {
			s.p.Attempts(n, len(found))
		}
		Expect(found).To(repeatNoCredential())
	})
}

func repeatNoCredential() types.GomegaMatcher { return leaksMatcher{} }

// leaksMatcher names which credential was repeated and where, never its value.
type leaksMatcher struct{}

func (leaksMatcher) Match(actual any) (bool, error) {
	found, ok := actual.([]leak)
	if !ok {
		return false, fmt.Errorf("leaks are judged here, not %T", actual)
	}
	return len(found) == 0, nil
}

func (leaksMatcher) FailureMessage(actual any) string {
	found := actual.([]leak)
	var names, places []string
	for _, l := range found {
		for _, name := range l.credentials {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(places) < 5 {
			places = append(places, fmt.Sprintf("%s in exchange %d, %s", strings.Join(l.credentials, " and "), l.seq, l.where))
		}
	}
	if more := len(found) - len(places); more > 0 {
		places = append(places, fmt.Sprintf("and %d more", more))
	}
	slices.Sort(names)
	return spec.Finding(
		fmt.Sprintf("%d answers repeat a credential (%s)", len(found), strings.Join(names, ", ")),
		"no answer that repeats a credential", strings.Join(places, "\n"))
}

func (m leaksMatcher) NegatedFailureMessage(actual any) string { return m.FailureMessage(actual) }
