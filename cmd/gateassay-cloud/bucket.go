package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	_ "gocloud.dev/blob/s3blob"    // s3://
	"gocloud.dev/gcerrors"

	"github.com/gateassay/gateassay/internal/store"
)

// openBucket opens the bucket of a URL. The path of the URL is the prefix of all keys.
func openBucket(ctx context.Context, u *url.URL) (store.Store, error) {
	bare := *u
	bare.Path, bare.RawPath = "", ""
	b, err := blob.OpenBucket(ctx, bare.String())
	if err != nil {
		return nil, err
	}
	if prefix := strings.Trim(u.Path, "/"); prefix != "" {
		b = blob.PrefixedBucket(b, prefix+"/")
	}
	return &bucket{b}, nil
}

type bucket struct{ *blob.Bucket }

func (b *bucket) Create(ctx context.Context, key string, content io.Reader) error {
	ctx, cancel := context.WithCancel(ctx) // cancels an incomplete upload
	defer cancel()
	w, err := b.NewWriter(ctx, key,
		&blob.WriterOptions{IfNotExist: true, ContentType: "application/octet-stream"})
	if err != nil {
		return toFSError(key, err)
	}
	if _, err := io.Copy(w, content); err != nil {
		cancel()
		_ = w.Close()
		return toFSError(key, err)
	}
	return toFSError(key, w.Close())
}

func (b *bucket) Read(ctx context.Context, key string) (io.ReadCloser, error) {
	r, err := b.NewReader(ctx, key, nil)
	if err != nil {
		return nil, toFSError(key, err)
	}
	return r, nil
}

func (b *bucket) List(ctx context.Context, prefix string) ([]store.Object, error) {
	var all []store.Object
	for list := b.Bucket.List(&blob.ListOptions{Prefix: prefix}); ; {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, toFSError(prefix, err)
		}
		all = append(all, store.Object{Key: o.Key, Changed: o.ModTime})
	}
}

// toFSError converts an error to its io/fs equivalent.
func toFSError(key string, err error) error {
	switch gcerrors.Code(err) {
	case gcerrors.OK:
		return nil
	case gcerrors.FailedPrecondition, gcerrors.AlreadyExists:
		return fmt.Errorf("%s: %w", key, fs.ErrExist)
	case gcerrors.NotFound:
		return fmt.Errorf("%s: %w", key, fs.ErrNotExist)
	}
	return fmt.Errorf("%s: %w", key, err)
}
