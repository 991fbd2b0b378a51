package live_test

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/reports/live"
	"github.com/gateassay/gateassay/reports/terminal"
)

func status() results.Status {
	s := results.Status{
		Progress: results.Progress{To: 65 * time.Second, Stage: 2, Sent: 32_000, InFlight: 12},
		Rate:     results.Rate{Target: 500, Achieved: 498.4},
		ServiceAndResponse: results.ServiceAndResponse{
			Response: results.DurationStats{P50: 12.34, P90: 20, P99: 812, Max: 12_345},
		},
		Duration: 5 * time.Minute, Scheduled: 150_000, Stages: 3, StageName: "ramp\x1b[2J",
	}
	s.Classes[judge.ClassAccepted], s.Classes[judge.ClassBlocked] = 31_000, 300
	s.Classes[judge.ClassMissedBlock] = 2
	return s
}

func TestOffATerminalALineNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		v := live.NewTerminalView(terminal.Screen{Writer: &out})
		v.Start("staging", "")
		time.Sleep(6 * time.Second) // no status yet
		v.Update(status())
		time.Sleep(5 * time.Second)
		v.Note("ended early: errors>20% for 10s\n::error::x")
		s := status()
		s.To, s.Files, s.Silent = s.Duration, &files.Counts{Ready: 3, Dropped: 1}, 3*time.Second
		v.Update(s)
		v.Stop()
		v.Stop()
		v.Note("late")
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		const figures = "  stage 2/3 (ramp<U+001B>[2J)  target 500/s  achieved 498.4/s  12 in flight  " +
			"32000 sent of 150000  response p50 12.3 ms  p90 20.0 ms  p99 812 ms  max 12.3 s  " +
			"answers 31000 accepted  300 blocked"
		if !slices.Equal(lines, []string{
			"staging  1:05/5:00  3:55 left" + figures + "  errors 2 missed block",
			"ended early: errors>20% for 10s ::error::x",
			"staging  5:00/5:00  waiting for answers" + figures + "  no answer for 3.0 s  " +
				"errors 2 missed block  files 3 ready  1 not followed",
		}) {
			t.Errorf("%q", lines)
		}
	})
}

func TestOnATerminalLinesAreRedrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		v := live.NewTerminalView(terminal.Screen{
			Writer: &out, Redraws: true, Colour: true, Columns: func() int { return 60 },
		})
		v.Start("staging", "")
		v.Update(status())
		time.Sleep(time.Second)
		synctest.Wait()
		first, _, _ := strings.Cut(out.String(), "\x1b[J")
		for _, want := range []string{
			"\x1b[1mstaging  1:05/5:00  3:55 left  stage 2/3",
			"answers 31000 accepted  300 blocked\n", "\x1b[1;31merrors 2 missed block\x1b[0m\n",
		} {
			testmust.Contain(t, first, want)
		}
		testmust.Contain(t, out.String(), "\r\x1b[5A\x1b[J")
		v.Stop()
		if !strings.HasSuffix(out.String(), "\r\x1b[5A\x1b[J") {
			t.Error("it stays on the screen")
		}
	})
}

func TestRequestsInFlightAreNotShownAsLost(t *testing.T) {
	dir, begun := t.TempDir(), make(chan struct{}, 1)
	rec := testmust.Get(results.OpenRecorder(results.Config{
		Dir: dir, Plan: 1, Interval: 10 * time.Millisecond, OnInterval: func(results.Status) {
			select {
			case begun <- struct{}{}:
			default:
			}
		},
		Schedule: testmust.Get(schedule.New(schedule.ConstantStage(10, time.Minute)))(t),
	}))(t)
	rec.Start(time.Now(), func() (sent, inFlight int64) { return 10, 4 })
	<-begun
	var out bytes.Buffer
	v := testmust.Get(live.NewWebView(live.NewTerminalView(terminal.Screen{Writer: &out}),
		"127.0.0.1:0"))(t)
	defer v.Stop()
	v.Start("staging", dir)
	address := regexp.MustCompile(`http://[0-9.:]+/`).FindString(out.String())
	answer := testmust.Get(http.Get(address))(t)
	defer answer.Body.Close()
	page := string(testmust.Get(io.ReadAll(answer.Body))(t))
	if !strings.Contains(page, "10 of 600 requests sent") || strings.Contains(page, "not recorded") {
		t.Errorf("%.2000s", page)
	}
	testmust.Get(rec.Finish(results.RunEnd{}))(t)
}

// A page that is open when the run ends shows its verdict and asks no more.
func TestAnOpenPageShowsTheVerdict(t *testing.T) {
	dir := t.TempDir()
	rec := testmust.Get(results.OpenRecorder(results.Config{
		Dir: dir, Plan: 1,
		Schedule: testmust.Get(schedule.New(schedule.ConstantStage(10, time.Minute)))(t),
	}))(t)
	rec.Start(time.Now(), nil)
	var out bytes.Buffer
	v := testmust.Get(live.NewWebView(live.NewTerminalView(terminal.Screen{Writer: &out}),
		"127.0.0.1:0"))(t)
	v.Start("staging", dir)
	address := regexp.MustCompile(`http://[0-9.:]+/`).FindString(out.String())
	ask := func() (page, pause string) {
		answer := testmust.Get(http.Get(address))(t)
		defer answer.Body.Close()
		return string(testmust.Get(io.ReadAll(answer.Body))(t)), answer.Header.Get("Retry-After")
	}
	if page, pause := ask(); !strings.Contains(page, "RUNNING") || pause == "" {
		t.Errorf("%q: %.2000s", pause, page)
	}
	testmust.Get(rec.Finish(results.RunEnd{Unsent: "nobody listens"}))(t)
	stopped := make(chan struct{})
	go func() { v.Stop(); close(stopped) }()
	for {
		page, pause := ask()
		if pause != "" {
			continue // Stop has not begun
		}
		if !strings.Contains(page, "INCONCLUSIVE") || !strings.Contains(page, "nobody listens") {
			t.Errorf("%.2000s", page)
		}
		break
	}
	<-stopped
}
