package target_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// answered is a control that was answered, and counts how often it was asked.
func answered(asked *int, ok bool) func(context.Context) (*client.Exchange, bool) {
	return func(context.Context) (*client.Exchange, bool) {
		*asked++
		if ok {
			return &client.Exchange{Status: http.StatusConflict}, true
		}
		return &client.Exchange{Status: http.StatusServiceUnavailable}, false
	}
}

// settle runs the procedure on a clock of its own, so that it takes no time. once may interrupt it.
func settle(t *testing.T, clear target.Clear, once func(interrupt func()) *client.Exchange,
	control func(context.Context) (*client.Exchange, bool),
) (a target.Answer, err error) {
	t.Helper()
	subject := aim(t, "http://127.0.0.1:1")
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		defer interrupt()
		a, err = subject.Settle(ctx, clear, func() *client.Exchange { return once(interrupt) }, control)
	})
	return a, err
}

func TestSettle(t *testing.T) {
	var all sync.WaitGroup // most of the time they wait
	for name, c := range map[string]struct {
		script   []int
		clear    target.Clear
		dead     bool // the control gets no answer either
		status   int  // of the answer that is judged
		attempts int
		asked    int
		creates  int    // creations that the budget allows; 0: exports are sent
		requests int    // where there are more or fewer than attempts
		says     string // the error
	}{
		"a clear answer at once": {script: []int{422}, clear: target.AboutField, status: 422, attempts: 1},
		"a success is clear":     {script: []int{201}, clear: target.AboutField, status: 201, attempts: 1},
		"a redirect is clear":    {script: []int{302}, clear: target.AboutField, status: 302, attempts: 1},
		"403 is clear where the caller is it": {
			script: []int{403}, clear: target.AboutCaller, status: 403,
			attempts: 1,
		},
		"trouble that passes": {script: []int{503, hangUp, 400}, clear: target.AboutField, status: 400, attempts: 3},
		"a server error that passes": {
			script: []int{500, 201}, clear: target.AboutField, status: 201,
			attempts: 2, asked: 1,
		},
		"a server error that stays": {script: []int{500}, clear: target.AboutField, status: 500, attempts: 2, asked: 1},
		"a server error after trouble": {
			script: []int{503, 501}, clear: target.AboutField, status: 501,
			attempts: 3, asked: 1,
		},
		"trouble that passes at the last": {
			script: []int{503, 503, 503, 422}, clear: target.AboutField,
			status: 422, attempts: 4,
		},
		"only this request has no answer": {script: []int{hangUp}, clear: target.AboutField, attempts: 5, asked: 1},
		"only this request breaks it": {
			script: []int{503}, clear: target.AboutField, status: 503, attempts: 5,
			asked: 1,
		},
		"403 to a field, the control served": {
			script: []int{403}, clear: target.AboutField, status: 403, attempts: 5,
			asked: 1,
		},
		"clear after the control": {
			script: []int{503, 503, 503, 503, 400}, clear: target.AboutField,
			status: 400, attempts: 5, asked: 1,
		},
		"nothing is answered": {
			script: []int{503}, clear: target.AboutField, dead: true, status: 503, attempts: 4, asked: 1,
			says: "no clear answer after 4 attempts (503 Service Unavailable), and the same request without the defect got none either (503 Service Unavailable)",
		},
		// The client itself waits out a throttle, so that one attempt survives it.
		"a throttle that passes": {
			script: []int{429, 422}, clear: target.AboutField, status: 422, attempts: 1,
			requests: 2,
		},
		"nothing but server errors": {
			script: []int{500}, clear: target.AboutField, dead: true, status: 500, attempts: 4, asked: 4,
			says: "no clear answer after 4 attempts (500 Internal Server Error), and the same request without the defect got none either (503 Service Unavailable)",
		},
		// Two creations fit into the budget, and the third is never sent: trouble that may yet pass is not a finding.
		"the budget is used up": {
			script: []int{503}, clear: target.AboutField, creates: 2, attempts: 3, requests: 2,
			says: "the run may create no more representatives: it made 0, and 2 answers without a clear rejection counted as well (limits.max_creates)",
		},
		// A server error may have made a record, so it uses the budget up; with the control answered it is the finding.
		"the budget ends after a server error": {
			script: []int{500}, clear: target.AboutField, creates: 1, status: 500, attempts: 1, asked: 1,
		},
		"the budget ends between a server error and the last attempt": {
			script: []int{503, 500}, clear: target.AboutField, creates: 2, status: 500, attempts: 2, asked: 1,
		},
		"the budget ends and nothing is answered": {
			script: []int{500}, clear: target.AboutField, creates: 1, dead: true, status: 500, attempts: 1, asked: 2,
			says: "no clear answer after 1 attempts (500 Internal Server Error), and the same request without the defect got none either (503 Service Unavailable)",
		},
	} {
		all.Go(func() {
			d := deploy(t, c.script...)
			subject := aim(t, d.URL, fmt.Sprintf("limits: {max_creates: %d, requests_per_second: 10000}",
				max(c.creates, 1)))
			asked := 0
			a, err := subject.Settle(t.Context(), c.clear, func() *client.Exchange {
				if c.creates > 0 {
					return subject.Create(t.Context(), func() target.Creation { return subject.Creation("x") })
				}
				return subject.StartExport(t.Context(), func() target.ExportCall { return subject.Export("x", nil) })
			}, answered(&asked, !c.dead))
			if (err != nil) != (c.says != "") || err != nil && err.Error() != c.says {
				t.Errorf("%s: error %v, want %s", name, err, c.says)
			}
			if a.Exchange == nil || a.Status != c.status || len(a.Attempts) != c.attempts ||
				a.Attempts[len(a.Attempts)-1] != a.Exchange {
				t.Errorf("%s: %s after %d attempts, want %d after %d", name, target.Describe(a.Exchange),
					len(a.Attempts), c.status, c.attempts)
			}
			if asked != c.asked || (a.Control != nil) != (asked > 0 && !c.dead) {
				t.Errorf("%s: the control was asked %d times, want %d; it is %s", name, asked, c.asked,
					target.Describe(a.Control))
			}
			fresh := map[string]bool{}
			for n := range d.requests() {
				header, _ := d.request(t, n)
				fresh[header.Get("nonce")] = true
			}
			if want := cmp.Or(c.requests, c.attempts); d.requests() != want || len(fresh) != want {
				t.Errorf("%s: %d requests with %d nonces, want %d", name, d.requests(), len(fresh), want)
			}
		})
	}
	all.Wait()
}

