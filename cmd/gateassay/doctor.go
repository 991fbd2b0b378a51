package main

import (
	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

func doctorCommand() *cobra.Command {
	var file string
	var route deployment.Route
	c := &cobra.Command{
		Use:   "doctor [-d FILE]",
		Short: "Check whether a deployment can be tested, and what would stay unverified",
		Long: `doctor checks the connection to a deployment (TLS, clock), tries each credential and what exports
can show of the fixtures, fetches one export file, and counts the rules that a run would verify.
It sends about a dozen requests. Where a shareholder is given, it creates one representative.

Exit codes: 0 it can be tested, 2 the deployment file cannot be used, 3 it cannot be tested.`,
		Example: `  gateassay doctor
  gateassay doctor -d staging.yaml`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return examine(c, file, route) },
	}
	deploymentFlag(c, &file, "deployment `FILE`; without it the embedded reference gateway is examined")
	routeFlags(c, &route)
	return c
}

func examine(c *cobra.Command, file string, route deployment.Route) error {
	ctx := c.Context()
	dep, done, err := openDeployment(ctx, file, route)
	if err != nil {
		return err
	}
	defer done()
	found, err := suites.Examine(ctx, suites.Options{Deployment: dep, DeploymentPath: file, Version: version()})
	if err != nil {
		return err
	}
	code, stdout := exitOK, c.OutOrStdout()
	switch {
	case ctx.Err() != nil:
		code = exitStopped
	case !found.Reachable:
		code = exitVerdict
	}
	return ending(code, view.WriteText(stdout, console.Examination(dep, found, file), styleOf(stdout)))
}
