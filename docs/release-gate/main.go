// Command release-gate shows how a release gate in another module uses gateassay as a library.
// It tests a deployment against the rules of the API document and house rules (house_rules.go),
// leaves the same folder as the gateassay command and ends with the same exit codes.
//
//	go run . staging.yaml     # a deployment of your own
//	go run .                  # the embedded reference gateway
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	path := ""
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	code, err := gate(ctx, os.Stdout, path, suites.Selection{}, "")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	stop()
	os.Exit(code)
}

// gate tests the deployment of a file and lists every must rule that blocks a release.
func gate(
	ctx context.Context, w io.Writer, path string, selection suites.Selection, out string,
) (int, error) {
	o := suites.Options{Select: selection, Out: out, DeclareRules: declareHouseRules}
	if path != "" {
		dep, err := deployment.Load(path)
		if err != nil {
			return 2, err
		}
		o.Deployment, o.DeploymentPath = dep, path
	}
	result, err := suites.Run(ctx, o)
	if err != nil {
		return 2, err
	}
	if err := reports.Write(result.Folder); err != nil { // report.html, junit.xml, summary.md
		return 4, err
	}
	for _, r := range result.Run.Rules {
		if r.Level == "must" && r.Verdict != record.VerdictPass && r.Verdict != record.VerdictWaived {
			fmt.Fprintf(w, "%-14s %s: %s\n", r.Verdict, r.ID, r.Reason)
		}
	}
	fmt.Fprintf(w, "%s: %s\n%s\n", result.Run.Verdict, result.Run.Reason, result.Folder)
	return result.ExitCode(true), nil
}
