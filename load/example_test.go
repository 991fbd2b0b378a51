package load_test

import (
	"context"
	"fmt"
	"log"
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
	check(err)
	defer gateway.Close()
	file := gateway.Gateway.DeploymentYAML(gateway.URL)
	staging, err := deployment.Parse("staging.yaml", "", file, os.LookupEnv)
	check(err)
	nightly, err := plan.Parse("plan.yaml", []byte("{rate: 50/s, duration: 1s, track_files: 0}"))
	check(err)
	folder, err := os.MkdirTemp("", "load-*")
	check(err)
	defer os.RemoveAll(folder)
	result, err := load.Run(ctx, load.Options{
		Deployment: staging, Plan: nightly, Out: filepath.Join(folder, "run"),
	})
	check(err)
	q := result.Run.Requests
	fmt.Println(q.Sent, "sent,", q.FalseBlocks+q.MissedBlocks, "blocked or accepted wrongly")
	// Output: 50 sent, 0 blocked or accepted wrongly
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
