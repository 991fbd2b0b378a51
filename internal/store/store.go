// Package store accesses places that all shards of a run share: a folder or a bucket.
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

// A Store holds objects below one place. Its errors wrap fs.ErrExist and fs.ErrNotExist where
// they apply.
type Store interface {
	// Create makes an object atomically. It returns fs.ErrExist if there is one.
	Create(ctx context.Context, key string, content io.Reader) error
	Read(ctx context.Context, key string) (io.ReadCloser, error)
	// List returns the objects whose keys begin with a prefix.
	List(ctx context.Context, prefix string) ([]Object, error)
	Close() error
}

// An Object is one object of a store.
type Object struct {
	Key     string
	Changed time.Time
}

// IsBucket reports whether a place is in a bucket, not a folder.
func IsBucket(place string) bool { return strings.Contains(place, "://") }

// Buckets opens a place in a bucket by URL, such as s3://bucket/folder?region=eu-west-1. Nil
// opens none.
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

// JoinPlace returns a place below another, or above it with "..". The query of a URL stays last.
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

// CreateSmall creates a small object with unique content. If the client retried after a lost
// answer, the object exists; equal content shows that it is this one, so that is no error.
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

// A folderStore is a Store in a file system that creates names exclusively: a local one, NFS,
// CephFS or SMB.
type folderStore string

// Create writes a temporary file, then takes the name with a link. Without links, as on SMB
// shares, it takes the name with an empty file and replaces it.
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

// List opens each file, because a shared folder may otherwise show an old time for a file that
// another machine writes.
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

// OpenRunFolder returns the local folder to write a run to, and finish, to be called afterwards.
// If place is a folder, it is that folder. If place is in a bucket, it must be empty: finish
// uploads the files, run.json last, so that it exists only if the others do, and removes the
// folder. On failure the folder stays, and the error names it.
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

// uploadFolder copies the files of a folder to a store, run.json last. It does nothing without a
// folder, as after a UsageError.
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
