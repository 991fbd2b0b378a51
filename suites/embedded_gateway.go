package suites

import (
	"context"
	"fmt"
	"os"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
)

// EmbeddedGateway is a reference gateway on a free loopback port, and its deployment file.
type EmbeddedGateway struct {
	*reference.RunningGateway
	Deployment *deployment.File
}

// StartEmbedded starts the reference gateway that stands in when there is no deployment file.
func StartEmbedded(ctx context.Context) (*EmbeddedGateway, error) {
	return StartReference(ctx, reference.Options{Seed: 1})
}

// StartReference starts a reference gateway with options: a variant, or faults.
func StartReference(ctx context.Context, o reference.Options) (*EmbeddedGateway, error) {
	running, err := reference.Start(context.WithoutCancel(ctx), "127.0.0.1:0", o)
	if err != nil {
		return nil, fmt.Errorf("the embedded reference gateway could not start: %w", err)
	}
	dep, err := deployment.Parse("embedded", ".", running.Gateway.DeploymentYAML(running.URL),
		os.LookupEnv)
	if err != nil {
		running.Close()
		return nil, fmt.Errorf("the embedded reference gateway's own deployment file: %w", err)
	}
	return &EmbeddedGateway{running, dep}, nil
}
