// Package store keeps what shards write in a bucket of an object store, where all of them see it.
package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Bucket holds objects below one place. Errors are fs.ErrExist and fs.ErrNotExist where that is what happened.
type Bucket interface {
	// Write makes an object that is there whole or not at all. With fresh it fails where there is one.
	Write(ctx context.Context, key string, content io.Reader, fresh bool) error
	Read(ctx context.Context, key string) (io.ReadCloser, error)
	// List gives the objects whose keys begin with a prefix, in the order of their keys.
	List(ctx context.Context, prefix string) ([]Object, error)
	Remove(ctx context.Context, key string) error
	Close() error
}

// Object is one object of a bucket.
type Object struct {
	Key  string
	Size int64
}

// schemes that a build may have, with the tags that bring them.
var schemes = []struct{ scheme, tag string }{{"s3", "s3"}, {"gs", "gcs"}, {"azblob", "azblob"}}

// Is reports whether a place is that of a bucket, not a folder.
func Is(place string) bool {
	scheme, _, some := strings.Cut(place, "://")
	return some && scheme != ""
}

// Open opens a place such as s3://bucket/folder?region=eu-west-1.
func Open(ctx context.Context, place string) (Bucket, error) {
	u, err := url.Parse(place)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("expected the URL of a bucket such as s3://bucket/load, found %q", place)
	}
	at := slices.IndexFunc(schemes, func(s struct{ scheme, tag string }) bool { return s.scheme == u.Scheme })
	if at < 0 {
		return nil, fmt.Errorf("expected a folder, or a URL that begins with s3://, gs:// or azblob://, found %q",
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

// Join is a place below another; what follows a question mark stays last.
func Join(place string, elements ...string) string {
	base, query, some := strings.Cut(place, "?")
	base = strings.TrimRight(base, "/") + "/" + path.Join(elements...)
	if some {
		base += "?" + query
	}
	return base
}

// Dir is the place that another lies in.
func Dir(place string) string {
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
