package replay_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/internal/replay"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// judge runs the suite against a reference gateway.
func judge(t *testing.T, b suitetest.SuiteRunner) suitetest.SuiteResult {
	t.Helper()
	b.Suite = func(p *spec.Plan, t *target.Target, l *lab.Lab) suitetest.Suite {
		return replay.New(p, t, l)
	}
	return b.Run(t)
}

// prompt leaves out the late repeats, which wait for seconds.
func prompt(r rules.Rule) bool { return r.ID != "replay.late" }

func TestHealthy(t *testing.T) {
	o := judge(t, suitetest.SuiteRunner{Options: reference.Options{Seed: 1}})
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved)
	if s := o.Client.Stats(); s.Created != 0 || s.PeakInFlight < 2 {
		t.Errorf("expected no creation and requests in parallel, found %+v", s)
	}
}

// A block may have any 4xx, including 429, although a throttle looks the same.
func TestBlockLooksLikeAThrottle(t *testing.T) {
	// each throttle slows the run down
	b := suitetest.SuiteRunner{Options: reference.Options{Seed: 4}, KeepRule: func(r rules.Rule) bool {
		return r.ID == "replay.nonce.same" || r.ID == "replay.nonce.other_nonce"
	}}
	b.WrapGateway = suitetest.AlterAnswers(
		func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
			if answer.Code == http.StatusConflict {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			suitetest.ForwardAnswer(w, answer, nil)
		})
	o := judge(t, b)
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved)
}

// losing drops one answer in ten after its request was processed.
func losing() func(http.Handler) http.Handler {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(1, 0))
	return suitetest.AlterAnswers(
		func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
			mu.Lock()
			lost := random.IntN(10) == 0
			mu.Unlock()
			if lost {
				panic(http.ErrAbortHandler)
			}
			suitetest.ForwardAnswer(w, answer, nil)
		})
}

// A lost answer to a recorded request must neither excuse a violation nor cause one.
func TestLostAnswers(t *testing.T) {
	o := judge(t, suitetest.SuiteRunner{Options: reference.Options{Seed: 5}, WrapGateway: losing()})
	o.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified,
		record.VerdictInconclusive)

	opts := reference.Options{
		Seed:   5,
		Faults: []string{"replay.nonce.same", "replay.transaction.other_body"},
	}
	o = judge(t, suitetest.SuiteRunner{Options: opts, WrapGateway: losing(), KeepRule: prompt})
	for _, c := range o.Checks {
		if (c.Rule == "replay.nonce.same" || c.Rule == "replay.transaction.other_body") &&
			c.Verdict == record.VerdictPass {
			t.Errorf("%s passes although it is violated", c.Rule)
		}
	}
}

// A deployment that rejects the credential violates no rule of this suite.
func TestNothingIsAccepted(t *testing.T) {
	b := suitetest.SuiteRunner{Options: reference.Options{Seed: 6}}
	b.WrapGateway = func(http.Handler) http.Handler {
		return http.HandlerFunc(
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	}
	o := judge(t, b)
	o.ExpectVerdicts(t, record.VerdictInconclusive, record.VerdictObserved, record.VerdictNotVerified)
}

// A deployment that crashes instead of blocking breaks the rule on the form of a block.
func TestServerErrorInARace(t *testing.T) {
	opts := reference.Options{Seed: 7, Faults: []string{"replay.block_answered_500"}}
	b := suitetest.SuiteRunner{Options: opts, KeepRule: func(r rules.Rule) bool {
		return slices.Contains([]string{"replay.blocked_is_4xx", "replay.late"}, r.ID) ||
			strings.HasPrefix(r.ID, "replay.race.")
	}}
	o := judge(t, b)
	for _, c := range o.Checks {
		want := record.VerdictPass
		if c.Rule == "replay.blocked_is_4xx" {
			want = record.VerdictFail
		}
		testmust.Equal(t, c.Verdict, want, c.Rule, c.Message)
		if want == record.VerdictFail && (c.Attempts < 60 || c.Failed != c.Attempts) {
			t.Errorf("%s: expected every loser of a race to count, found %d of %d", c.Rule, c.Failed,
				c.Attempts)
		}
	}
}

// A deployment that always refuses a field of the body shows nothing about what it compares.
func TestABodyThatIsNeverAcceptedIsNoBlock(t *testing.T) {
	for _, fault := range []string{
		"export.success.filter_text_rejected", "export.success.sort_rejected",
	} {
		b := suitetest.SuiteRunner{
			Options: reference.Options{Seed: 8, Faults: []string{fault}},
			KeepRule: func(r rules.Rule) bool {
				return strings.HasPrefix(r.ID, "replay.none.") && r.ID != "replay.none.other_user"
			},
		}
		judge(t, b).ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified)
	}
}

// Where no query is compared at all, the finding says that, and not that queries in another
// letter case are alike.
func TestThePlainestChangeIsBlamed(t *testing.T) {
	const rule = "replay.none.other_query"
	o := judge(t, suitetest.SuiteRunner{
		Options:  reference.Options{Seed: 1, Faults: []string{rule}},
		KeepRule: func(r rules.Rule) bool { return r.ID == rule },
	})
	for _, c := range o.Checks {
		failed := c.Verdict == record.VerdictFail
		testmust.Equal(t, failed, strings.HasSuffix(c.Name, " changes only the query"), c.Name)
	}
}
