package load

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/traffic"
)

// assemble runs awaitStart for all shards concurrently and returns their results.
func assemble(ctx context.Context, m Rendezvous, of int, shards ...int) (starts []time.Time,
	errs []error,
) {
	starts, errs = make([]time.Time, len(shards)), make([]error, len(shards))
	var all sync.WaitGroup
	for i, shard := range shards {
		all.Go(func() { starts[i], errs[i] = m.awaitStart(ctx, nil, shard, of) })
	}
	all.Wait()
	return starts, errs
}

func TestShardsBeginAtOneMoment(t *testing.T) {
	before := time.Now()
	m := Rendezvous{Place: t.TempDir(), Timeout: time.Minute, Lead: time.Hour}
	starts, errs := assemble(t.Context(), m, 4, 3, 1, 0, 2)
	for i := range starts {
		if errs[i] != nil || !starts[i].Equal(starts[0]) || starts[i].Before(before.Add(time.Hour)) {
			t.Errorf("%v, %v, %v", starts[i], starts[0], errs[i])
		}
	}
}

func TestMissingShardsAreNamed(t *testing.T) {
	for want, c := range map[string]struct {
		of     int
		shards []int
	}{
		"shards 1, 3 of 4 were not ready": {4, []int{0, 2}},
		"shards 0 of 3 were":              {3, []int{1, 2}},
	} {
		_, errs := assemble(t.Context(), Rendezvous{
			Place: t.TempDir(), Timeout: 200 * time.Millisecond,
		}, c.of, c.shards...)
		for i, err := range errs {
			testmust.FailWith(t, err, want, i)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, errs := assemble(ctx, Rendezvous{Place: t.TempDir(), Timeout: time.Minute}, 2,
		0); !errors.Is(errs[0], context.DeadlineExceeded) {
		t.Errorf("an interrupt: %v", errs[0])
	}
}

func TestAShardIsStartedOnce(t *testing.T) {
	m := Rendezvous{Place: t.TempDir(), Timeout: 300 * time.Millisecond}
	_, errs := assemble(t.Context(), m, 4, 1, 1, 1, 1)
	refused := 0
	for _, err := range errs {
		var usage *UsageError
		if errors.As(err, &usage) && strings.Contains(err.Error(), "another --run-id") {
			refused++
		}
	}
	testmust.Equal(t, refused, 3, "processes that were refused the place of one shard", errs)
}

// A sending is a request with the time and shard that send it.
type sending struct {
	at time.Duration
	traffic.Request
	shard int
}

// content describes all that the deployment sees of a request, and when it is due.
func (s sending) content() string {
	return fmt.Sprintf("%d at %s: %d %q %s %s %q %q %s, repeat %v of %d, %v", s.K, s.at, s.Mode,
		s.Replay, s.Nonce, s.Transaction, s.Language, s.Wallet, s.Body, s.Repeat, s.Of, s.Expect)
}

// union makes the requests of all shards and returns them by k.
func union(t rapid.TB, p *plan.Plan, d *deployment.File, shards int) []sending {
	t.Helper()
	s := testmust.Get(p.Schedule())(t)
	all := make([]sending, s.RequestCount())
	for shard := range shards {
		made := testmust.Get(p.Generator(d, s))(t)
		share, sent := s.NewShare(shard, shards, made.Origin), int64(0)
		for cursor := share.NewCursor(); ; sent++ {
			k, at, ok := cursor.Next()
			if !ok {
				break
			}
			if all[k].Body != nil {
				t.Fatalf("request %d is sent by shard %d and shard %d", k, all[k].shard, shard)
			}
			if share.CountBefore(k) != sent || s.DueAt(k) != at {
				t.Fatalf("request %d of shard %d at %s: %d before, not %d", k, shard, at,
					share.CountBefore(k), sent)
			}
			one := sending{at: at, shard: shard}
			made.Fill(k, &one.Request)
			all[k] = one
		}
		if sent != share.Count() {
			t.Fatalf("shard %d of %d sends %d of %d requests", shard, shards, sent, share.Count())
		}
	}
	return all
}

// TestShardsSendWhatOneProcessSends compares all shards with one process: they must send the
// same requests at the same moments, and each repeat from the shard of its original.
func TestShardsSendWhatOneProcessSends(t *testing.T) {
	d := gateway(t, nil)
	rapid.Check(t, func(t *rapid.T) {
		p, err := planOf("preset="+rapid.SampledFrom(plan.Presets()).Draw(t, "preset").Name,
			fmt.Sprintf("rate=%d/s", rapid.IntRange(1, 100).Draw(t, "rate")),
			fmt.Sprintf("duration=%dms", rapid.IntRange(1000, 3000).Draw(t, "duration")),
			fmt.Sprintf("repeats=%d%%", rapid.IntRange(0, 50).Draw(t, "repeats")),
			fmt.Sprintf("seed=%d", rapid.Int64Min(0).Draw(t, "seed")))
		if err != nil {
			t.Skip("no request at all: " + err.Error())
		}
		p = p.WithRunID(rapid.StringMatching(`[a-z0-9]{1,12}`).Draw(t, "run"))
		shards := rapid.IntRange(1, 16).Draw(t, "shards")
		whole, split := union(t, p, d, 1), union(t, p, d, shards)
		for k := range whole {
			if whole[k].content() != split[k].content() {
				t.Fatalf("%d shards send another request:\n%s\n%s", shards, whole[k].content(),
					split[k].content())
			}
			if one := split[k]; split[one.Of].shard != one.shard || one.Of != int64(k) && !one.Repeat {
				t.Fatalf("request %d of shard %d repeats %d of shard %d", k, one.shard, one.Of,
					split[one.Of].shard)
			}
		}
	})
}

func TestALateShardSendsNothing(t *testing.T) {
	var arrived atomic.Int64
	d := gateway(t, before(func(http.ResponseWriter, *http.Request) bool {
		arrived.Add(1)
		return false
	}))
	p := planned(t, "rate=50/s", "duration=2s").WithShards(2)
	o := Options{Deployment: d, Plan: p, RunID: "r1", Meeting: Rendezvous{
		Place: t.TempDir(), Timeout: time.Minute, Lead: -time.Second,
	}}
	runs, asked := make([]Result, 2), int64(0)
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() {
			o := o
			o.Shard, o.Out = i, filepath.Join(o.Meeting.Place, fmt.Sprint(i))
			runs[i] = testmust.Get(Run(t.Context(), o))(t)
		})
	}
	all.Wait()
	for i, result := range runs {
		run := result.Run
		if asked = int64(2 * len(rules.ReplayModes())); result.ExitCode() != 3 ||
			run.Requests.Sent != 0 || run.Requests.Scheduled < 40 || run.Run.Shard != i ||
			run.Run.Shards != 2 || !strings.Contains(run.Reason, "has passed") {
			t.Errorf("exit code %d, %+v, %+v, %s", result.ExitCode(), run.Run, run.Requests, run.Reason)
		}
	}
	if arrived.Load() > 2*asked {
		t.Errorf("%d requests arrived, of which %d were to ask", arrived.Load(), 2*asked)
	}
}
