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
	silence  = 8 * time.Second        // a shard writes a line each second; a busy machine or folder is later
	look     = 250 * time.Millisecond // between looks at the records
	longGone = 5 * time.Minute        // since the last line, whatever clocks say
)

// record is what one shard left in a place.
type record struct {
	name  string // what messages and the merged run call it
	given bool   // by itself, not in a folder that holds several
	dir   string // a local folder, once it was fetched

	key     string // below its place
	store   store.Store
	parts   []string
	files   []string
	size    int64
	changed time.Time
	ended   bool
}

// collect finds the records in all places, waits until none of them grows, and brings those of buckets here. done
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
		if stores = append(stores, s); o.Silence == 0 && store.IsBucket(place) {
			o.Silence = silence + 3*store.Checkpoint
		}
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

// settled gives the records once each has its end, or has not grown for a while, as that of a shard that was killed.
// Without Wait, one that grows is an error.
func (o Options) settled(ctx context.Context, stores []store.Store) ([]record, error) {
	type growth struct {
		size  int64
		since time.Time
	}
	seen, begun := map[string]growth{}, time.Now()
	for {
		var records []record
		for i, place := range o.Places {
			found, err := find(ctx, stores[i], place)
			if err != nil {
				return nil, err
			}
			records = append(records, found...)
		}
		open, now := 0, time.Now()
		for _, r := range records {
			before, known := seen[r.name]
			switch {
			case r.ended || r.size == 0 || now.Sub(r.changed) > longGone:
			case known && before.size != r.size && !o.Wait:
				return nil, fmt.Errorf("%s is still growing: its shard is sending, or waiting to start. Merge when all "+
					"have ended, or add --wait", r.name)
			case !known || before.size != r.size:
				seen[r.name] = growth{r.size, now}
				open++
			case now.Sub(before.since) < o.Silence:
				open++
			}
		}
		if open == 0 && (!o.Wait || len(records) >= o.Shards || now.Sub(begun) > o.Silence) {
			return records, nil
		}
		select {
		case <-time.After(min(look, o.Silence/4) * time.Duration(1+len(stores)/16)):
		case <-ctx.Done():
			return nil, fmt.Errorf("interrupted while %d shards were still writing; nothing was merged", open)
		}
	}
}

// find lists the records in a place: its own, or those of the folders in it.
func find(ctx context.Context, s store.Store, place string) ([]record, error) {
	objects, err := s.List(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("no recorded run: %w", err)
	}
	var all []record
	at := map[string]int{}
	for _, o := range objects {
		key, name := path.Split(o.Key)
		key = strings.TrimSuffix(key, "/")
		part := strings.HasSuffix(key+"/", "/"+store.Parts) || key+"/" == store.Parts
		if part {
			key = strings.TrimSuffix(strings.TrimSuffix(key+"/", store.Parts), "/")
		}
		if strings.Contains(key, "/") || !part && name != runfolder.IntervalsName && name != runfolder.RunName &&
			name != results.ExchangesName {
			continue
		}
		i, known := at[key]
		if !known {
			i = len(all)
			at[key] = i
			r := record{key: key, store: s, given: key == "", name: store.Join(place, key)}
			if !store.IsBucket(place) {
				r.dir = r.name
			}
			all = append(all, r)
		}
		r := &all[i]
		if part {
			r.parts = append(r.parts, o.Key)
		} else {
			r.files = append(r.files, name)
		}
		if part || name == runfolder.IntervalsName {
			r.size, r.changed = r.size+o.Size, o.Changed
		}
		r.ended = r.ended || name == runfolder.RunName
	}
	lacks := func(r record) bool { return len(r.parts) == 0 && !slices.Contains(r.files, runfolder.IntervalsName) }
	if own, known := at[""]; known {
		if all = all[own : own+1]; lacks(all[0]) {
			return nil, fmt.Errorf("%s holds no %s, which a run is merged from", place, runfolder.IntervalsName)
		}
	}
	return slices.DeleteFunc(all, lacks), nil // a run of conform has none
}

// fetch copies a record out of a bucket: the whole one of a run that has ended, else the parts that were uploaded.
func (r *record) fetch(ctx context.Context, dir string) error {
	r.dir = dir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	keys := map[string][]string{runfolder.IntervalsName: r.parts}
	for _, name := range r.files {
		keys[name] = []string{path.Join(r.key, name)}
	}
	for name, parts := range keys {
		file, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		for _, key := range parts {
			in, again := r.store.Read(ctx, key)
			if again == nil {
				_, again = io.Copy(file, in)
				again = errors.Join(again, in.Close())
			}
			err = errors.Join(err, again)
		}
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}
