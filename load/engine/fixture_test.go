package engine_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*HostClient).connsCleaner"))
}

const path = "/v1/reports/quote-statement/exports"

// memory is a sink that keeps everything.
type memory struct {
	mu  sync.Mutex
	all []engine.RequestResult
}

func (m *memory) Record(r *engine.RequestResult) {
	kept, request := *r, *r.Request
	kept.Request = &request
	m.mu.Lock()
	m.all = append(m.all, kept)
	m.mu.Unlock()
}

func (m *memory) count(c judge.Class) (n int) {
	for _, o := range m.all {
		if o.Judgement.Class == c {
			n++
		}
	}
	return n
}

// at returns a quantile.
func at(all []time.Duration, p float64) time.Duration {
	slices.Sort(all)
	return all[min(int(p*float64(len(all))), len(all)-1)]
}

func constant(t testing.TB, rate float64, d time.Duration) *schedule.Schedule {
	t.Helper()
	return testmust.Get(schedule.New(schedule.ConstantStage(rate, d)))(t)
}

// options returns the configuration of a run against an origin, which a test then changes.
func options(
	t testing.TB, origin string, s *schedule.Schedule, repeats float64,
) (engine.Config, *memory) {
	t.Helper()
	g := testmust.Get(traffic.New(traffic.Config{
		Seed: 1, RunID: "a run", Repeats: repeats, Schedule: s,
	}))(t)
	sink := &memory{}
	return engine.Config{
		Schedule: s, Source: g, Judge: judge.New(nil), Sink: sink,
		HTTP: newHTTP(t, transportTo(t, origin)), FastHTTP: newFastHTTP(t, transportTo(t, origin)),
		Target: engine.Target{
			URL: testmust.Get(url.Parse(origin + path))(t),
			Header: http.Header{
				"Content-Type":  {"application/json"},
				"Authorization": {"Bearer secret"}, "User-Agent": {"engine"},
			},
		},
	}, sink
}

// transportTo returns the configuration of a transport to an origin.
func transportTo(t testing.TB, origin string) transport.Config {
	t.Helper()
	return transport.Config{Base: testmust.Get(url.Parse(origin))(t), Timeout: 10 * time.Second}
}

func newHTTP(t testing.TB, c transport.Config) *transport.NetHTTP {
	t.Helper()
	tr := testmust.Get(transport.NewNetHTTP(c))(t)
	t.Cleanup(tr.Close)
	return tr
}

func newFastHTTP(t testing.TB, c transport.Config) *transport.FastHTTP {
	t.Helper()
	tr := testmust.Get(transport.NewFastHTTP(c))(t)
	t.Cleanup(tr.Close)
	return tr
}

func run(t testing.TB, ctx context.Context, o engine.Config) engine.Summary {
	t.Helper()
	return testmust.Get(engine.New(o).Run(ctx))(t)
}

var both = []string{plan.EngineDirect, plan.EngineVegeta}
