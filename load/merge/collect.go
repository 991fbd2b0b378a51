package merge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/store"
)

const (
	silenceTimeout = 10 * time.Second // a shard writes each second, later on a busy machine
	// time for shards in a bucket to await their files and upload everything
	uploadTimeout = 3 * time.Minute
	pollInterval  = 250 * time.Millisecond // between reads of the records
)

type shardRecord struct {
	name    string // the name in messages and in the merged run
	given   bool   // given as a place, not found in a folder of shards
	ended   bool
	changed time.Time
	store   store.Store
	key     string // of its intervals
	dir     string // local folder with the intervals, once copied
}

// awaitRecords finds the records in all places and waits until each has ended, or is no longer
// written because its shard was killed. It copies records from buckets, which hold only ended
// ones, to folders below temp.
func (o Options) awaitRecords(ctx context.Context, temp string) (records []shardRecord, err error) {
	if len(o.Places) == 0 {
		return nil, errors.New("give the folders of all shards, or a folder that holds them")
	}
	o.Silence = cmp.Or(o.Silence, silenceTimeout)
	patience := o.Silence
	if slices.ContainsFunc(o.Places, store.IsBucket) {
		patience = max(patience, uploadTimeout)
	}
	var stores []store.Store
	for _, place := range o.Places {
		s, err := o.Buckets.Open(ctx, place)
		if err != nil {
			return nil, err
		}
		defer func() { _ = s.Close() }()
		stores = append(stores, s)
	}
	for begun := time.Now(); ; {
		records = nil
		for i, place := range o.Places {
			found, err := findRecords(ctx, stores[i], place)
			if err != nil {
				return nil, fmt.Errorf("no recorded run: %w", err)
			}
			records = append(records, found...)
		}
		open := slices.IndexFunc(records, func(r shardRecord) bool {
			return !r.ended && time.Since(r.changed) < o.Silence
		})
		if open >= 0 && o.Shards == 0 {
			return nil, fmt.Errorf("%s was written just now: its shard is sending, or was killed; "+
				"merge when all have ended", records[open].name)
		}
		if open < 0 && (len(records) >= o.Shards || time.Since(begun) > patience) {
			break
		}
		select {
		case <-time.After(min(pollInterval, o.Silence/4)):
		case <-ctx.Done():
			return nil, errors.New("interrupted while shards still wrote; nothing was merged")
		}
	}
	for i := range records {
		if r := &records[i]; r.dir == "" {
			r.dir = filepath.Join(temp, fmt.Sprint(i))
			if err := r.download(ctx); err != nil {
				return nil, fmt.Errorf("%s cannot be read: %w", r.name, err)
			}
		}
	}
	return records, nil
}

// findRecords lists the load records in a place or in the folders directly below it.
func findRecords(ctx context.Context, s store.Store, place string) (all []shardRecord, err error) {
	objects, err := s.List(ctx, "")
	if err != nil {
		return nil, err
	}
	for _, o := range objects {
		key, name := path.Split(o.Key)
		if name != runfolder.IntervalsName || strings.Count(key, "/") > 1 {
			continue
		}
		r := shardRecord{
			name: store.JoinPlace(place, key), given: key == "", changed: o.Changed, store: s, key: o.Key,
		}
		r.ended = slices.ContainsFunc(objects,
			func(o store.Object) bool { return o.Key == key+runfolder.RunName })
		if !store.IsBucket(place) {
			r.dir = r.name
		}
		if r.given {
			return []shardRecord{r}, nil
		}
		all = append(all, r)
	}
	return all, nil
}

func (r *shardRecord) download(ctx context.Context) error {
	in, err := r.store.Read(ctx, r.key)
	if err != nil {
		return err
	}
	defer in.Close()
	here, err := store.Buckets(nil).Open(ctx, r.dir)
	if err != nil {
		return err
	}
	return here.Create(ctx, runfolder.IntervalsName, in)
}
