package driver

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/traffic"
)

// sending is one request as it goes out.
type sending struct {
	at time.Duration
	traffic.Request
	shard int
}

// content is all that the deployment sees of it, and when it is meant to.
func (s sending) content() string {
	return fmt.Sprintf("%d at %s: %d %q %s %s %q %q %s, repeat %v of %d", s.K, s.at, s.Mode, s.Replay, s.Nonce,
		s.Transaction, s.Language, s.Wallet, s.Body, s.Repeat, s.Of)
}

// union lets every shard make its requests, each accepted before the next is made, and gives them by k.
func union(t rapid.TB, p *plan.Plan, d *deployment.File, shards int) []sending {
	t.Helper()
	p = p.WithShards(shards)
	s := must.Get(p.Schedule())(t)
	all := make([]sending, s.K())
	for shard := range shards {
		made := must.Get(newPairs(p, d, s, shard, 409, nil))(t)
		sent := int64(0)
		for cursor := s.Cursor(shard, shards); ; sent++ {
			k, at, ok := cursor.Next()
			if !ok {
				break
			}
			if all[k].Body != nil {
				t.Fatalf("request %d is sent by shard %d and shard %d", k, all[k].shard, shard)
			}
			one := sending{at: at, shard: shard}
			made.Fill(k, &one.Request)
			if !one.Repeat {
				made.ledger.Accept(k)
			}
			all[k] = one
		}
		if sent != s.Count(shard, shards) {
			t.Fatalf("shard %d of %d sends %d of %d requests", shard, shards, sent, s.Count(shard, shards))
		}
	}
	return all
}

// safe checks that no shard judges alone what it cannot know: of two requests with one content in different shards.
func safe(t rapid.TB, all []sending, shards int) (repeats, alone int) {
	t.Helper()
	carried := map[int64][]sending{}
	for _, one := range all {
		carried[one.Of] = append(carried[one.Of], one)
	}
	for _, one := range all {
		elsewhere := slices.ContainsFunc(carried[one.Of], func(other sending) bool { return other.shard != one.shard })
		original := slices.ContainsFunc(carried[one.Of], func(other sending) bool {
			return other.K == one.Of && other.shard == one.shard
		})
		switch {
		case one.Crosses && one.Expect != judge.Either, one.Crosses && !elsewhere:
			t.Fatalf("of %d shards, request %d of shard %d crosses: %v, is elsewhere: %v, expects %v", shards, one.K,
				one.shard, one.Crosses, elsewhere, one.Expect)
		case elsewhere && !one.Repeat && !one.Crosses:
			t.Fatalf("of %d shards, request %d of shard %d is judged alone, though another shard may overtake it",
				shards, one.K, one.shard)
		case one.Repeat && !original && !one.Crosses:
			t.Fatalf("of %d shards, request %d of shard %d is judged alone; its original is another's",
				shards, one.K, one.shard)
		}
		if one.Repeat {
			repeats++
			if !one.Crosses {
				alone++
			}
		}
	}
	return repeats, alone
}

func compared(t rapid.TB, p *plan.Plan, d *deployment.File, shards int) {
	t.Helper()
	whole, split := union(t, p, d, 1), union(t, p, d, shards)
	for k := range whole {
		if whole[k].content() != split[k].content() {
			t.Fatalf("%d shards send another request:\n%s\n%s", shards, whole[k].content(), split[k].content())
		}
	}
	safe(t, split, shards)
}

// TestShardsSendWhatOneProcessSends holds the union of shards against one process, for every preset and number of
// shards.
func TestShardsSendWhatOneProcessSends(t *testing.T) {
	d := gateway(t, nil)
	for _, preset := range plan.Presets() {
		t.Run(preset.Name, func(t *testing.T) {
			t.Parallel()
			p := planned(t, "preset="+preset.Name, "rate=200/s", "duration=10s", "repeats=20%").WithRun("r1")
			for shards := 1; shards <= 16; shards++ {
				compared(t, p, d, shards)
			}
		})
	}
	t.Run("any plan", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			p, err := planOf("preset="+rapid.SampledFrom(plan.Presets()).Draw(t, "preset").Name,
				fmt.Sprintf("rate=%d/s", rapid.IntRange(1, 400).Draw(t, "rate")),
				fmt.Sprintf("duration=%dms", rapid.IntRange(2000, 6000).Draw(t, "duration")),
				fmt.Sprintf("repeats=%d%%", rapid.IntRange(0, 50).Draw(t, "repeats")),
				fmt.Sprintf("seed=%d", rapid.Int64Min(0).Draw(t, "seed")))
			if err != nil {
				t.Skip("no request at all: " + err.Error())
			}
			compared(t, p.WithRun(rapid.StringMatching(`[a-z0-9]{1,12}`).Draw(t, "run")), d,
				rapid.IntRange(1, 16).Draw(t, "shards"))
		})
	})
}

