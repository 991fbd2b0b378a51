package driver

import (
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

	"github.com/gateassay/gateassay/load/store"
)

// Rendezvous is a place that all shards of a run see, where they agree on when to begin.
type Rendezvous struct {
	Place   string        // a folder, or a URL such as s3://bucket/meet
	Timeout time.Duration // for the others; 0: 2 min
	Lead    time.Duration // from the last to be ready until the start; 0: 3 s
}

const (
	meetTimeout = 2 * time.Minute
	meetLead    = 3 * time.Second // shared folders show a new file to other machines with a delay
	meetPoll    = 50 * time.Millisecond
	bucketPoll  = time.Second // each look at a bucket is paid for
	startKey    = "start"
)

// terms are what shards must have in common. Those that do not agree meet in different places, and miss each other.
func terms(parts ...any) string {
	sum := sha256.Sum256(fmt.Appendln(nil, parts...))
	return fmt.Sprintf("%x", sum[:6])
}

// meet says that this shard is ready, and waits for the start: each shard creates ready/I, and when all have, shard 0
// creates start. A name that exists belongs to another process, and a shard is never started twice in a run.
func (m Rendezvous) meet(ctx context.Context, shard, shards int) (time.Time, error) {
	s, err := store.Open(ctx, m.Place)
	if err != nil {
		return time.Time{}, err
	}
	defer func() { _ = s.Close() }()
	if err = store.Note(ctx, s, readyKey(shard), []byte(rand.Text())); errors.Is(err, fs.ErrExist) {
		return time.Time{}, &UsageError{fmt.Errorf("shard %d of this run was started before (%s exists); a "+
			"shard is started once, so start again with another --run-id", shard, store.Join(m.Place, readyKey(shard)))}
	} else if err != nil {
		return time.Time{}, err
	}
	pace := meetPoll
	if store.IsBucket(m.Place) {
		pace = bucketPoll
	}
	poll, until := time.NewTicker(pace), time.After(m.Timeout)
	defer poll.Stop()
	for {
		if text, err := store.ReadAll(ctx, s, startKey); err == nil {
			if at, err := time.Parse(time.RFC3339Nano, string(text)); err == nil { // else it is still being written
				return at, nil
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return time.Time{}, err
		}
		missing, err := m.missing(ctx, s, shards)
		if err != nil {
			return time.Time{}, err
		}
		if shard == 0 && len(missing) == 0 {
			at := time.Now().Add(m.Lead).UTC().Format(time.RFC3339Nano)
			if err := store.Note(ctx, s, startKey, []byte(at)); err != nil && !errors.Is(err, fs.ErrExist) {
				return time.Time{}, err
			}
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return time.Time{}, ctx.Err()
		case <-until:
			return time.Time{}, fmt.Errorf("shards %s of %d did not become ready within %s; those with another plan or "+
				"deployment do not meet", strings.Join(missing, ", "), shards, m.Timeout)
		}
	}
}

func readyKey(shard int) string { return "ready/" + strconv.Itoa(shard) }

// missing lists the shards that are not ready.
func (m Rendezvous) missing(ctx context.Context, s store.Store, shards int) (list []string, err error) {
	ready, err := s.List(ctx, "ready/")
	for i := range shards {
		if !slices.ContainsFunc(ready, func(o store.Object) bool { return o.Key == readyKey(i) }) {
			list = append(list, strconv.Itoa(i))
		}
	}
	return list, err
}
