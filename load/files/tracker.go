// Package files measures how long the files of accepted exports take, for a sampled share of them. It polls on
// connections of its own and is no part of the load: what it cannot follow in time it drops and counts, it never makes
// a request of the run wait.
package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/results/histogram"
)

// Options of a tracker. Zero numbers take the defaults.
type Options struct {
	Share     float64 // of accepted exports, 0 to 1
	Seed      int64   // with the number of a request it decides whether it is sampled
	Following int     // files followed at once; default 64
	InFlight  int     // poll requests on the wire at once; default 4
	PollRate  float64 // poll requests per second, all files together; default 200
	MaxFile   int64   // bytes of a file that are read; a longer one counts as failed; default 16 MiB

	// Fetch replaces the retrieval that the deployment file describes.
	Fetch func(ctx context.Context, fileID string) error
}

const (
	patience = 250 * time.Millisecond // a file that waited longer for its first poll cannot be timed
	rotation = 2000                   // fetches after which a client, which remembers each exchange, is replaced
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
	times     histogram.Live
	ctx       context.Context
	cancel    context.CancelFunc
	following sync.WaitGroup
	ended     atomic.Bool
	close     func()

	sampled, ready, failed, dropped atomic.Int64

	mu     sync.Mutex
	faults map[client.FetchFault]int64
	detail string
}

type file struct {
	id string
	at time.Time
}

// New starts a tracker; Finish ends it. It fails when a share is asked for and the deployment file does not say how a
// file is fetched.
func New(dep *deployment.File, cred *deployment.Credential, o Options) (*Tracker, error) {
	if math.IsNaN(o.Share) || o.Share < 0 || o.Share > 1 {
		return nil, fmt.Errorf("the share of tracked files is %v; it is from 0 to 1", o.Share)
	}
	o.Following = orDefault(o.Following, 64)
	o.InFlight = orDefault(o.InFlight, 4)
	o.PollRate = orDefault(o.PollRate, 200)
	o.MaxFile = orDefault(o.MaxFile, 16<<20)
	t := &Tracker{
		o: o, limit: uint64(o.Share * (1 << 53)), fetch: o.Fetch, close: func() {},
		faults: map[client.FetchFault]int64{},
	}
	if t.fetch == nil && o.Share > 0 {
		if dep.Export.File == nil {
			return nil, errors.New("files cannot be tracked: export.file is not in the deployment file; add how a " +
				"finished file is fetched, or leave out --track-files")
		}
		r := &fetcher{dep: dep, cred: cred, o: client.Options{
			InFlight: o.InFlight, RequestsPerSecond: o.PollRate,
			MaxBody: o.MaxFile, UserAgent: "gateassay",
		}}
		if err := r.renew(); err != nil {
			return nil, err
		}
		t.fetch, t.close = r.fetch, r.close
	}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	t.queue = make(chan file, o.Following)
	if o.Share > 0 {
		for range o.Following {
			t.following.Go(t.follow)
		}
	}
	return t, nil
}

func orDefault[N int | int64 | float64](n, otherwise N) N {
	if n <= 0 {
		return otherwise
	}
	return n
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
	t.sampled.Add(1)
	select {
	case t.queue <- file{fileID, at}:
	default:
		t.dropped.Add(1)
	}
}

func (t *Tracker) follow() {
	for {
		select {
		case <-t.ctx.Done():
			return
		case f, open := <-t.queue:
			if !open {
				return
			}
			t.one(f)
		}
	}
}

func (t *Tracker) one(f file) {
	if time.Since(f.at) > patience {
		t.dropped.Add(1)
		return
	}
	err := t.fetch(t.ctx, f.id)
	took := time.Since(f.at)
	switch {
	case err == nil:
		t.times.Record(took)
		t.ready.Add(1)
	case t.ctx.Err() != nil: // still pending when the run ended
	default:
		t.failed.Add(1)
		fault, detail := client.Broken, err.Error()
		var known *client.FetchError
		if errors.As(err, &known) {
			fault, detail = known.Fault, known.Detail
		}
		t.mu.Lock()
		t.faults[fault]++
		if t.detail == "" {
			t.detail = detail
		}
		t.mu.Unlock()
	}
}

// Drain moves the times measured since the last call into h and returns the counts so far.
func (t *Tracker) Drain(h *histogram.Histogram) Counts {
	if t == nil {
		return Counts{}
	}
	t.times.Drain(h)
	return t.Counts()
}

// Counts returns what became of the files so far.
func (t *Tracker) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := Counts{Ready: t.ready.Load(), Failed: t.failed.Load(), Dropped: t.dropped.Load(), Detail: t.detail}
	c.Sampled = t.sampled.Load() // after the others, so that nothing is pending below zero
	c.Pending = c.Sampled - c.Ready - c.Failed - c.Dropped
	if len(t.faults) > 0 {
		c.Faults = make(map[client.FetchFault]int64, len(t.faults))
		for fault, n := range t.faults {
			c.Faults[fault] = n
		}
	}
	return c
}

// Finish waits for the files that are followed until ctx is done, then gives up on them: they stay pending. No export
// may be handed over any more. It returns when nothing is left running.
func (t *Tracker) Finish(ctx context.Context) {
	if t == nil || t.ended.Swap(true) {
		return
	}
	idle := time.NewTicker(20 * time.Millisecond)
	defer idle.Stop()
	for {
		if t.Counts().Pending <= 0 {
			break
		}
		select {
		case <-idle.C:
			continue
		case <-ctx.Done():
		}
		break
	}
	t.cancel()
	t.following.Wait()
	t.close()
}

// fetcher fetches with a client that is replaced now and then.
type fetcher struct {
	dep  *deployment.File
	cred *deployment.Credential
	o    client.Options

	mu  sync.Mutex
	now *shared
}

type shared struct {
	client *client.Client
	served int
	users  int
	old    bool
}

func (r *fetcher) renew() error {
	c, err := client.New(r.dep, r.o)
	if err != nil {
		return err
	}
	if r.now != nil {
		r.now.old = true
		if r.now.users == 0 {
			r.now.client.Close()
		}
	}
	r.now = &shared{client: c}
	return nil
}

func (r *fetcher) fetch(ctx context.Context, fileID string) error {
	r.mu.Lock()
	if r.now.served >= rotation {
		_ = r.renew() // it was made once with the same options; otherwise the old one serves on
	}
	s := r.now
	s.served++
	s.users++
	r.mu.Unlock()
	_, err := s.client.FetchWith(ctx, fileID, r.cred, client.FetchOptions{Read: discard})
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.users--; s.old && s.users == 0 {
		s.client.Close()
	}
	return err
}

// discard reads a file to its end.
func discard(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

func (r *fetcher) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now.client.Close()
}
