package driver

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
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
	patience    = 30 * time.Second
	goName      = "go.json"
)

// barrier is one shard's side of a rendezvous. Below the place of the run, each shard writes joined/I before it sends
// anything and ready/I once it could begin; shard 0 then writes go.json. A shard that cannot begin writes go.json
// itself, so that the others need not wait. Nothing is ever written twice.
type barrier struct {
	Rendezvous
	store store.Store
	mine  presence
}

// presence is what a shard says of itself.
type presence struct {
	Shard  int    `json:"shard"`
	Shards int    `json:"shards"`
	Run    string `json:"run_id"`
	Hash   string `json:"plan_hash"`
	Base   string `json:"base_url"` // two shards must not load different deployments
	Token  string `json:"token"`    // of this process, as a write may be made twice
}

// signal is go.json: when to begin, or why nobody may.
type signal struct {
	Start *time.Time `json:"start,omitempty"`
	Stop  string     `json:"stop,omitempty"`
	Token string     `json:"token"`
}

// join takes the shard's place in the rendezvous that was asked for.
func (r *run) join() (*barrier, error) {
	if r.o.Rendezvous.Place == "" {
		return nil, nil
	}
	return newBarrier(r.o.Rendezvous, presence{
		Shard: r.o.Shard, Shards: r.plan.Shards, Run: r.plan.RunID, Hash: r.plan.Hash(),
		Base: r.client.Redactor().Text(r.o.Deployment.BaseURL),
	})
}

// newBarrier fails when another process has the shard's place: a shard is never started twice in a run.
func newBarrier(o Rendezvous, mine presence) (*barrier, error) {
	o.Timeout, o.Lead = cmp.Or(o.Timeout, meetTimeout), cmp.Or(o.Lead, meetLead)
	o.Place, mine.Token = store.Join(o.Place, mine.Run), rand.Text()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s, err := store.Open(ctx, o.Place)
	if err != nil {
		return nil, fmt.Errorf("--rendezvous: %w", err)
	}
	b := &barrier{o, s, mine}
	if err = b.write(ctx, b.key("joined", mine.Shard), mine); err == nil {
		return b, nil
	}
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("shard %d of run %s was started before (%s exists); a shard is started once, so start again "+
			"with another --run-id", mine.Shard, mine.Run, store.Join(o.Place, b.key("joined", mine.Shard)))
	}
	return nil, errors.Join(fmt.Errorf("--rendezvous: %w", err), s.Close())
}

func (b *barrier) key(what string, shard int) string { return path.Join(what, strconv.Itoa(shard)) }

func (b *barrier) close() {
	if b != nil {
		_ = b.store.Close()
	}
}

func (b *barrier) write(ctx context.Context, key string, content any) error {
	data, err := json.Marshal(content)
	if err != nil {
		return err
	}
	return store.Create(ctx, b.store, key, data)
}

// read takes an object that is not there, or not yet whole, for fs.ErrNotExist.
func (b *barrier) read(ctx context.Context, key string, into any) error {
	data, err := store.ReadAll(ctx, b.store, key)
	if err == nil && json.Unmarshal(data, into) != nil {
		return fs.ErrNotExist
	}
	return err
}

// meet says that this shard is ready, and waits for the start.
func (b *barrier) meet(ctx context.Context) (time.Time, error) {
	if err := b.write(ctx, b.key("ready", b.mine.Shard), b.mine); err != nil {
		return time.Time{}, b.interrupted(ctx, fmt.Errorf("--rendezvous: %w", err))
	}
	until := time.After(b.Timeout)
	pace := meetPoll
	if store.IsBucket(b.Place) {
		pace = bucketPoll
	}
	poll := time.NewTicker(pace)
	defer poll.Stop()
	for {
		s, err := b.look(ctx)
		switch {
		case err != nil:
			return time.Time{}, b.interrupted(ctx, fmt.Errorf("--rendezvous: %w", err))
		case s.Stop != "":
			return time.Time{}, errors.New(printable.Clean(s.Stop))
		case s.Start != nil:
			return *s.Start, nil
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return time.Time{}, b.interrupted(ctx, nil)
		case <-until:
			return time.Time{}, b.giveUp(ctx)
		}
	}
}

// interrupted informs the others where this shard was.
func (b *barrier) interrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	_ = b.call(signal{Stop: fmt.Sprintf("shard %d was interrupted before the start", b.mine.Shard)})
	return ctx.Err()
}

// look gives the signal once it is there. Shard 0 makes it when all are ready.
func (b *barrier) look(ctx context.Context) (s signal, err error) {
	err = b.read(ctx, goName, &s)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	} else if b.mine.Shard > 0 {
		return signal{}, nil
	}
	ready, err := b.ready(ctx)
	if err != nil || len(ready) < b.mine.Shards {
		return signal{}, err
	}
	at := time.Now().Add(b.Lead).UTC().Truncate(time.Millisecond)
	s = signal{Start: &at}
	for _, shard := range ready {
		var other presence
		if err := b.read(ctx, b.key("ready", shard), &other); errors.Is(err, fs.ErrNotExist) {
			return signal{}, nil // still being written
		} else if err != nil {
			return signal{}, err
		}
		if key, mine, theirs := b.mine.differs(other); key != "" {
			s = signal{Stop: fmt.Sprintf("the shards do not belong together: %s is %q in shard 0 and %q in shard %d", key,
				mine, theirs, shard)}
		}
	}
	if err := b.call(s); err != nil {
		return signal{}, err
	}
	return signal{}, nil // another shard may have written it: the next look says
}

// call informs all shards, unless somebody did before.
func (b *barrier) call(s signal) error {
	if b == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s.Token = b.mine.Token
	if err := b.write(ctx, goName, s); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func (p presence) differs(other presence) (key, mine, theirs string) {
	switch {
	case p.Shards != other.Shards:
		return "the number of shards", strconv.Itoa(p.Shards), strconv.Itoa(other.Shards)
	case p.Base != other.Base:
		return "base_url", p.Base, other.Base
	case p.Hash != other.Hash:
		return "the hash of the plan", p.Hash, other.Hash
	}
	return "", "", ""
}

// ready lists the shards that are.
func (b *barrier) ready(ctx context.Context) ([]int, error) {
	var all []int
	objects, err := b.store.List(ctx, "ready/")
	for _, o := range objects {
		if i, err := strconv.Atoi(path.Base(o.Key)); err == nil && o.Key == b.key("ready", i) && i < b.mine.Shards {
			all = append(all, i)
		}
	}
	return all, err
}

// giveUp says who did not come. Shard 0 informs the others, so that they need not wait as long.
func (b *barrier) giveUp(ctx context.Context) error {
	ready, err := b.ready(ctx)
	if err != nil {
		return fmt.Errorf("--rendezvous: %w", err)
	}
	var missing []string
	for i := range b.mine.Shards {
		if !slices.Contains(ready, i) {
			missing = append(missing, strconv.Itoa(i))
		}
	}
	text := "shard 0 became ready but did not write " + goName
	if n := len(missing); n > 0 {
		word := "shard"
		if n > 1 {
			word = "shards"
		}
		if n > 20 {
			missing = append(missing[:20], fmt.Sprintf("and %d more", n-20))
		}
		text = fmt.Sprintf("%s %s of %d did not become ready within %s", word, strings.Join(missing, ", "),
			b.mine.Shards, b.Timeout)
	}
	if b.mine.Shard == 0 {
		_ = b.call(signal{Stop: text}) // the others come to the same end without it
	}
	return errors.New(text)
}
