package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
)

// Silence is how long nothing of a shard need be seen in a bucket before it is taken to be lost.
const Silence = 8*time.Second + 3*checkpoint

// Mirror is a local copy of the runs below a place in a bucket: of each its record, and of those that have not ended as
// much of that as was uploaded.
type Mirror struct {
	Folder string
	Place  string

	bucket Bucket
	looked time.Time
	parts  map[string]int // taken in, by run
	whole  map[string]bool
}

// NewMirror opens a place. Nothing is copied yet.
func NewMirror(ctx context.Context, place string) (*Mirror, error) {
	b, err := Open(ctx, place)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "gateassay-runs-*")
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return &Mirror{Folder: folder, Place: place, bucket: b, parts: map[string]int{}, whole: map[string]bool{}}, nil
}

// Close removes the copy.
func (m *Mirror) Close() error { return errors.Join(os.RemoveAll(m.Folder), m.bucket.Close()) }

// Named puts the place in the bucket where a text names the copy.
func (m *Mirror) Named(text string) string {
	base, _, _ := strings.Cut(m.Place, "?")
	return strings.ReplaceAll(text, m.Folder, strings.TrimRight(base, "/"))
}

// kept are the files of a run that others are read from; run.json comes last, as it says that the run has ended.
var kept = []string{results.ExchangesName, runfolder.IntervalsName, runfolder.RunName}

// Sync copies what came since. It asks the bucket at most each two seconds.
func (m *Mirror) Sync(ctx context.Context) error {
	if time.Since(m.looked) < 2*time.Second {
		return nil
	}
	m.looked = time.Now()
	objects, err := m.bucket.List(ctx, "")
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", m.Place, err)
	}
	runs := map[string][]string{} // their objects, without the run's name
	for _, o := range objects {
		run, name := path.Split(o.Key)
		if before, of := strings.CutSuffix(run, partPrefix); of {
			run, name = before, partPrefix+name
		}
		run = strings.TrimSuffix(run, "/")
		if slices.Contains(kept, name) || strings.HasPrefix(name, partPrefix) {
			runs[run] = append(runs[run], name)
		}
	}
	for run, names := range runs {
		if m.whole[run] || !filepath.IsLocal(filepath.FromSlash(path.Join(".", run))) {
			continue
		}
		if err := m.run(ctx, run, names); err != nil {
			return fmt.Errorf("%s cannot be read: %w", Join(m.Place, run), err)
		}
	}
	return nil
}

func (m *Mirror) run(ctx context.Context, run string, names []string) error {
	folder := filepath.Join(m.Folder, filepath.FromSlash(run))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if slices.Contains(names, runfolder.RunName) {
		for _, name := range kept {
			if !slices.Contains(names, name) {
				continue
			}
			if err := m.copy(ctx, path.Join(run, name), filepath.Join(folder, name)); err != nil {
				return err
			}
		}
		m.whole[run] = true
		return nil
	}
	for slices.Contains(names, partKey(m.parts[run])) {
		err := m.add(ctx, path.Join(run, partKey(m.parts[run])), filepath.Join(folder, runfolder.IntervalsName))
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the run has ended in the meantime: the next look finds it whole
		}
		if err != nil {
			return err
		}
		m.parts[run]++
	}
	return nil
}

// copy replaces a file by an object.
func (m *Mirror) copy(ctx context.Context, key, to string) error {
	if err := m.into(ctx, key, to+".tmp", os.O_TRUNC); err != nil {
		return err
	}
	return os.Rename(to+".tmp", to)
}

// add appends an object to a file, all of it or nothing.
func (m *Mirror) add(ctx context.Context, key, to string) error {
	before, err := os.Stat(to)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := m.into(ctx, key, to, os.O_APPEND); err != nil {
		if before != nil {
			return errors.Join(err, os.Truncate(to, before.Size()))
		}
		return errors.Join(err, os.Remove(to))
	}
	return nil
}

func (m *Mirror) into(ctx context.Context, key, to string, how int) error {
	r, err := m.bucket.Read(ctx, key)
	if err != nil {
		return err
	}
	defer r.Close()
	file, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|how, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, r)
	return errors.Join(err, file.Close())
}

// Borrow is Keep for a folder that may hold a run: what is there is copied first, and Finish writes over it.
func Borrow(ctx context.Context, place string) (*Upload, error) {
	b, err := Open(ctx, place)
	if err != nil {
		return nil, err
	}
	k, err := local(b, place)
	if err != nil {
		return nil, err
	}
	close(k.done) // there are no parts
	m := &Mirror{Folder: k.Folder, Place: place, bucket: b, parts: map[string]int{}, whole: map[string]bool{}}
	if err := m.Sync(ctx); err != nil {
		return nil, errors.Join(err, os.RemoveAll(k.temp), b.Close())
	}
	return k, nil
}
