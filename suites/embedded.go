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
	Deployment *deployment.File
	running    *reference.Running
}

// Close stops the gateway.
func (e *EmbeddedGateway) Close() { e.running.Close() }

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
	dep, err := fileOf(running.Gateway, running.URL)
	if err != nil {
		running.Close()
		return nil, err
	}
	return &EmbeddedGateway{Deployment: dep, running: running}, nil
}

// fileOf reads the deployment file of a reference gateway.
func fileOf(g *reference.Gateway, url string) (*deployment.File, error) {
	dep, err := deployment.Parse("embedded", ".", g.DeploymentYAML(url), os.LookupEnv)
	if err != nil {
		return nil, fmt.Errorf("the embedded reference gateway's own deployment file: %w", err)
	}
	return dep, nil
}

// embeddedFile is the deployment file of the gateway that StartEmbedded would start; its port is not known yet.
func embeddedFile() (*deployment.File, error) {
	g, err := reference.New(reference.Options{Seed: 1})
	if err != nil {
		return nil, fmt.Errorf("the embedded reference gateway: %w", err)
	}
	return fileOf(g, "http://127.0.0.1")
}
