package client

import (
	"context"
	"math"
)

type exclusiveKey struct{}

// HoldExports waits until no export is in flight and holds back all others until release is
// called. Exports sent with the returned context, and all other operations, are not held back.
// While holding, wait for nothing that sends exports with another context. The error is that of
// ctx.
func (c *Client) HoldExports(ctx context.Context) (own context.Context, release func(), err error) {
	if err := c.exports.Acquire(ctx, math.MaxInt64); err != nil {
		return nil, nil, err
	}
	return context.WithValue(ctx, exclusiveKey{}, true),
		func() { c.exports.Release(math.MaxInt64) }, nil
}
