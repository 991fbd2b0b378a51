package driver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/store"
)

// Rendezvous is a place that all shards of a run see, where they agree on when to begin: a bucket, or a folder of a
// file system that keeps two processes from creating one name, such as a local one, NFS or CephFS, but no mounted
// bucket.
type Rendezvous struct {
	Dir     string        // a path, or a URL such as s3://bucket/meet
	Timeout time.Duration // for the others; 0: 2 min
	Lead    time.Duration // from the last to be ready until the start; 0: 3 s
}

const (
	meetTimeout = 2 * time.Minute
	meetLead    = 3 * time.Second // shared folders show a new file to other machines with a delay
	meetPoll    = 50 * time.Millisecond
	askPoll     = time.Second // of a bucket, where each look is paid for
	goName      = "go.json"
	mostSaid    = 1 << 20 // bytes of what a shard says, in a folder that others may write to
)

// barrier is one shard's side of a rendezvous. In the folder of the run, each shard writes joined/I before it sends
// anything and ready/I once it could begin; shard 0 then writes go.json. A shard that cannot begin
// writes go.json itself, so that the others need not wait. No file is ever written twice.
type barrier struct {
	Rendezvous
	dir    string // of the run, below the shared one
	mine   presence
	shards int
	link   func(old, new string) error // os.Link
	bucket store.Bucket                // nil: a folder
}

// presence is what a shard says of itself.
type presence struct {
	Shard  int    `json:"shard"`
	Shards int    `json:"shards"`
	Run    string `json:"run_id"`
	Hash   string `json:"plan_hash"`
	Base   string `json:"base_url"` // two shards must not load different deployments
	Host   string `json:"host,omitempty"`
	Token  string `json:"token,omitempty"` // of this process, where a write may be made twice
}

// signal is go.json: when to begin, or why nobody may.
type signal struct {
	Start *time.Time `json:"start,omitempty"`
	Stop  string     `json:"stop,omitempty"`
}

// join is this shard's part in the rendezvous that was asked for.
func (r *run) join() (*barrier, error) {
	if r.o.Rendezvous.Dir == "" {
		return nil, nil
	}
	mine := presence{
		Shard: r.o.Shard, Shards: r.plan.Shards, Run: r.plan.RunID, Hash: r.plan.Hash(),
		Base: r.client.Redactor().Text(r.o.Deployment.BaseURL),
	}
	mine.Host, _ = os.Hostname()
	b, err := newBarrier(r.o.Rendezvous, mine)
	if err != nil {
		b.close()
		return nil, fmt.Errorf("--rendezvous: %w", err)
	}
	return b, nil
}

// newBarrier claims the shard's place. It fails when another process has it: a shard is never started twice in a run.
func newBarrier(o Rendezvous, mine presence) (*barrier, error) {
	o.Timeout, o.Lead = cmp.Or(o.Timeout, meetTimeout), cmp.Or(o.Lead, meetLead)
	b := &barrier{Rendezvous: o, dir: filepath.Join(o.Dir, mine.Run), mine: mine, shards: mine.Shards, link: os.Link}
	if store.Is(o.Dir) {
		return b, b.inBucket()
	}
	for _, name := range []string{"joined", "ready"} {
		if err := os.MkdirAll(filepath.Join(b.dir, name), 0o755); err != nil {
			return nil, err
		}
	}
	return b, b.join()
}

// join takes the shard's place.
func (b *barrier) join() error {
	err := b.write(filepath.Join("joined", strconv.Itoa(b.mine.Shard)), b.mine)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("shard %d of run %s was started before (%s exists); a shard is started once, so start again "+
			"with another --run-id",
			b.mine.Shard, b.mine.Run, b.named("joined", strconv.Itoa(b.mine.Shard)))
	}
	return err
}

// write makes a file that is there whole or not at all, and fails when it exists.
func (b *barrier) write(name string, content any) error {
	data, err := json.Marshal(content)
	if err != nil {
		return err
	}
	if b.bucket != nil {
		return b.put(name, data)
	}
	temp, err := os.CreateTemp(b.dir, ".tmp-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.Write(append(data, '\n'))
	if err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close()); err != nil {
		return err
	}
	path := filepath.Join(b.dir, name)
	if err = b.link(temp.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// No hard links, as on SMB shares: readers may see a part for a moment.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(data, '\n'))
	return errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close())
}

