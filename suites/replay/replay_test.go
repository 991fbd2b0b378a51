package replay_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/plan"
)

// prompt leaves out the late checks, which wait for seconds.
func prompt(c *plan.Check) bool { return c.Rule.ID != "replay.late" }

// TestHealthy shows what was observed in the log of a failure.
func TestHealthy(t *testing.T) {
	checks, c := bench{opts: reference.Options{Seed: 1}}.run(t)
	expect(t, checks, record.Pass, record.Observed)
	covered := map[string]bool{}
	for _, check := range checks {
		covered[check.Rule] = true
		if check.Verdict == record.Observed {
			t.Logf("%s: %s", check.Rule, check.Message)
		}
	}
	for _, r := range rules.All() {
		if r.Operation() == "replay" && !covered[r.ID] {
			t.Errorf("%s has no check", r.ID)
		}
	}
	if s := c.Stats(); s.Created != 0 || s.PeakInFlight < 2 {
		t.Errorf("expected no creation and requests in parallel, found %+v", s)
	}
}

// All faults are examined by suites/proof; this one shows that a finding of this suite stays with its rule.
func TestOneCauseFailsOneRule(t *testing.T) {
	checks, _ := bench{opts: reference.Options{Seed: 3, Faults: []string{"replay.transaction.other_body"}}, keep: prompt}.run(t)
	if found := failed(checks); len(found) != 1 || found["replay.transaction.other_body"] == "" {
		t.Errorf("failed: %v", found)
	}
}

// altered lets a test change the answers that the gateway has decided on.
func altered(alter func(w http.ResponseWriter, answer *httptest.ResponseRecorder)) func(http.Handler) http.Handler {
	return func(gateway http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			gateway.ServeHTTP(answer, r)
			alter(w, answer)
		})
	}
}

func forward(w http.ResponseWriter, answer *httptest.ResponseRecorder) {
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// A block may have any 4xx, 429 too, although that is what a throttle looks like.
func TestBlockLooksLikeAThrottle(t *testing.T) {
	b := bench{opts: reference.Options{Seed: 4}, keep: func(c *plan.Check) bool { // each throttle slows the run down
		return c.Rule.ID == "replay.nonce.same" || c.Rule.ID == "replay.nonce.other_nonce"
	}}
	b.wrap = altered(func(w http.ResponseWriter, answer *httptest.ResponseRecorder) {
		if answer.Code == http.StatusConflict {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		forward(w, answer)
	})
	checks, _ := b.run(t)
	expect(t, checks, record.Pass, record.Observed)
}

// losing drops one answer in ten after the request was processed.
func losing(seed uint64) func(http.Handler) http.Handler {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(seed, 0))
	return altered(func(w http.ResponseWriter, answer *httptest.ResponseRecorder) {
		mu.Lock()
		lost := random.IntN(10) == 0
		mu.Unlock()
		if lost {
			panic(http.ErrAbortHandler)
		}
		forward(w, answer)
	})
}

// An answer that is lost after its request counted must neither excuse a violation nor make one.
func TestLostAnswers(t *testing.T) {
	for seed := range uint64(3) {
		checks, _ := bench{opts: reference.Options{Seed: 5}, wrap: losing(seed)}.run(t)
		expect(t, checks, record.Pass, record.Observed, record.NotVerified, record.Inconclusive)

		opts := reference.Options{Seed: 5, Faults: []string{"replay.nonce.same", "replay.transaction.other_body"}}
		checks, _ = bench{opts: opts, wrap: losing(seed), keep: prompt}.run(t)
		for _, c := range checks {
			if (c.Rule == "replay.nonce.same" || c.Rule == "replay.transaction.other_body") && c.Verdict == record.Pass {
				t.Errorf("%s passes although it is violated", c.Rule)
			}
		}
	}
}

// A deployment that takes the credential for nobody's violates nothing that this suite is about.
func TestNothingIsAccepted(t *testing.T) {
	b := bench{opts: reference.Options{Seed: 6}}
	b.wrap = func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	}
	checks, _ := b.run(t)
	expect(t, checks, record.Inconclusive, record.Observed, record.NotVerified)
}

// A deployment that crashes on whatever it should block is found by the rule about the form of a block.
func TestServerErrorInARace(t *testing.T) {
	opts := reference.Options{Seed: 7, Faults: []string{"replay.block_answered_500"}}
	b := bench{opts: opts, keep: func(c *plan.Check) bool {
		return c.Rule.ID == "replay.blocked_is_4xx" || strings.HasPrefix(c.Rule.ID, "replay.race.")
	}}
	checks, _ := b.run(t)
	for _, c := range checks {
		want := record.Pass
		if c.Rule == "replay.blocked_is_4xx" {
			want = record.Fail
		}
		if c.Verdict != want {
			t.Errorf("%s: expected %s, found %s: %s", c.Rule, want, c.Verdict, c.Message)
		}
		if want == record.Fail && (c.Attempts < 200 || c.Failed != c.Attempts) {
			t.Errorf("%s: expected every loser of a race to count, found %d of %d", c.Rule, c.Failed, c.Attempts)
		}
	}
}
