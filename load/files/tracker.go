// Package files measures how long the files of accepted exports take, for a sampled share of them. It polls on
// connections of its own and is not part of the load: what it cannot follow in time it drops and counts, it never makes
// a request of the run wait.
package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
)

// Options of a tracker.
type Options struct {
	Share float64 // of accepted exports, 0 to 1
	Seed  int64   // with the number of a request it decides whether it is sampled

	// Fetch replaces the retrieval that the deployment file describes.
	Fetch func(ctx context.Context, fileID string) error
}

const (
	patience    = 250 * time.Millisecond // a file that waited longer for its first poll cannot be timed
	most        = 64                     // files followed at once
	inFlight    = 4                      // poll requests on the wire at once
	pollRate    = 200                    // poll requests per second, all files together
	longestFile = 16 << 20               // bytes of a file that are read; a longer one counts as failed
)

// Counts says what became of the sampled files.
type Counts struct {
	Sampled int64                       `json:"sampled"`
	Ready   int64                       `json:"ready"`
	Failed  int64                       `json:"failed"`
	Dropped int64                       `json:"dropped"` // not followed: too many at once
	Pending int64                       `json:"pending"` // still followed
	Faults  map[client.FetchFault]int64 `json:"faults,omitempty"`
	Detail  string                      `json:"detail,omitempty"` // of the first failure, redacted
}

// Add adds the counts of another tracker, such as that of another shard.
func (c *Counts) Add(more Counts) {
	c.Sampled, c.Ready, c.Failed = c.Sampled+more.Sampled, c.Ready+more.Ready, c.Failed+more.Failed
	c.Dropped, c.Pending, c.Detail = c.Dropped+more.Dropped, c.Pending+more.Pending, cmp.Or(c.Detail, more.Detail)
	if c.Faults == nil && len(more.Faults) > 0 {
		c.Faults = map[client.FetchFault]int64{}
	}
	for fault, n := range more.Faults {
		c.Faults[fault] += n
	}
}

// Tracker follows files. Its methods are safe for concurrent use.
type Tracker struct {
	o         Options
	limit     uint64 // a hash below it is sampled
	fetch     func(ctx context.Context, fileID string) error
	queue     chan file
	ctx       context.Context
	cancel    context.CancelFunc
	following sync.WaitGroup
	ended     atomic.Bool
	close     func()

	mu     sync.Mutex
	times  []time.Duration // since the last Drain
	counts Counts          // but for Pending
}

type file struct {
	id string
	at time.Time
}

// New starts a tracker; Finish ends it. It fails when a share is asked for and the deployment file does not say how a
// file is fetched.
func New(dep *deployment.File, cred *deployment.Credential, o Options) (*Tracker, error) {
	if math.IsNaN(o.Share) || o.Share < 0 || o.Share > 1 {
		return nil, fmt.Errorf("the share of tracked files is %v; expected 0 to 1", o.Share)
	}
	t := &Tracker{
		o: o, limit: uint64(o.Share * (1 << 53)), fetch: o.Fetch, close: func() {}, queue: make(chan file, most),
	}
	if t.fetch == nil && o.Share > 0 {
		if dep.Export.File == nil {
			return nil, errors.New("files cannot be tracked: export.file is not in the deployment file; add how a " +
				"finished file is fetched, or leave out --track-files")
		}
		c, err := client.New(dep, client.Options{
			InFlight: inFlight, RequestsPerSecond: pollRate, MaxBody: longestFile, UserAgent: "gateassay", Forget: true,
		})
		if err != nil {
			return nil, err
		}
		t.close = c.Close
		t.fetch = func(ctx context.Context, fileID string) error {
			_, err := c.FetchWith(ctx, fileID, cred, client.FetchOptions{})
			return err
		}
	}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	if o.Share > 0 {
		for range most {
			t.following.Go(t.follow)
		}
	}
	return t, nil
}

// Wants reports whether the file of request k is sampled: the same in every run with the same seed. It costs nothing.
func (t *Tracker) Wants(k int64) bool {
	if t == nil || t.limit == 0 {
		return false
	}
	x := uint64(k)*0x9e3779b97f4a7c15 + uint64(t.o.Seed)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return (x^x>>31)>>11 < t.limit
}

// Accepted hands over the file of an accepted export that is wanted. It never waits.
func (t *Tracker) Accepted(fileID string, at time.Time) {
	if t == nil || t.limit == 0 || t.ended.Load() {
		return
	}
	t.note(func(c *Counts) { c.Sampled++ })
	select {
	case t.queue <- file{fileID, at}:
	default:
		t.note(func(c *Counts) { c.Dropped++ })
	}
}

// note counts something.
func (t *Tracker) note(f func(*Counts)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.counts)
}

func (t *Tracker) follow() {
	for {
		select {
		case <-t.ctx.Done():
			return
		case f := <-t.queue:
			t.one(f)
		}
	}
}

func (t *Tracker) one(f file) {
	if time.Since(f.at) > patience {
		t.note(func(c *Counts) { c.Dropped++ })
		return
	}
	err := t.fetch(t.ctx, f.id)
	took := time.Since(f.at)
	if err != nil && t.ctx.Err() != nil {
		return // still pending when the run ended
	}
	t.note(func(c *Counts) {
		if err == nil {
			t.times = append(t.times, took)
			c.Ready++
			return
		}
		failure := &client.FetchError{Fault: client.Broken, Detail: err.Error()}
		errors.As(err, &failure)
		c.Add(Counts{Failed: 1, Faults: map[client.FetchFault]int64{failure.Fault: 1}, Detail: failure.Detail})
	})
}

// Drain returns the times measured since the last call, and the counts so far.
func (t *Tracker) Drain() ([]time.Duration, Counts) {
	t.mu.Lock()
	times := t.times
	t.times = nil
	t.mu.Unlock()
	return times, t.Counts()
}

// Counts returns what became of the files so far.
func (t *Tracker) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.counts
	c.Pending = c.Sampled - c.Ready - c.Failed - c.Dropped
	c.Faults = maps.Clone(c.Faults)
	return c
}

// Finish waits for the files that are followed until ctx is done, then gives up on them: they stay pending. No export
// may be handed over any more. It returns when nothing is left running.
func (t *Tracker) Finish(ctx context.Context) {
	if t == nil || t.ended.Swap(true) {
		return
	}
	for t.Counts().Pending > 0 && ctx.Err() == nil {
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	t.cancel()
	t.following.Wait()
	t.close()
}