// Each attempt of a creation may leave a record behind. Once a deployment was seen to break again and again, one answer
// is enough; and trouble that used the budget up is held against it as well.
func TestSettleSpendsNoCreationsOnWhatIsKnown(t *testing.T) {
	for status, attempts := range map[int]int{500: 1, 503: 2} {
		subject := aim(t, "http://127.0.0.1:1")
		synctest.Test(t, func(t *testing.T) {
			settle := func(budget int) (target.Answer, error) {
				sent := 0
				return subject.Settle(t.Context(), target.AboutField, func() *client.Exchange {
					if sent++; sent > budget {
						return &client.Exchange{Operation: client.Create, Err: &client.Trouble{Kind: client.Budget}}
					}
					return &client.Exchange{Operation: client.Create, Status: status}
				}, answered(new(int), true))
			}
			for range 3 {
				if _, err := settle(10); err != nil {
					t.Fatal(err)
				}
			}
			if a, err := settle(attempts); err != nil || a.Status != status || a.Control == nil || len(a.Attempts) != attempts {
				t.Errorf("%d: %v, %s after %d attempts", status, err, target.Describe(a.Exchange), len(a.Attempts))
			}
		})
	}
}

func TestSettleWithoutControlIsInconclusive(t *testing.T) {
	sent := 0
	_, err := settle(t, target.AboutField, func(func()) *client.Exchange {
		sent++
		return &client.Exchange{Status: http.StatusBadGateway}
	}, nil)
	if !errors.Is(err, spec.ErrInconclusive) || !strings.HasSuffix(err.Error(),
		"no clear answer after 4 attempts: 502 Bad Gateway") || sent != 4 {
		t.Errorf("%v after %d", err, sent)
	}
}

