package reference

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// durable is a store in a folder. Each shelf has a bucket for each of its two generations; "state" says which.
type durable struct {
	db   *bbolt.DB
	most int
}

var stateBucket, seedKey = []byte("state"), []byte("seed")

// openDurable opens the store of a folder, which is made where there is none. What it keeps belongs to one seed.
func openDurable(folder string, seed int64, most int) (*durable, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	path := filepath.Join(folder, "gateway.db")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("data folder %s is in use by another gateway; stop it or choose another folder",
			folder)
	}
	if err != nil {
		return nil, fmt.Errorf("data folder %s: %s: %w", folder, path, err)
	}
	db.MaxBatchDelay = time.Millisecond // what comes in meanwhile is written together
	err = db.Update(func(tx *bbolt.Tx) error {
		state, err := tx.CreateBucketIfNotExists(stateBucket)
		if err != nil {
			return err
		}
		own := strconv.FormatInt(seed, 10)
		if kept := state.Get(seedKey); kept != nil && string(kept) != own {
			return fmt.Errorf("it was made with --seed %s, not %s; use that seed or another folder", kept, own)
		}
		return state.Put(seedKey, []byte(own))
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("data folder %s: %w", folder, err), db.Close())
	}
	return &durable{db: db, most: most}, nil
}

func (d *durable) step(work func(l ledger)) error {
	return d.db.Batch(func(tx *bbolt.Tx) error {
		p := &page{tx: tx, most: d.most}
		work(p)
		return p.err
	})
}

func (d *durable) look(work func(l ledger)) error {
	return d.db.View(func(tx *bbolt.Tx) error {
		work(&page{tx: tx})
		return nil
	})
}

func (d *durable) close() error { return d.db.Close() }

// page is a durable store within a transaction. Its first error ends the transaction.
type page struct {
	tx   *bbolt.Tx
	most int
	err  error
}

// generation is the younger one of a shelf, and how many entries were put into it.
func (p *page) generation(s shelf) (number, entries uint64) {
	if kept := p.tx.Bucket(stateBucket).Get([]byte(s)); len(kept) == 16 {
		return binary.BigEndian.Uint64(kept), binary.BigEndian.Uint64(kept[8:])
	}
	return 0, 0
}

func (s shelf) bucket(generation uint64) []byte {
	return strconv.AppendUint([]byte(s+" "), generation, 10)
}

func (p *page) get(s shelf, key string) (string, bool) {
	young, _ := p.generation(s)
	for _, generation := range []uint64{young, young - 1} {
		if bucket := p.tx.Bucket(s.bucket(generation)); bucket != nil {
			if value := bucket.Get([]byte(key)); value != nil {
				return string(value), true
			}
		}
	}
	return "", false
}

func (p *page) put(s shelf, key, value string) {
	fail := func(err error) {
		if p.err == nil {
			p.err = err
		}
	}
	number, entries := p.generation(s)
	if entries >= uint64(s.room(p.most)) {
		if err := p.tx.DeleteBucket(s.bucket(number - 1)); err != nil && !errors.Is(err, bolterrors.ErrBucketNotFound) {
			fail(err)
		}
		number, entries = number+1, 0
	}
	bucket, err := p.tx.CreateBucketIfNotExists(s.bucket(number))
	if err != nil {
		fail(err)
		return
	}
	if bucket.Get([]byte(key)) == nil {
		entries++
	}
	if err := bucket.Put([]byte(key), []byte(value)); err != nil {
		fail(err)
	}
	state := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, number), entries)
	if err := p.tx.Bucket(stateBucket).Put([]byte(s), state); err != nil {
		fail(err)
	}
}
