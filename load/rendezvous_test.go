package load

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
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
