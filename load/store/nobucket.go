//go:build !(s3 || gcs || azblob)

package store

import (
	"context"
	"errors"
	"net/url"
)

// connect fails: the plain binary knows no bucket, which keeps it small.
func connect(context.Context, *url.URL) (Store, error) { return nil, errors.ErrUnsupported }
