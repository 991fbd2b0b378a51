// Package store is a place that all shards of a run see: a folder that they share, or a bucket of an object store.
package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

// Store holds objects below one place. Errors are fs.ErrExist and fs.ErrNotExist where that is what happened.
type Store interface {
	// Write makes an object that is there whole or not at all. With fresh it fails where there is one.
	Write(ctx context.Context, key string, content io.Reader, fresh bool) error
	Read(ctx context.Context, key string) (io.ReadCloser, error)
	// List gives the objects whose keys begin with a prefix, in the order of their keys.
	List(ctx context.Context, prefix string) ([]Object, error)
	Remove(ctx context.Context, key string) error
	Close() error
}

// Object is one object of a store.
type Object struct {
	Key     string
	Size    int64
	Changed time.Time
}

// schemes that a build may have, with the tags that bring them.
var schemes = []struct{ scheme, tag string }{{"s3", "s3"}, {"gs", "gcs"}, {"azblob", "azblob"}}

// IsBucket reports whether a place is that of a bucket, not a folder.
func IsBucket(place string) bool {
	scheme, _, some := strings.Cut(place, "://")
	return some && scheme != "" && scheme != "file"
}

// Folder is the path of a place that is no bucket, which may begin with file://.
func Folder(place string) string { return strings.TrimPrefix(place, "file://") }

// Open opens a folder, or a place such as s3://bucket/folder?region=eu-west-1.
func Open(ctx context.Context, place string) (Store, error) {
	if !IsBucket(place) {
		return folder(Folder(place)), nil
	}
	u, err := url.Parse(place)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("expected the URL of a bucket such as s3://bucket/load, found %q", place)
	}
	at := slices.IndexFunc(schemes, func(s struct{ scheme, tag string }) bool { return s.scheme == u.Scheme })
	if at < 0 {
		return nil, fmt.Errorf("expected a folder, or a URL that begins with file://, s3://, gs:// or azblob://, found %q",
			place)
	}
	b, err := connect(ctx, u)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("%s: this gateassay was built without %s://; build it with go build -tags %s "+
			"./cmd/gateassay, or use the image of deploy/Dockerfile",
			place, u.Scheme, schemes[at].tag)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return b, nil
}

// Join is a place below another; what follows a question mark of a URL stays last.
func Join(place string, elements ...string) string {
	if !IsBucket(place) {
		return path.Join(append([]string{Folder(place)}, elements...)...)
	}
	base, query, some := strings.Cut(place, "?")
	base = strings.TrimRight(base, "/") + "/" + path.Join(elements...)
	if some {
		base += "?" + query
	}
	return base
}

// Dir is the place that another lies in.
func Dir(place string) string {
	if !IsBucket(place) {
		return path.Dir(Folder(place))
	}
	base, query, some := strings.Cut(place, "?")
	base = strings.TrimRight(base, "/")
	if at := strings.LastIndexByte(base, '/'); at > strings.Index(base, "://")+2 {
		base = base[:at]
	}
	if some {
		base += "?" + query
	}
	return base
}

// Create writes a small object that must not be there. Where a first try did reach a bucket, though its answer was
// lost, the object is found to be this very one: contents are to be unique.
func Create(ctx context.Context, s Store, key string, content []byte) error {
	err := s.Write(ctx, key, bytes.NewReader(content), true)
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
