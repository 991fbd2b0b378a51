package control

import (
	"context"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// OneUser reports whether the token and the API key are known to be one user's: the deployment file does not say so. A
// valid export that is repeated by the key is blocked, or its file is given to the key.
func (c *Controls) OneUser(ctx context.Context) (bool, error) {
	first, err := c.Export.Get(ctx)
	if err != nil {
		return false, err
	}
	if blocked, err := c.KeyBlocked.Get(ctx); blocked || err != nil {
		return blocked, err
	}
	return c.GivenToKey(ctx, first.Exchange), nil
}

func (c *Controls) repeatByKey(ctx context.Context) (blocked bool, err error) {
	first, err := c.Export.Get(ctx)
	if err != nil {
		return false, err
	}
	x := c.t.StartExport(ctx, func() target.ExportCall {
		again := first.Sent
		again.Label, again.Credential = "valid export again, by the API key", c.t.Deployment.Credentials.APIKey
		return again
	})
	c.t.Disown(x)
	if ctx.Err() != nil {
		return false, spec.Interrupted
	}
	return x.Refusal() && target.AboutField(x), nil
}

// GivenToKey reports whether the file of an export by the token is given to the API key as well.
func (c *Controls) GivenToKey(ctx context.Context, export *client.Exchange) bool {
	id, named := target.FileID(export)
	if !named || c.t.Deployment.Export.File == nil {
		return false
	}
	const little = 1 << 10 // of the file is enough
	credentials := c.t.Deployment.Credentials
	if _, err := c.t.Client.FetchWith(ctx, id, credentials.Main(), client.FetchOptions{Most: little}); err != nil {
		return false // nobody gets it
	}
	_, err := c.t.Client.FetchWith(ctx, id, credentials.APIKey, client.FetchOptions{
		Most: little, Absent: func() time.Duration { return time.Millisecond },
	})
	return err == nil
}
