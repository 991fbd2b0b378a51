package suites_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites"
)

// A custom release gate tests a deployment and reads the verdict. Here the embedded gateway stands
// for the deployment.
func ExampleRun() {
	folder, err := os.MkdirTemp("", "run-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	result, err := suites.Run(context.Background(), suites.Options{
		Out: filepath.Join(folder, "run"), Select: suites.Selection{Rules: []string{"create.body.*"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Run.Verdict, "exit code", result.ExitCode(true))
	// Output: passed exit code 0
}

// A Ginkgo suite has the rules as specs, next to its own.
func ExampleRegister() {
	gate := func(t *testing.T) { // a test of go test
		RegisterFailHandler(Fail)
		suites.Register(suites.Options{
			ProvideDeployment: func(context.Context) (*deployment.File, error) {
				return deployment.Load("staging.yaml") // or one that BeforeSuite starts
			},
		})
		RunSpecs(t, "release gate")
	}
	_ = gate
}
