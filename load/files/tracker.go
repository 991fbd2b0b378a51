// Package files measures how long the files of accepted exports take, for a sampled share of them.
// It polls beside the load, on its own connections: what it cannot follow it drops and counts, and
// no request of the run waits for it.
package files

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
)

// Config of a tracker.
type Config struct {
	Share float64 // of accepted exports, 0 to 1
	Seed  int64   // with the number of a request it decides whether it is sampled

	// Fetch replaces the retrieval that the deployment file describes.
	Fetch func(ctx context.Context, fileID string) error
}

const (
	maxTracked        = 64       // files followed at once
	maxPollsInFlight  = 4        // poll requests on the wire at once
	maxPollsPerSecond = 200      // poll requests per second, all files together
	maxFileBytes      = 16 << 20 // bytes of a file that are read; a longer one counts as failed
)

// Counts says what became of the sampled files.
type Counts struct {
	Sampled int64                         `json:"sampled"`
	Ready   int64                         `json:"ready"`
	Failed  int64                         `json:"failed"`
	Dropped int64                         `json:"dropped"` // not followed: too many at once
	Pending int64                         `json:"pending"` // still followed
	Faults  map[client.FetchFailure]int64 `json:"faults,omitempty"`
	Detail  string                        `json:"detail,omitempty"` // of the first failure, redacted
}

// Add adds the counts of another tracker, such as that of another shard.
func (c *Counts) Add(more Counts) {
	c.Sampled += more.Sampled
	c.Ready += more.Ready
	c.Failed += more.Failed
	c.Dropped += more.Dropped
	c.Pending += more.Pending
	c.Detail = cmp.Or(c.Detail, more.Detail)
	if c.Faults == nil && len(more.Faults) > 0 {
		c.Faults = map[client.FetchFailure]int64{}
	}
	for fault, n := range more.Faults {
		c.Faults[fault] += n
	}
}

// Tracker follows files. Its methods are safe for concurrent use.
type Tracker struct {
	o         Config
	ctx       context.Context
	cancel    context.CancelFunc
	following sync.WaitGroup
	close     func()

	mu     sync.Mutex
	ended  bool
	times  []time.Duration // since the last TakeTimes
	counts Counts
}

// New makes a tracker; Finish ends it. The deployment file must say how a file is fetched.
func New(dep *deployment.File, cred *deployment.Credential, o Config) (*Tracker, error) {
	t := &Tracker{close: func() {}}
	if o.Fetch == nil {
		c, err := client.New(dep, client.Options{
			InFlight: maxPollsInFlight, RequestsPerSecond: maxPollsPerSecond, MaxBody: maxFileBytes,
			UserAgent: "gateassay", KeepNoExchanges: true,
		})
		if err != nil {
			return nil, err
		}
		t.close = c.Close
		o.Fetch = func(ctx context.Context, fileID string) error {
			_, err := c.FetchFile(ctx, fileID, cred, client.FetchOptions{})
			return err
		}
	}
	t.o = o
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t, nil
}

// IsSampled reports whether the file of request k is sampled: the same in every run with the same
// seed.
func (t *Tracker) IsSampled(k int64) bool {
	return t != nil && rand.New(rand.NewPCG(uint64(t.o.Seed), uint64(k))).Float64() < t.o.Share
}

// Track hands over the file of an accepted export that is wanted. It never waits: where very
// many are followed, one more is dropped.
func (t *Tracker) Track(fileID string, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.ended:
		return
	case t.counts.Pending >= maxTracked:
		t.counts.Dropped++
	default:
		t.counts.Pending++
		t.following.Go(func() { t.trackFile(fileID, at) })
	}
	t.counts.Sampled++
}

func (t *Tracker) trackFile(fileID string, at time.Time) {
	err := t.o.Fetch(t.ctx, fileID)
	took := time.Since(at)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case err == nil:
		t.times = append(t.times, took)
		t.counts.Add(Counts{Ready: 1, Pending: -1})
	case t.ctx.Err() == nil: // else it was still pending when the run ended
		failure := &client.FetchError{Failure: client.FetchBroken, Detail: err.Error()}
		errors.As(err, &failure)
		t.counts.Add(Counts{
			Failed: 1, Pending: -1,
			Faults: map[client.FetchFailure]int64{failure.Failure: 1}, Detail: failure.Detail,
		})
	}
}

// TakeTimes returns the times measured since the last call, and the counts so far.
func (t *Tracker) TakeTimes() ([]time.Duration, Counts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	times, c := t.times, t.counts
	t.times, c.Faults = nil, maps.Clone(c.Faults)
	return times, c
}

// Finish waits for the files that are followed until ctx is done, then gives up on them: they stay
// pending, and are counted. No export is followed any more. It returns when nothing is left
// running.
func (t *Tracker) Finish(ctx context.Context) (pending int64) {
	if t == nil {
		return 0
	}
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	done := make(chan struct{})
	go func() { t.following.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
	t.cancel()
	<-done
	t.close()
	return t.counts.Pending
}
