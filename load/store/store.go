// Package store is a place that all shards of a run see: a folder that they share, or a bucket of
// an object store.
package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
)

// Store holds objects below one place. Errors are fs.ErrExist and fs.ErrNotExist where that is what
// happened.
type Store interface {
	// Create makes an object that is there whole or not at all, unless there is one.
	Create(ctx context.Context, key string, content io.Reader) error
	Read(ctx context.Context, key string) (io.ReadCloser, error)
	// List gives the objects whose keys begin with a prefix.
	List(ctx context.Context, prefix string) ([]Object, error)
	Close() error
}

// Object is one object of a store.
type Object struct {
	Key     string
	Changed time.Time
}

// IsBucket reports whether a place is that of a bucket, not a folder.
func IsBucket(place string) bool { return strings.Contains(place, "://") }

// Buckets opens the place in a bucket that a URL names, such as
// s3://bucket/folder?region=eu-west-1. Nil opens none.
type Buckets func(ctx context.Context, place *url.URL) (Store, error)

// Open opens a folder, or a place in a bucket.
func (b Buckets) Open(ctx context.Context, place string) (Store, error) {
	if !IsBucket(place) {
		return folderStore(place), nil
	}
	u, err := url.Parse(place)
	if err != nil || u.Host == "" || !slices.Contains([]string{"s3", "gs", "azblob"}, u.Scheme) {
		return nil, fmt.Errorf("expected a folder, or the URL of a bucket such as "+
			"s3://bucket/load (gs://, azblob://), found %q", place)
	}
	if b == nil {
		return nil, fmt.Errorf(
			"%s: this gateassay was built without buckets; make build-cloud builds one that has "+
				"them, as the image of deploy/Dockerfile does",
			place,
		)
	}
	s, err := b(ctx, u)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return s, nil
}

// JoinPlace is a place below another, or above it with ".."; what follows a question mark of a URL
// stays last.
func JoinPlace(place string, elements ...string) string {
	if !IsBucket(place) {
		return path.Join(append([]string{place}, elements...)...)
	}
	base, query, some := strings.Cut(place, "?")
	scheme, rest, _ := strings.Cut(base, "://")
	bucket, key, _ := strings.Cut(rest, "/")
	base = strings.TrimRight(scheme+"://"+bucket+path.Join(append([]string{"/", key},
		elements...)...), "/")
	if some {
		base += "?" + query
	}
	return base
}

// CreateSmall creates a small object. Where a first try did reach a bucket, though its answer was
// lost, the object is found to be this very one: contents are to be unique.
func CreateSmall(ctx context.Context, s Store, key string, content []byte) error {
	err := s.Create(ctx, key, bytes.NewReader(content))
	if errors.Is(err, fs.ErrExist) {
		if found, again := ReadAll(ctx, s, key); again == nil && bytes.Equal(found, content) {
			return nil
		}
	}
	return err
}

// ReadAll reads a small object.
func ReadAll(ctx context.Context, s Store, key string) ([]byte, error) {
	r, err := s.Read(ctx, key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, 1<<20))
}

// folderStore is a Store in a file system where two processes cannot create one name: a local one,
// NFS, CephFS, SMB.
type folderStore string

// Create writes beside the object, then takes its name with a link, or where there are none, as on
// SMB shares, with an empty file that is replaced.
func (f folderStore) Create(_ context.Context, key string, content io.Reader) error {
	to := filepath.Join(string(f), filepath.FromSlash(key))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(to), ".tmp-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = io.Copy(temp, content)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err = os.Link(temp.Name(), to); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	//nolint:gosec // other shards read it
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Rename(temp.Name(), to))
}

func (f folderStore) Read(_ context.Context, key string) (io.ReadCloser, error) {
	return runfolder.OpenBounded(filepath.Join(string(f), filepath.FromSlash(key)),
		runfolder.MaxStreamBytes)
}

// List opens each file: of one that another machine writes, a shared folder may otherwise show an
// old time.
func (f folderStore) List(_ context.Context, prefix string) (all []Object, err error) {
	return all, filepath.WalkDir(string(f), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		key, err := filepath.Rel(string(f), name)
		if key = filepath.ToSlash(key); err != nil || !strings.HasPrefix(key, prefix) {
			return err
		}
		changed := time.Time{}
		if file, err := runfolder.OpenBounded(name, runfolder.MaxStreamBytes); err == nil {
			if info, err := file.Stat(); err == nil {
				changed = info.ModTime()
			}
			_ = file.Close()
		}
		all = append(all, Object{key, changed})
		return nil
	})
}

func (f folderStore) Close() error { return nil }

// OpenRunFolder returns the local folder to write the run of a place to, and what to call when it
// is written. For a folder that is the place itself. For a bucket, finish uploads the files,
// run.json last: who finds it finds the others. Then it removes the folder; when something fails
// the folder stays, and the error names it. A place in a bucket that holds anything is refused.
func (b Buckets) OpenRunFolder(ctx context.Context, place string,
) (folder string, finish func(context.Context) error, err error) {
	if !IsBucket(place) {
		return place, func(context.Context) error { return nil }, nil
	}
	s, err := b.Open(ctx, place)
	if err != nil {
		return "", nil, err
	}
	there, err := s.List(ctx, "")
	if err == nil && len(there) > 0 {
		err = fmt.Errorf("%s holds a recorded run and is left as it is; choose another place", place)
	}
	temp := ""
	if err == nil {
		temp, err = os.MkdirTemp("", "gateassay-run-*")
	}
	if err != nil {
		return "", nil, errors.Join(err, s.Close())
	}
	folder = filepath.Join(temp, "run")
	return folder, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
		defer cancel()
		err := uploadFolder(ctx, s, folder)
		if err != nil {
			err = fmt.Errorf("the run could not be kept in %s: %w; it is in %s", place, err, folder)
		} else {
			err = os.RemoveAll(temp)
		}
		return errors.Join(err, s.Close())
	}, nil
}

// uploadFolder copies the files of a folder to a store, run.json last. A run that was refused has
// no folder.
func uploadFolder(ctx context.Context, s Store, folder string) (err error) {
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var names, last []string
	err = fs.WalkDir(os.DirFS(folder), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || !e.Type().IsRegular():
		case name == runfolder.RunName:
			last = append(last, name)
		default:
			names = append(names, name)
		}
		return err
	})
	for _, name := range append(names, last...) {
		if err != nil {
			break
		}
		var file *os.File
		if file, err = os.Open(filepath.Join(folder, name)); err == nil {
			err = errors.Join(s.Create(ctx, name, file), file.Close())
		}
	}
	return err
}
