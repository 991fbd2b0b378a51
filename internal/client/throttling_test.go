package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestA429IsRepeatedWithFreshIdentifiersAndNothingElseIs(t *testing.T) {
	var nonces []string
	var mu sync.Mutex
	var seen sink
	o := Options{OnExchange: seen.take, RequestsPerSecond: 500}
	c := clientOf(t, o, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		nonces = append(nonces, r.Header.Get("nonce"))
		switch len(nonces) {
		case 1:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(429)
		case 2:
			w.Header().Set("Retry-After", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
			w.WriteHeader(429)
		default:
			w.WriteHeader(503)
		}
	})
	var tr Trace
	x := c.Send(WithTrace(t.Context(), &tr), func(attempt int) *Request {
		r := post("{}")
		r.Header["nonce"] = []string{fmt.Sprint("n", attempt)}
		return r
	})
	if x.Status != 503 || x.Attempt != 3 {
		t.Fatalf("status %d, attempt %d", x.Status, x.Attempt)
	}
	if got := strings.Join(nonces, " "); got != "n1 n2 n3" {
		t.Fatal(got)
	}
	if s := c.Stats(); s.Throttled != 2 || s.Retries != 2 || s.Sent != 3 {
		t.Fatalf("%+v", s)
	}
	testmust.Equal(t, len(tr.ExchangeNumbers()), 3, tr.ExchangeNumbers())
	testmust.Equal(t, len(seen), 3, tr.ExchangeNumbers())
}

// Exports that are refused beside others are sent again with fresh identifiers, but for those that
// repeat others, that are alone or that may have been refused for their own sake.
func TestExportsRefusedBesideOthersAreSentAgain(t *testing.T) {
	const conflict, forbidden = http.StatusConflict, http.StatusForbidden
	for name, c := range map[string]struct {
		status  int
		alone   bool
		edit    func(*Request)
		retried bool
	}{
		"valid":                  {status: forbidden, retried: true},
		"invalid, a conflict":    {status: conflict, edit: func(r *Request) { r.Late = true }, retried: true},
		"invalid, forbidden":     {status: forbidden, edit: func(r *Request) { r.Late = true }},
		"a repeat":               {status: conflict, edit: func(r *Request) { r.Repeats = true }},
		"alone":                  {status: conflict, alone: true},
		"another operation":      {status: conflict, edit: func(r *Request) { r.Operation = OperationCreate }},
		"refused in other words": {status: http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int64
			cl := clientOf(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
				if sent.Add(1) == 1 {
					w.WriteHeader(c.status)
				}
			})
			if c.status != http.StatusNotFound {
				cl.RetryExportsAfter(c.status)
			}
			ctx := t.Context()
			if c.alone {
				held, release, err := cl.HoldExports(ctx)
				testmust.Succeed(t, err)
				defer release()
				ctx = held
			}
			x := cl.Send(ctx, func(int) *Request {
				r := post("{}")
				if c.edit != nil {
					c.edit(r)
				}
				return r
			})
			if x.IsSuccess() != c.retried || (cl.Stats().Postponed == 1) != c.retried {
				t.Errorf("%d, attempt %d, %+v", x.Status, x.Attempt, cl.Stats())
			}
		})
	}
}

func TestA503ThatNamesAMomentPausesEverybody(t *testing.T) {
	for after, throttles := range map[string]bool{"1": true, "": false} {
		c := clientOf(t, Options{RequestsPerSecond: 500}, func(w http.ResponseWriter, r *http.Request) {
			if after != "" {
				w.Header().Set("Retry-After", after)
			}
			w.WriteHeader(503)
		})
		if x := c.SendOnce(t.Context(), post("{}")); x.Status != 503 {
			t.Fatalf("%+v", x)
		}
		if s := c.Stats(); (s.Throttled == 1) != throttles || (s.Pause > 0) != throttles {
			t.Errorf("Retry-After %q: %+v, a pause of %s", after, s, s.Pause)
		}
		// A request that waits for the pause to end can be canceled.
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan *Exchange, 1)
		go func() { left <- c.SendOnce(ctx, post("{}")) }()
		if throttles {
			cancel()
			if x := <-left; x.Err == nil || x.Err.Kind != TroubleCanceled || x.Seq != 0 {
				t.Errorf("%+v", x)
			}
		} else if x := <-left; x.Status != 503 {
			t.Errorf("%+v", x)
		}
		cancel()
	}
}

func TestRetryAfterIsReadInEverySpelling(t *testing.T) {
	now := time.Now().UTC().Truncate(time.Second)
	for value, want := range map[string]time.Duration{
		"": -1, "soon": -1, "-3": -1, "NaN": -1, "0": 0, "7": 7 * time.Second,
		" 1.5 ":                1500 * time.Millisecond,
		"99999999999999999999": 1e6 * time.Second,
		// the server's clock is an hour fast
		now.Add(time.Hour + 9*time.Second).Format(http.TimeFormat): 9 * time.Second,
		now.Format(http.TimeFormat):                                0,
	} {
		h := http.Header{"Retry-After": {value}, "Date": {now.Add(time.Hour).Format(http.TimeFormat)}}
		testmust.Equal(t, retryAfter(h, now), want, value)
	}
}

// A few answers 503 are of a deployment that fails now and then. Many are of one that throttles.
func TestMany503sThrottle(t *testing.T) {
	var n atomic.Int64
	c := clientOf(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1)%4 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	for c.Stats().Unavailable < 20 {
		c.SendOnce(t.Context(), post("{}"))
	}
	if s := c.Stats(); s.Throttled > 0 {
		t.Errorf("%d answers 503 throttled: %+v", s.Unavailable, s)
	}
	for c.Stats().Unavailable < 21 {
		c.SendOnce(t.Context(), post("{}"))
	}
	if s := c.Stats(); s.Throttled != 1 || s.Pause == 0 || c.gate.rate == 0 {
		t.Errorf("%d answers 503 did not throttle: %+v", s.Unavailable, s)
	}
}

// FuzzRetryAfter checks that every Retry-After yields a bounded wait.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{
		"1", "0.5", "-1", "nan", "Inf", "1e999", "0x1p4", "Fri, 31 Dec 1999 23:59:59 GMT", "soon",
	} {
		f.Add(s, "")
		f.Add(s, "Sun, 06 Nov 1994 08:49:37 GMT")
	}
	f.Fuzz(func(t *testing.T, after, date string) {
		got := retryAfter(http.Header{"Retry-After": {after}, "Date": {date}}, time.Unix(1e9, 0))
		if got != -1 && (got < 0 || got > 1e6*time.Second) {
			t.Errorf("%q at %q: %s", after, date, got)
		}
	})
}
