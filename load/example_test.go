package load_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/plan"
)

// A custom release gate sends load and reads the outcome. Here the reference gateway stands for
// a deployment.
func ExampleRun() {
	ctx := context.Background()
	gateway, err := reference.Start(ctx, "127.0.0.1:0", reference.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gateway.Close()
	file := gateway.Gateway.DeploymentYAML(gateway.URL)
	staging, err := deployment.Parse("staging.yaml", "", file, os.LookupEnv)
	if err != nil {
		fmt.Println(err)
		return
	}
	nightly, err := plan.Parse("plan.yaml", []byte("{rate: 50/s, duration: 1s, track_files: 0}"))
	if err != nil {
		fmt.Println(err)
		return
	}
	folder, err := os.MkdirTemp("", "load-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	result, err := load.Run(ctx, load.Options{
		Deployment: staging, Plan: nightly, Out: filepath.Join(folder, "run"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	q := result.Run.Requests
	fmt.Println(q.Sent, "sent,", q.FalseBlocks+q.MissedBlocks, "blocked or accepted wrongly")
	// Output: 50 sent, 0 blocked or accepted wrongly
}
