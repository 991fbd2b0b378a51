package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/gateassay/gateassay/load/merge"
	"github.com/gateassay/gateassay/load/store"
)

// destination is where a run is written: a folder, or one that is kept in a bucket.
type destination struct {
	folder string
	kept   *store.Upload // nil: a folder
}

// towards opens a destination; open says what becomes of a run that is there.
func towards(ctx context.Context, out string, open func(context.Context, string) (*store.Upload, error)) (destination,
	error,
) {
	if !store.Is(out) {
		return destination{folder: out}, nil
	}
	kept, err := open(ctx, out)
	if err != nil {
		return destination{}, misuse("--out: %w", err)
	}
	return destination{kept.Folder, kept}, nil
}

// finish puts the run in its place, which is what is printed.
func (d destination) finish(ctx context.Context, folder string) (place string, errs []error) {
	if d.kept == nil {
		return folder, nil
	}
	if err := d.kept.Finish(ctx); err != nil {
		return folder, []error{err}
	}
	return d.kept.Place, nil
}

// drop gives up a run that was refused.
func (d destination) drop(ctx context.Context) {
	if d.kept != nil {
		d.kept.Drop(ctx)
	}
}

// dir is what a place lies in.
func dir(place string) string {
	if store.Is(place) {
		return store.Dir(place)
	}
	return filepath.Dir(place)
}

// mirrored makes merge options read copies of what lies in buckets. done removes them.
func mirrored(ctx context.Context, o *merge.Options) (named func(string) string, done func(), err error) {
	named = func(s string) string { return s }
	var all []*store.Mirror
	done = func() {
		for _, m := range all {
			_ = m.Close()
		}
	}
	for i, place := range o.Paths {
		if !store.Is(place) {
			continue
		}
		m, err := store.NewMirror(ctx, place)
		if err != nil {
			done()
			return nil, nil, usageError{err}
		}
		all = append(all, m)
		o.Paths[i] = m.Folder
	}
	if len(all) == 0 {
		return named, done, nil
	}
	o.Silence = store.Silence
	o.Refresh = func(ctx context.Context) error {
		var errs []error
		for _, m := range all {
			errs = append(errs, m.Sync(ctx))
		}
		return errors.Join(errs...)
	}
	return func(s string) string {
		for _, m := range all {
			s = m.Named(s)
		}
		return s
	}, done, nil
}