// TestHowManyRepeatsAShardJudgesAlone is what docs/distributed.md says: four fifths where the number of shards divides
// 48.
func TestHowManyRepeatsAShardJudgesAlone(t *testing.T) {
	d := gateway(t, nil)
	p := planned(t, "rate=200/s", "duration=60s", "repeats=20%").WithRun("r1")
	for shards, want := range map[int]float64{1: 1, 2: 0.8, 4: 0.8, 16: 0.8, 5: 0.16, 7: 0.11} {
		repeats, alone := safe(t, union(t, p, d, shards), shards)
		if got := float64(alone) / float64(repeats); got < want-0.08 || got > want+0.08 {
			t.Errorf("%d shards judge %.2f of %d repeats alone, expected about %.2f", shards, got, repeats, want)
		}
	}
}

// TestAMarkThatIsGoneIsNoVerdict asks for a request long after its time.
func TestAMarkThatIsGoneIsNoVerdict(t *testing.T) {
	p := planned(t, "rate=400000/s", "duration=100s", "repeats=1%").WithRun("r1").WithShards(3)
	s := must.Get(p.Schedule())(t)
	made := must.Get(newPairs(p, gateway(t, nil), s, 0, 409, nil))(t)
	var r traffic.Request
	made.Fill(9_000_000, &r)
	if made.Fill(3, &r); !r.Repeat && !r.Crosses {
		t.Errorf("a request whose mark is gone is judged: %+v", r)
	}
}

func TestALateShardSendsNothing(t *testing.T) {
	var arrived atomic.Int64
	d := gateway(t, before(func(http.ResponseWriter, *http.Request) bool {
		arrived.Add(1)
		return false
	}))
	result := must.Get(Run(t.Context(), Options{
		Deployment: d, Plan: planned(t, "rate=50/s", "duration=2s").WithShards(4),
		Out:   filepath.Join(t.TempDir(), "run"),
		RunID: "r1", Shard: 2, StartAt: time.Now().Add(-second),
	}))(t)
	run := result.Run
	if result.ExitCode() != 3 || arrived.Load() != 0 || run.Requests.Sent != 0 || run.Requests.Scheduled != 25 ||
		run.Run.Shard != 2 || run.Run.Shards != 4 || !strings.Contains(run.Reason, "too late") {
		t.Errorf("exit code %d, %d arrived, %+v, %+v, %s", result.ExitCode(),
			arrived.Load(), run.Run, run.Requests, run.Reason)
	}
}

func TestShardsThatCannotBeTogether(t *testing.T) {
	d := gateway(t, nil)
	soon := time.Now().Add(time.Hour)
	for want, o := range map[string]Options{
		"--shard":       {RunID: "r1", Shard: 4, StartAt: soon},
		"--run-id":      {Shard: 1, StartAt: soon},
		"--start-at":    {RunID: "r1", Shard: 1},
		"give only one": {RunID: "r1", Shard: 1, StartAt: soon, Rendezvous: Rendezvous{Dir: t.TempDir()}},
		// the rate of the whole plan, though a quarter would be within
		"max_rate": {RunID: "r1", Shard: 1, StartAt: soon},
	} {
		o.Deployment, o.Plan, o.Out = d, planned(t, "rate=50/s", "duration=2s").WithShards(4), t.TempDir()
		if want == "max_rate" {
			slow := *d
			slow.Load.MaxRate = 20
			o.Deployment = &slow
		}
		_, err := Run(t.Context(), o)
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
