package engine

import (
	"context"
	"math"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

// glance is a runner of which a test says how it does.
type glance struct {
	mu sync.Mutex
	s  State
}

func (g *glance) run(context.Context, time.Time) Summary { return Summary{} }

func (g *glance) state() State {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.s
}

func (g *glance) set(s State) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.s = s
}

// soon waits for a number of processors.
func soon(t *testing.T, want int, why string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); runtime.GOMAXPROCS(0) != want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: %d processors are used, not %d", why, runtime.GOMAXPROCS(0), want)
		}
	}
}

func TestACalmRunUsesOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	t.Setenv("GOMAXPROCS", "")
	p := NewProcessors()
	s, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 100, For: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	keeping := State{Begun: math.MaxInt64}
	runner := &glance{s: keeping}
	e := &Engine{o: Options{Schedule: s, Share: s.Share(0, 1, nil), Processors: p}, runner: runner}
	ctx, end := context.WithCancel(t.Context())
	var tending sync.WaitGroup
	tending.Go(func() { p.tend(ctx, e, time.Now().Add(-time.Minute)) })

	soon(t, 1, "a calm run")
	p.Wait(func() {
		if n := runtime.GOMAXPROCS(0); n != 3 {
			t.Errorf("%d processors while a call waits for the system", n)
		}
	})
	soon(t, 1, "after a call that waited")
	runner.set(State{Begun: math.MaxInt64, InFlight: calmInFlight + 1})
	soon(t, 3, "many in flight")
	runner.set(keeping)
	soon(t, 1, "calm again")
	runner.set(State{})
	soon(t, 3, "late")
	runner.set(keeping)
	soon(t, 1, "calm again")
	end()
	tending.Wait()
	if n := runtime.GOMAXPROCS(0); n != 3 {
		t.Errorf("%d processors after the run", n)
	}
}

func TestAFastScheduleIsNotCalm(t *testing.T) {
	s, err := schedule.New(schedule.Stage{Kind: schedule.Ramp, From: 100, To: 20_000, For: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{o: Options{Schedule: s, Share: s.Share(0, 1, nil)}, runner: &glance{s: State{Begun: math.MaxInt64}}}
	if !e.calm(time.Second) || e.calm(50*time.Second) {
		t.Error("the rate of the schedule does not decide")
	}
	e.o.Target.URL = "https://a.example/exports"
	if !e.calm(time.Second) || e.calm(10*time.Second) {
		t.Error("over TLS the rate may not be higher")
	}
	e.o.Target.URL, e.o.Share = "", s.Share(0, 4, nil)
	if !e.calm(50 * time.Second) {
		t.Error("a shard sends its share of the rate only")
	}
}
