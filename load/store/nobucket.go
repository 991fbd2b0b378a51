//go:build !buckets

package store

import (
	"context"
	"errors"
	"net/url"
)

// openBucket fails: the plain binary knows no bucket, which keeps it small.
func openBucket(context.Context, *url.URL) (Store, error) {
	return nil, errors.New("this gateassay was built without buckets; build it with go build " +
		"-tags buckets ./cmd/gateassay, or use the image of deploy/Dockerfile")
}
