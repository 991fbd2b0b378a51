package console_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites"
)

// shown returns the output of a run with some steps, each a state and its duration in seconds.
func shown(t *testing.T, s terminal.Screen, steps ...any) string {
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		s.Writer = &out
		p := console.NewProgress(s)
		state := suites.RunState{Cases: 800}
		stop := p.Watch(func() suites.RunState { return state })
		for _, step := range steps {
			switch step := step.(type) {
			case suites.RunState:
				p.Lock()
				state, state.Cases = step, 800
				p.Unlock()
			case float64:
				time.Sleep(time.Duration(step * float64(time.Second)))
			}
		}
		stop()
		stop()
	})
	return out.String()
}

func TestProgressInALog(t *testing.T) {
	const failed = "  1 check failed, last of create.email<U+001B>\n"
	for name, c := range map[string]struct {
		steps []any
		want  string
	}{
		"a line now and then": {
			[]any{
				suites.RunState{Done: 200, Stats: client.Stats{Sent: 100, InFlight: 16}},
				5.5,
				suites.RunState{
					Done: 400, Stats: client.Stats{Sent: 200}, Failures: 1, LastFailure: "create.email\x1b",
				},
				5.0,
			},
			"200/800 checks  100 requests  16 in flight  20/s  0:05, about 0:15 left\n" +
				"400/800 checks  200 requests  0 in flight  20/s  0:10, about 0:10 left" + failed +
				"400/800 checks  200 requests  0 in flight  19/s  0:10, about 0:09 left" + failed,
		},
		"a pause": {
			[]any{
				suites.RunState{Stats: client.Stats{Throttled: 3, Pause: 9500 * time.Millisecond}},
				5.5,
				suites.RunState{Stats: client.Stats{Throttled: 3}},
				1.0,
			},
			"0/800 checks  0 requests  throttled: waiting 9s as the deployment asks  0:05\n" +
				"0/800 checks  0 requests  0 in flight  0/s  0:06  throttled 3 times\n",
		},
		"slow files": {
			[]any{suites.RunState{Done: 200, Stats: client.Stats{Sent: 100, Awaited: 2}}, 5.5},
			"200/800 checks  100 requests  0 in flight, waiting for 2 files  18/s  0:05, about 0:14 left\n",
		},
		"a brief run": {[]any{suites.RunState{Done: 800}, 1.0}, ""},
	} {
		got := shown(t, terminal.Screen{}, c.steps...)
		if !strings.HasSuffix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: got\n%s, want\n%s", name, got, c.want)
		}
	}
	if got := shown(t,
		terminal.Screen{Quiet: true, Redraws: true}, suites.RunState{Done: 1}, 9.0); got != "" {
		t.Errorf("quiet: %q", got)
	}
}

// Slower checks do not move the expected end later, and nothing is left once it has passed.
func TestTheTimeLeftOnlyShrinks(t *testing.T) {
	got := shown(t, terminal.Screen{}, suites.RunState{Done: 400}, 5.5, suites.RunState{Done: 401},
		5.0)
	testmust.Equal(t, strings.Count(got, "about 0:05 left"), 1)
	testmust.Equal(t, strings.Count(got, " left"), 1)
}

func TestProgressOnATerminalIsRedrawnAndGoes(t *testing.T) {
	got := shown(t, terminal.Screen{Redraws: true, Columns: func() int { return 20 }},
		suites.RunState{Done: 3, Stats: client.Stats{Sent: 999}}, 65.0)
	if !strings.Contains(got, "3/800 checks  999 …\n\r\x1b[1A\x1b[J") ||
		!strings.HasSuffix(got, "\r\x1b[1A\x1b[J") {
		t.Errorf("%q", got[max(0, len(got)-200):])
	}
}