// A deployment that throttles until the end is not broken by the request that it throttled.
func TestSettleNeverFindsAnythingInAThrottle(t *testing.T) {
	asked := 0
	a, err := settle(t, target.AboutCaller, func(func()) *client.Exchange {
		return &client.Exchange{Status: http.StatusTooManyRequests}
	}, answered(&asked, true))
	if !errors.Is(err, spec.ErrInconclusive) || !strings.HasSuffix(err.Error(), "throttled: 429 Too Many Requests") ||
		len(a.Attempts) != 5 || asked != 1 {
		t.Errorf("%v after %d attempts, control asked %d times", err, len(a.Attempts), asked)
	}
}

// An interrupt ends the procedure wherever it is, and a clear answer that came with it is not judged.
func TestSettleIsInterrupted(t *testing.T) {
	for _, at := range []int{1, 3, 5} { // the fifth is the one after the control
		for _, status := range []int{http.StatusServiceUnavailable, http.StatusBadRequest} {
			asked, sent := 0, 0
			a, err := settle(t, target.AboutField, func(interrupt func()) *client.Exchange {
				if sent++; sent == at {
					interrupt()
					return &client.Exchange{Status: status}
				}
				return &client.Exchange{Status: http.StatusServiceUnavailable}
			}, answered(&asked, true))
			if !errors.Is(err, spec.Interrupted) || len(a.Attempts) != at || asked != at/5 {
				t.Errorf("at %d: %v after %d attempts, control asked %d times", at, err, len(a.Attempts), asked)
			}
		}
	}
	var stop func()
	a, err := settle(t, func(*client.Exchange) bool { stop(); return false }, func(interrupt func()) *client.Exchange {
		stop = interrupt // after the answer, before the pause
		return &client.Exchange{Status: http.StatusServiceUnavailable}
	}, nil)
	if !errors.Is(err, spec.Interrupted) || len(a.Attempts) != 1 {
		t.Errorf("in a pause: %v after %d attempts", err, len(a.Attempts))
	}
}

func TestWhatIsClear(t *testing.T) {
	for status, want := range map[int][2]bool{ // about a field, about the caller
		0: {false, false}, 200: {true, true}, 302: {true, true}, 400: {true, true}, 401: {false, true},
		402: {true, true}, 403: {false, true},
		404: {true, true}, 409: {true, true}, 422: {true, true}, 428: {true, true}, 429: {false, false},
		430: {true, true},
		499: {true, true}, 500: {false, false}, 503: {false, false},
	} {
		x := &client.Exchange{Status: status}
		if got := [2]bool{target.AboutField(x), target.AboutCaller(x)}; got != want {
			t.Errorf("%d: %v, want %v", status, got, want)
		}
	}
}

func TestUsable(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1")
	for _, status := range []int{0, 429, 502, 503, 504} {
		if err := subject.Usable(t.Context(), &client.Exchange{Status: status}); !errors.Is(err, spec.ErrTransient) {
			t.Errorf("%d: %v, want a reason to start anew", status, err)
		}
	}
	for _, status := range []int{200, 302, 401, 403, 409, 500, 501} {
		if err := subject.Usable(t.Context(), &client.Exchange{Status: status}); err != nil {
			t.Errorf("%d: %v", status, err)
		}
	}
	if err := subject.Usable(t.Context(), &client.Exchange{Err: &client.Trouble{Kind: client.Budget}}); spec.Need(err) == nil {
		t.Errorf("budget: %v", err)
	}
	err := subject.Usable(t.Context(), &client.Exchange{Err: &client.Trouble{Kind: client.Reset}})
	if !errors.Is(err, spec.ErrTransient) || !strings.HasSuffix(err.Error(), ": connection broken") {
		t.Errorf("broken connection: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := subject.Usable(ctx, &client.Exchange{Status: 200}); !errors.Is(err, spec.Interrupted) {
		t.Errorf("interrupted: %v", err)
	}
}
