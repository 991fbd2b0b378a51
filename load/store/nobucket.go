//go:build !buckets

package store

import (
	"context"
	"errors"
	"net/url"
)

// connect fails: the plain binary knows no bucket, which keeps it small.
func connect(context.Context, *url.URL) (Store, error) {
	return nil, errors.New("this gateassay was built without buckets; build it with go build " +
		"-tags buckets ./cmd/gateassay, or use the image of deploy/Dockerfile")
}