// read takes a file that is not there, or not yet whole, for fs.ErrNotExist.
func (b *barrier) read(name string, into any) error {
	data, err := b.content(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w, or not whole", b.named(name), fs.ErrNotExist)
	}
	return nil
}

func (b *barrier) content(name string) ([]byte, error) {
	if b.bucket != nil {
		return b.get(name)
	}
	return runfolder.Read(filepath.Join(b.dir, name), mostSaid)
}

// meet says that this shard is ready, and waits for the start.
func (b *barrier) meet(ctx context.Context) (time.Time, error) {
	if err := b.write(filepath.Join("ready", strconv.Itoa(b.mine.Shard)), b.mine); err != nil {
		return time.Time{}, fmt.Errorf("--rendezvous: %w", err)
	}
	until := time.After(b.Timeout)
	poll := time.NewTicker(b.pace())
	defer poll.Stop()
	for {
		if b.mine.Shard == 0 {
			if err := b.lead(); err != nil {
				return time.Time{}, err
			}
		}
		var s signal
		switch err := b.read(goName, &s); {
		case err == nil && s.Stop != "":
			return time.Time{}, errors.New(printable.Clean(s.Stop))
		case err == nil && s.Start != nil:
			return *s.Start, nil
		case err == nil:
			return time.Time{}, fmt.Errorf("%s is empty", b.named(goName))
		case !errors.Is(err, fs.ErrNotExist):
			return time.Time{}, fmt.Errorf("--rendezvous: %w", err)
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			_ = b.call(signal{Stop: fmt.Sprintf("shard %d was interrupted before the start", b.mine.Shard)})
			return time.Time{}, ctx.Err()
		case <-until:
			return time.Time{}, b.giveUp()
		}
	}
}

// lead is shard 0's part: when all are ready and agree, they may begin.
func (b *barrier) lead() error {
	ready, err := b.ready()
	if err != nil || len(ready) < b.shards {
		return err
	}
	s := signal{}
	for i := range b.shards {
		var p presence
		if err := b.read(filepath.Join("ready", strconv.Itoa(i)), &p); errors.Is(err, fs.ErrNotExist) {
			return nil // still being written
		} else if err != nil {
			return fmt.Errorf("--rendezvous: %w", err)
		}
		if key, mine, theirs := b.mine.differs(p); key != "" {
			s.Stop = fmt.Sprintf("the shards do not belong together: %s is %q in shard 0 and %q in shard %d", key, mine,
				theirs, i)
			break
		}
	}
	if s.Stop == "" {
		at := time.Now().Add(b.Lead).UTC().Truncate(time.Millisecond)
		s.Start = &at
	}
	if err := b.call(s); err != nil {
		return fmt.Errorf("--rendezvous: %w", err)
	}
	return nil
}

// call informs all shards, unless somebody did before.
func (b *barrier) call(s signal) error {
	if b == nil {
		return nil
	}
	err := b.write(goName, s)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
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
func (b *barrier) ready() ([]int, error) {
	names, err := b.names("ready")
	if err != nil {
		return nil, fmt.Errorf("--rendezvous: %w", err)
	}
	var list []int
	for _, name := range names {
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < b.shards && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list, nil
}

// giveUp says who did not come. Shard 0 informs the others, so that they need not wait as long.
func (b *barrier) giveUp() error {
	ready, err := b.ready()
	if err != nil {
		return err
	}
	var missing []string
	for i := range b.shards {
		if !slices.Contains(ready, i) {
			missing = append(missing, strconv.Itoa(i))
		}
	}
	text := fmt.Sprintf("shard 0 became ready but did not write %s", goName)
	if len(missing) > 0 {
		if n := len(missing); n > 20 {
			missing = append(missing[:20], fmt.Sprintf("and %d more", n-20))
		}
		word := "shard"
		if len(missing) > 1 {
			word = "shards"
		}
		text = fmt.Sprintf("%s %s of %d did not become ready within %s", word,
			strings.Join(missing, ", "), b.shards, b.Timeout)
	}
	if b.mine.Shard == 0 {
		_ = b.call(signal{Stop: text}) // the others come to the same end without it
	}
	return errors.New(text)
}
