package driver

import (
	"context"
	"crypto/rand"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/load/store"
)

// patience is how long one request to a bucket may take, with those that its client makes again.
const patience = 30 * time.Second

// inBucket claims the shard's place in a bucket.
func (b *barrier) inBucket() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	b.dir, b.mine.Token = store.Join(b.Dir, b.mine.Run), rand.Text()
	var err error
	if b.bucket, err = store.Open(ctx, b.dir); err != nil {
		return err
	}
	return b.join()
}

func (b *barrier) put(name string, data []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return store.Create(ctx, b.bucket, filepath.ToSlash(name), data)
}

func (b *barrier) get(name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return store.ReadAll(ctx, b.bucket, filepath.ToSlash(name))
}

// names are those of the files in a folder of the rendezvous.
func (b *barrier) names(folder string) ([]string, error) {
	var names []string
	if b.bucket == nil {
		entries, err := os.ReadDir(filepath.Join(b.dir, folder))
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	objects, err := b.bucket.List(ctx, folder+"/")
	for _, o := range objects {
		names = append(names, path.Base(o.Key))
	}
	return names, err
}

// named is what messages call a file.
func (b *barrier) named(elements ...string) string {
	if b.bucket != nil {
		return store.Join(b.dir, elements...)
	}
	return filepath.Join(append([]string{b.dir}, elements...)...)
}

// pace is the time between two looks.
func (b *barrier) pace() time.Duration {
	if b.bucket != nil {
		return askPoll
	}
	return meetPoll
}

func (b *barrier) close() {
	if b != nil && b.bucket != nil {
		_ = b.bucket.Close()
	}
}
