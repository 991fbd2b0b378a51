// Package files measures how long the files of accepted exports take, for a sampled share of the
// exports. It polls on separate connections, and no request of the run waits for it. It drops
// and counts the files that it cannot follow.
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

// Config configures a Tracker.
type Config struct {
	Share float64 // share of accepted exports to follow, 0 to 1
	Seed  int64   // decides with the request number which requests are sampled

	// Fetch replaces the retrieval that the deployment file describes.
	Fetch func(ctx context.Context, fileID string, identity int) error
}

// Limits of a Tracker.
const (
	MaxTracked        = 64       // files followed at once
	maxPollsInFlight  = 4        // poll requests on the wire at once
	maxPollsPerSecond = 200      // poll requests per second, all files together
	maxFileBytes      = 16 << 20 // bytes; a longer file counts as failed
)

// Counts counts the sampled files by outcome.
type Counts struct {
	Sampled int64                         `json:"sampled"`
	Ready   int64                         `json:"ready"`
	Failed  int64                         `json:"failed"`
	Dropped int64                         `json:"dropped"` // not followed: too many at once
	Pending int64                         `json:"pending"` // still followed
	Faults  map[client.FetchFailure]int64 `json:"faults,omitempty"`
	Detail  string                        `json:"detail,omitempty"` // of the first failure, redacted
}

// Measured returns the number of files that were followed: Sampled without Dropped.
func (c *Counts) Measured() int64 { return c.Ready + c.Failed + c.Pending }

// Add adds the counts of another tracker, for example of another shard.
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

// A Tracker follows files. It is safe for concurrent use. A nil Tracker samples none.
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

// New makes a tracker, which Finish ends. The deployment file must say how files are fetched.
// A file is fetched with the credential of the identity that exported it, an index of creds.
func New(dep *deployment.File, creds []*deployment.Credential, o Config) (*Tracker, error) {
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
		o.Fetch = func(ctx context.Context, fileID string, identity int) error {
			_, err := c.FetchFile(ctx, fileID, creds[identity], client.FetchOptions{})
			return err
		}
	}
	t.o = o
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t, nil
}

// IsSampled reports whether the file of request k is sampled. Runs with the same seed sample the
// same requests.
func (t *Tracker) IsSampled(k int64) bool {
	return t != nil && rand.New(rand.NewPCG(uint64(t.o.Seed), uint64(k))).Float64() < t.o.Share
}

// Track begins to follow the file of a sampled export. It never blocks: if too many files are
// followed, it drops the file.
func (t *Tracker) Track(fileID string, identity int, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.ended:
		return
	case t.counts.Pending >= MaxTracked:
		t.counts.Dropped++
	default:
		t.counts.Pending++
		t.following.Go(func() { t.trackFile(fileID, identity, at) })
	}
	t.counts.Sampled++
}

func (t *Tracker) trackFile(fileID string, identity int, at time.Time) {
	err := t.o.Fetch(t.ctx, fileID, identity)
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

// Counts returns the counts so far.
func (t *Tracker) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts
}

// TakeTimes returns the times measured since the last call, and the counts so far.
func (t *Tracker) TakeTimes() ([]time.Duration, Counts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	times, c := t.times, t.counts
	t.times, c.Faults = nil, maps.Clone(c.Faults)
	return times, c
}

// Finish waits for the followed files until ctx is done, then gives up on the rest and returns
// their number. They count as pending. Later files are not followed. No goroutine is left when
// it returns.
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
