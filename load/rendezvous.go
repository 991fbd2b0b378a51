package load

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/store"
	"github.com/gateassay/gateassay/load/results"
)

// Rendezvous says where the shards of a run agree on the start, and how long they wait.
type Rendezvous struct {
	Place   string        // shared by all shards: a folder or a URL such as s3://bucket/run
	Timeout time.Duration // longest wait for the other shards
	Lead    time.Duration // time between the last shard's readiness and the start; 0: 3 s
}

const (
	// shared folders show a new file to other machines with a delay
	rendezvousLead         = 3 * time.Second
	rendezvousPollInterval = 50 * time.Millisecond
	bucketPollInterval     = time.Second // each listing of a bucket costs money
	startObjectKey         = "start"
)

func (o *Options) checkShards() error {
	switch n := o.Plan.Shards; {
	case o.Shard < 0 || o.Shard >= n:
		return fmt.Errorf("--shard: expected a shard from 0 to %d of %d, found %d", n-1, n, o.Shard)
	case n > 1 && o.RunID == "":
		return errors.New("--run-id: give all shards the same new ID")
	case n > 1 && o.Meeting.Place == "":
		return errors.New("--out: give all shards the same folder or bucket to meet in")
	}
	return nil
}

// checkRunIDUnused looks for a recorded run with the ID that was asked for, beside the folder of
// this run and in the default one. Shards share an ID and agree on it when they meet.
func (o *Options) checkRunIDUnused() error {
	if o.RunID == "" || o.Plan.Shards > 1 {
		return nil
	}
	for _, name := range runfolder.Beside(o.Out) {
		if results.ReadRunID(name) == o.RunID {
			return fmt.Errorf("--run-id: the run in %s used %s, and its requests would be sent again, "+
				"as repeats; give an ID that was never used, or leave it out for a new one", name, o.RunID)
		}
	}
	return nil
}

// agreeOnStart returns the start of the schedule. It fails if not all shards are ready in time.
func (r *loadRun) agreeOnStart(ctx context.Context) (time.Time, error) {
	now := time.Now()
	if r.plan.Shards == 1 {
		return now.Add(startDelay), nil
	}
	m := r.o.Meeting
	m.Lead = cmp.Or(m.Lead, rendezvousLead)
	// Shards with another plan or deployment use another place, so they never start together.
	terms := sha256.Sum256([]byte(r.plan.Hash() + r.o.Deployment.BaseURL))
	m.Place = store.JoinPlace(m.Place, "meet", r.plan.RunID, fmt.Sprintf("%x", terms[:6]))
	r.o.View.Note(fmt.Sprintf("ready; waiting for all %d shards in %s", r.plan.Shards, m.Place))
	at, err := m.awaitStart(ctx, r.o.Buckets, r.o.Shard, r.plan.Shards)
	now = time.Now()
	return now.Add(at.Sub(now)), err // adds a monotonic clock reading
}

// awaitStart announces that this shard is ready and waits for the start. Each shard creates
// ready/<shard>; when all exist, shard 0 creates start. If ready/<shard> exists before, another
// process runs the same shard: a *UsageError.
func (m Rendezvous) awaitStart(ctx context.Context, buckets store.Buckets, shard, shards int,
) (start time.Time, err error) {
	s, err := buckets.Open(ctx, m.Place)
	if err != nil {
		return start, err
	}
	defer func() { _ = s.Close() }()
	ready := func(shard int) string { return "ready/" + strconv.Itoa(shard) }
	err = store.CreateSmall(ctx, s, ready(shard), []byte(rand.Text()))
	if errors.Is(err, fs.ErrExist) {
		return start, &UsageError{fmt.Errorf("shard %d of this run was started before (%s "+
			"exists); start all shards again with another --run-id", shard,
			store.JoinPlace(m.Place, ready(shard)))}
	}
	pace := rendezvousPollInterval
	if store.IsBucket(m.Place) {
		pace = bucketPollInterval
	}
	for until := time.Now().Add(m.Timeout); err == nil; {
		there, err := s.List(ctx, "")
		if err != nil {
			return start, err
		}
		lacks := func(key string) bool {
			return !slices.ContainsFunc(there, func(o store.Object) bool { return o.Key == key })
		}
		if !lacks(startObjectKey) {
			text, err := store.ReadAll(ctx, s, startObjectKey)
			if err != nil {
				return start, err
			}
			if start, err = time.Parse(time.RFC3339Nano, string(text)); err == nil {
				return start, nil
			} // else start is still being written
		}
		var missing []string
		for i := range shards {
			if lacks(ready(i)) {
				missing = append(missing, strconv.Itoa(i))
			}
		}
		switch {
		case time.Now().After(until):
			return start, fmt.Errorf("shards %s of %d were not ready within %s; those with "+
				"another plan or deployment do not meet", strings.Join(missing, ", "), shards,
				m.Timeout)
		case shard == 0 && len(missing) == 0 && lacks(startObjectKey):
			start = time.Now().Add(m.Lead).UTC()
			return start, store.CreateSmall(ctx, s, startObjectKey, []byte(start.Format(time.RFC3339Nano)))
		}
		select {
		case <-time.After(pace):
		case <-ctx.Done():
			return start, ctx.Err()
		}
	}
	return start, err
}
