package merge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/store"
)

const (
	silence = 10 * time.Second       // a shard writes a line each second; a busy machine or folder is later
	uploads = 3 * time.Minute        // until shards that began together have followed their files and uploaded all
	look    = 250 * time.Millisecond // between looks at the records
)

// record is what one shard left in a place.
type record struct {
	name  string // what messages and the merged run call it
	given bool   // by itself, not in a folder that holds several
	dir   string // a local folder, once it was fetched

	key     string // below its place
	store   store.Store
	files   []string
	changed time.Time
}

func (r record) has(file string) bool { return slices.Contains(r.files, file) }

// collect finds the records in all places, waits until each has come to its end, and brings those of buckets here. done
// removes them.
func (o Options) collect(ctx context.Context) (records []record, done func(), err error) {
	var stores []store.Store
	temp := ""
	done = func() {
		for _, s := range stores {
			_ = s.Close()
		}
		if temp != "" {
			_ = os.RemoveAll(temp)
		}
	}
	if len(o.Places) == 0 {
		return nil, done, errors.New("give the folders of all shards, or a folder that holds them")
	}
	for _, place := range o.Places {
		s, err := store.Open(ctx, place)
		if err != nil {
			return nil, done, err
		}
		stores = append(stores, s)
	}
	o.Silence = cmp.Or(o.Silence, silence)
	if records, err = o.settled(ctx, stores); err != nil {
		return nil, done, err
	}
	if temp, err = os.MkdirTemp("", "gateassay-merge-*"); err != nil {
		return nil, done, err
	}
	for i := range records {
		if r := &records[i]; r.dir == "" {
			if err := r.fetch(ctx, filepath.Join(temp, fmt.Sprint(i))); err != nil {
				return nil, done, fmt.Errorf("%s cannot be read: %w", r.name, err)
			}
		}
	}
	return records, done, nil
}

// settled gives the records once each has its end, or was not written for a while, as that of a shard that was killed.
// Without Wait, one that is written is an error. A bucket shows only what has ended.
func (o Options) settled(ctx context.Context, stores []store.Store) ([]record, error) {
	patience := o.Silence
	if slices.ContainsFunc(o.Places, store.IsBucket) {
		patience = max(patience, uploads)
	}
	for begun := time.Now(); ; {
		var records []record
		for i, place := range o.Places {
			found, err := find(ctx, stores[i], place)
			if err != nil {
				return nil, err
			}
			records = append(records, found...)
		}
		open := slices.IndexFunc(records, func(r record) bool {
			return !r.has(runfolder.RunName) && time.Since(r.changed) < o.Silence
		})
		if open >= 0 && !o.Wait {
			return nil, fmt.Errorf("%s was written just now: its shard is sending, or was killed. Merge when all have ended, "+
				"or add --wait", records[open].name)
		}
		if open < 0 && (!o.Wait || len(records) >= o.Shards || time.Since(begun) > patience) {
			return records, nil
		}
		select {
		case <-time.After(min(look, o.Silence/4)):
		case <-ctx.Done():
			return nil, errors.New("interrupted while shards were still writing; nothing was merged")
		}
	}
}

// find lists the records in a place: its own, or those of the folders in it. What conform recorded is left out.
func find(ctx context.Context, s store.Store, place string) ([]record, error) {
	objects, err := s.List(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("no recorded run: %w", err)
	}
	var all []record
	for _, o := range objects {
		key, name := path.Split(o.Key)
		if key = strings.TrimSuffix(key, "/"); strings.Contains(key, "/") {
			continue
		}
		i := slices.IndexFunc(all, func(r record) bool { return r.key == key })
		if i < 0 {
			i = len(all)
			all = append(all, record{key: key, store: s, given: key == "", name: store.Join(place, key)})
			if !store.IsBucket(place) {
				all[i].dir = all[i].name
			}
		}
		if all[i].files = append(all[i].files, name); name == runfolder.IntervalsName {
			all[i].changed = o.Changed
		}
	}
	all = slices.DeleteFunc(all, func(r record) bool { return !r.has(runfolder.IntervalsName) })
	if own := slices.IndexFunc(all, func(r record) bool { return r.given }); own >= 0 {
		return all[own : own+1], nil
	}
	return all, nil
}

// fetch copies a record out of a bucket.
func (r *record) fetch(ctx context.Context, dir string) error {
	r.dir = dir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, name := range []string{runfolder.IntervalsName, results.ExchangesName} {
		if !r.has(name) {
			continue
		}
		in, err := r.store.Read(ctx, path.Join(r.key, name))
		if err != nil {
			return err
		}
		file, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = io.Copy(file, in)
			err = errors.Join(err, file.Close())
		}
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
	}
	return nil
}
