package console_test

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// clock is time in the test's hand. A tick is sent twice: when the second is taken, the first has been drawn.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	every time.Duration
	ticks chan time.Time
}

func newClock() *clock { return &clock{now: recordtest.Start, ticks: make(chan time.Time)} }

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) Ticks(d time.Duration) (<-chan time.Time, func()) {
	c.every = d
	return c.ticks, func() {}
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.mu.Unlock()
	c.ticks <- c.Now()
	c.ticks <- c.Now()
}

func TestOffATerminalALineNowAndThen(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out bytes.Buffer
	c := newClock()
	p := console.NewProgress(&out, false, nil, terminal.Timed(c.Now, c.Ticks))
	p.Start(200)
	p.Update(console.State{Done: 50, Requests: 100, InFlight: 16})
	c.advance(5 * time.Second)
	p.Failure(record.Rule{ID: "create.required.email\x1b"}, record.Check{Name: "rejects it"})
	p.Update(console.State{Done: 100, Requests: 200, Failures: 1})
	c.advance(5 * time.Second)
	p.Update(console.State{Done: 200, Requests: 500, Failures: 1})
	p.Stop()
	p.Stop()
	p.Failure(record.Rule{ID: "late"}, record.Check{})
	if c.every < time.Second {
		t.Errorf("a line every %s floods a log", c.every)
	}
	got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if want := "50/200 checks  100 requests  16 in flight  20/s  0:05, about 0:15 left"; got[0] != want {
		t.Errorf("begins with %q, want %q", got[0], want)
	}
	if want := "  0:10, about 0:10 left  1 check failed, last of create.required.email<U+001B>"; !slices.ContainsFunc(
		got, func(s string) bool { return strings.HasSuffix(s, want) }) {
		t.Errorf("lacks %q:\n%s", want, out.String())
	}
	if want := "200/200 checks  500 requests  0 in flight  80/s  0:10  1 check failed, last of " +
		"create.required.email<U+001B>"; got[len(got)-1] != want {
		t.Errorf("ends with %q, want %q", got[len(got)-1], want)
	}
	if strings.ContainsAny(out.String(), "\r\x1b") {
		t.Error("control characters off a terminal")
	}
}

func TestChecksThatEndedAtOnceDoNotMakeTheRestLookShort(t *testing.T) {
	var out bytes.Buffer
	c := newClock()
	p := console.NewProgress(&out, false, func() int { return 80 }, terminal.Timed(c.Now, c.Ticks))
	p.Start(800)
	c.advance(time.Second)
	p.Update(console.State{Done: 600, Requests: 20}) // not verified: nothing to wait for
	c.advance(3900 * time.Millisecond)
	p.Update(console.State{Done: 640, Requests: 100})
	c.advance(100 * time.Millisecond)
	p.Stop()
	if want := "0:05, about 0:16 left"; !strings.Contains(out.String(), want) {
		t.Errorf("lacks %q: %s", want, out.String())
	}
}

func TestOnATerminalOneLineIsRewritten(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out bytes.Buffer
	c := newClock()
	var width atomic.Int64
	width.Store(80)
	p := console.NewProgress(&out, true, func() int { return int(width.Load()) }, terminal.Timed(c.Now, c.Ticks))
	p.Start(10)
	p.Update(console.State{Done: 3, Requests: 1000, InFlight: 4, Failures: 2})
	c.advance(65 * time.Second)
	width.Store(20) // the window shrinks
	c.advance(time.Second)
	p.Failure(record.Rule{ID: "日本語日本語日本語"}, record.Check{})
	c.advance(time.Second)
	p.Stop()
	text := out.String()
	if !strings.Contains(text, "3/10 checks  1000 requests  4 in flight  15/s  1:05, about 2:31 left  2 checks") {
		t.Errorf("got %q", text)
	}
	if strings.Contains(text, "\n") {
		t.Errorf("more than one line: %q", text)
	}
	if !strings.HasSuffix(text, " \r") {
		t.Errorf("the line is left on screen: %q", text[max(0, len(text)-40):])
	}
	narrow := text[strings.LastIndex(text, "1:05"):]
	for _, line := range strings.FieldsFunc(narrow, func(r rune) bool { return r == '\r' || r == '\n' })[1:] {
		if printable.Columns(line) > 19 {
			t.Errorf("%d columns on a terminal of 20: %q", printable.Columns(line), line)
		}
	}
}

func TestAPauseIsToldWhileItLasts(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out bytes.Buffer
	c := newClock()
	p := console.NewProgress(&out, true, nil, terminal.Timed(c.Now, c.Ticks))
	p.Start(10)
	p.Update(console.State{Throttled: 3, Pause: 9500 * time.Millisecond})
	c.advance(time.Second)
	p.Update(console.State{Throttled: 3})
	c.advance(time.Second)
	p.Stop()
	for _, want := range []string{"throttled: waiting 9s as the deployment asks  0:01", "0:02  throttled 3 times"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q lacks %q", out.String(), want)
		}
	}
}

func TestQuietShowsNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out bytes.Buffer
	p := console.NewProgress(&out, true, nil, terminal.Quiet())
	p.Start(3)
	p.Update(console.State{Done: 1})
	p.Failure(record.Rule{ID: "a"}, record.Check{})
	p.Stop()
	if out.Len() > 0 {
		t.Errorf("wrote %q", out.String())
	}
}

func TestItIsUsedFromManyGoroutines(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out bytes.Buffer
	p := console.NewProgress(&out, true, nil)
	p.Start(100)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 50 {
				p.Update(console.State{Done: n})
				p.Failure(record.Rule{ID: "a"}, record.Check{Name: string(rune('a' + i))})
			}
		})
	}
	wg.Wait()
	p.Stop()
	if strings.Contains(out.String(), "\n") {
		t.Errorf("more than one line: %q", out.String())
	}
}
