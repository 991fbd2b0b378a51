package live_test

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
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/live"
	"github.com/gateassay/gateassay/reports/terminal"
)

// hand ticks when told. A tick is sent twice: when the second is taken, the first has been drawn.
type hand struct {
	every time.Duration
	ticks chan time.Time
}

// paper is written to by the view while the test reads.
type paper struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

func newHand() *hand { return &hand{ticks: make(chan time.Time)} }

func (h *hand) Ticks(d time.Duration) (<-chan time.Time, func()) {
	h.every = d
	return h.ticks, func() {}
}

func (h *hand) tick() {
	h.ticks <- time.Time{}
	h.ticks <- time.Time{}
}

func status() results.Status {
	s := results.Status{
		Elapsed: 65 * time.Second, Duration: 5 * time.Minute, Stage: 2, Stages: 3,
		StageName: "ramp\x1b[2J", Target: 500, Achieved: 498.4, Sent: 32_000,
		K: 150_000, InFlight: 12, Response: results.Times{P50: 12.34, P90: 20, P99: 812, Max: 12_345},
		Service: results.Times{P50: 1.5}, Lag: results.Times{P99: 0.2},
	}
	s.Classes[judge.Accepted], s.Classes[judge.Blocked], s.Classes[judge.MissedBlock] = 31_000, 300, 2
	return s
}

func TestOffATerminalALineNowAndThen(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out paper
	h := newHand()
	v := live.New(&out, false, nil, terminal.Timed(time.Now, h.Ticks))
	v.Start("staging")
	h.tick() // nothing is known yet
	v.Update(status())
	h.tick()
	v.Note("ended early: errors>20% for 10s\n::error::x")
	s := status()
	s.Elapsed = s.Duration
	v.Update(s)
	v.Stop()
	v.Stop()
	v.Note("late")
	if h.every < time.Second {
		t.Errorf("a line every %s floods a log", h.every)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	want := "1:05/5:00  3:55 left  stage 2/3 (ramp<U+001B>[2J)  target 500/s  achieved 498/s  12 in flight  p50 " +
		"12.3ms  p99 812ms  31000 accepted  300 blocked  2 missed block"
	if lines[0] != want {
		t.Errorf("begins with\n%s, want\n%s", lines[0], want)
	}
	if !slices.Contains(lines, "ended early: errors>20% for 10s ::error::x") ||
		!strings.Contains(lines[len(lines)-1], "5:00/5:00  waiting for answers") || slices.Contains(lines, "late") {
		t.Errorf("%q", lines)
	}
	if strings.ContainsAny(out.String(), "\r\x1b") {
		t.Error("control characters off a terminal")
	}
}

// screen is what a terminal shows after the text was written to it.
func screen(text string) string {
	var rows []string
	at := 0
	for text != "" {
		switch {
		case strings.HasPrefix(text, "\x1b["):
			end := strings.IndexAny(text, "AJKm")
			switch text[end] {
			case 'A':
				up := 0
				for _, c := range text[2:end] {
					up = up*10 + int(c-'0')
				}
				at -= up
			case 'J':
				rows = rows[:min(at, len(rows))]
			}
			text = text[end+1:]
		case text[0] == '\n':
			at++
			text = text[1:]
		case text[0] == '\r':
			text = text[1:]
		default:
			end := strings.IndexAny(text, "\x1b\n\r")
			if end < 0 {
				end = len(text)
			}
			for len(rows) <= at {
				rows = append(rows, "")
			}
			rows[at] = text[:end]
			text = text[end:]
		}
	}
	return strings.Join(rows, "\n")
}

func TestOnATerminalLinesAreRedrawnInPlace(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out paper
	h := newHand()
	var width atomic.Int64
	width.Store(80)
	v := live.New(&out, true, func() int { return int(width.Load()) }, terminal.Timed(time.Now, h.Ticks))
	v.Start("staging")
	s := status()
	s.Files = &files.Counts{Ready: 7}
	v.Update(s)
	h.tick()
	got := screen(out.String())
	for _, part := range []string{
		"staging  [####----------------]  1:05/5:00  3:55 left",
		"target 500/s  achieved 498/s  12 in flight  32000 sent of 150000",
		"p50 12.3ms  p90 20.0ms  p99 812ms  max 12.3s", "lag  p99 0.20ms", "31000 accepted  300 blocked",
		"2 missed block", "7 ready",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("the screen lacks %q:\n%s", part, got)
		}
	}
	if n := strings.Count(got, "staging"); n != 1 {
		t.Errorf("drawn %d times:\n%s", n, got)
	}
	width.Store(20)
	h.tick()
	for _, row := range strings.Split(screen(out.String()), "\n") {
		if printable.Columns(row) > 19 {
			t.Errorf("%d columns on a terminal of 20: %q", printable.Columns(row), row)
		}
	}
	width.Store(80)
	v.Note("a line that stays")
	if got := screen(out.String()); !strings.HasPrefix(got, "a line that stays\nstaging") {
		t.Errorf("after a note:\n%s", got)
	}
	v.Stop()
	if got := screen(out.String()); got != "a line that stays" {
		t.Errorf("left on screen: %q", got)
	}
}

func TestWhatARunStillWaitsForIsSaid(t *testing.T) {
	for want, change := range map[string]func(*results.Status){
		"5:00/5:00  waiting for answers  stage": func(s *results.Status) { s.InFlight = 1 },
		"5:00/5:00  waiting for files  stage":   func(s *results.Status) { s.Files = &files.Counts{Pending: 1} },
		"5:00/5:00  stage":                      func(s *results.Status) { s.Files = &files.Counts{Ready: 1} },
	} {
		s := status()
		s.Elapsed, s.InFlight = s.Duration, 0
		change(&s)
		var out paper
		v := live.New(&out, false, nil, terminal.Timed(time.Now, newHand().Ticks))
		v.Start("staging")
		v.Update(s)
		v.Stop()
		if text := out.String(); !strings.Contains(text, want) {
			t.Errorf("%q, expected %q", text, want)
		}
	}
}

func TestQuietShowsNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out paper
	v := live.New(&out, true, nil, terminal.Quiet())
	v.Start("staging")
	v.Update(status())
	v.Note("x")
	v.Stop()
	if out.String() != "" {
		t.Errorf("wrote %q", out.String())
	}
}

func TestItIsUsedFromManyGoroutines(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out paper
	v := live.New(&out, true, nil, terminal.Coloured(true))
	v.Start("staging")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				v.Update(status())
				v.Note("note")
			}
		})
	}
	wg.Wait()
	v.Stop()
	if n := strings.Count(out.String(), "note"); n != 200 {
		t.Errorf("%d notes", n)
	}
}
