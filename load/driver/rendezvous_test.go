package driver

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
)

// assemble lets shards join and meet, each as its own process would, and gives what each was told.
func assemble(t *testing.T, dir string, members []presence, cancelled int) (starts []time.Time, errs []error) {
	t.Helper()
	starts, errs = make([]time.Time, len(members)), make([]error, len(members))
	var all sync.WaitGroup
	for i, mine := range members {
		b := must.Get(newBarrier(Rendezvous{Place: dir, Timeout: 2 * second, Lead: 5 * second}, mine))(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if i == cancelled {
			cancel()
		}
		all.Add(1)
		go func() {
			defer all.Done()
			starts[i], errs[i] = b.meet(ctx)
		}()
	}
	all.Wait()
	return starts, errs
}

func member(shard, shards int) presence {
	return presence{Shard: shard, Shards: shards, Run: "r1", Hash: "aa", Base: "https://a.example"}
}

func TestShardsBeginAtOneMoment(t *testing.T) {
	before := time.Now()
	starts, errs := assemble(t, t.TempDir(), []presence{member(3, 4), member(1, 4), member(0, 4), member(2, 4)}, -1)
	for i := range starts {
		if errs[i] != nil || !starts[i].Equal(starts[0]) || starts[i].Before(before.Add(4*second)) {
			t.Errorf("%v, %v, %v", starts[i], starts[0], errs[i])
		}
	}
}

func TestWhoIsMissingIsNamed(t *testing.T) {
	for name, members := range map[string][]presence{
		"shards 1, 3 of 4 did not become ready": {member(0, 4), member(2, 4)},
		"shard 0 of 3 did not become ready":     {member(1, 3), member(2, 3)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, errs := assemble(t, t.TempDir(), members, -1)
			for i, err := range errs {
				if err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("%d: %v", i, err)
				}
			}
		})
	}
}

func TestShardsThatDoNotBelongTogetherDoNotBegin(t *testing.T) {
	for want, change := range map[string]func(*presence){
		"the hash of the plan is \"aa\" in shard 0 and \"bb\" in shard 1": func(p *presence) { p.Hash = "bb" },
		"base_url is \"https://a.example\" in shard 0 and \"https://b.ex": func(
			p *presence,
		) {
			p.Base = "https://b.example"
		},
		"the number of shards is \"2\" in shard 0 and \"3\" in shard 1": func(p *presence) { p.Shards = 3 },
		"shard 1 was interrupted before the start|context canceled":     nil,
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			members, cancelled := []presence{member(0, 2), member(1, 2)}, 1
			if change != nil {
				change(&members[1])
				cancelled = -1
			} else {
				members = append(members, member(2, 3)) // never all there, so that nobody begins before
				members[0].Shards, members[1].Shards = 4, 4
			}
			_, errs := assemble(t, t.TempDir(), members, cancelled)
			for i, err := range errs {
				found := false
				for text := range strings.SplitSeq(want, "|") {
					found = found || err != nil && strings.Contains(err.Error(), text)
				}
				if !found {
					t.Errorf("%d: %v", i, err)
				}
			}
		})
	}
}

func TestAShardIsStartedOnce(t *testing.T) {
	dir := t.TempDir()
	var taken int
	var all sync.WaitGroup
	var lock sync.Mutex
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			_, err := newBarrier(Rendezvous{Place: dir}, member(1, 4))
			lock.Lock()
			defer lock.Unlock()
			if err == nil {
				taken++
			} else if !strings.Contains(err.Error(), "another --run-id") {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	if taken != 1 {
		t.Errorf("%d of 8 processes took the place of one shard", taken)
	}
}
