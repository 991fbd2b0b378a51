package cmd

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

func doctorCommand() *cobra.Command {
	var file, format string
	var route deployment.Route
	var github bool
	c := &cobra.Command{
		Use:   "doctor [-d FILE]",
		Short: "Check whether a deployment can be tested, and what would stay unverified",
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		return examine(c, file, format, route, github)
	}
	deploymentFlag(c, &file,
		"deployment `FILE`; without it the embedded reference gateway is examined")
	routeFlags(c, &route)
	formatFlag(c, &format, "text", "json", "junit", "github")
	githubFlag(c, &github)
	return c
}

func examine(c *cobra.Command, file, format string, route deployment.Route, github bool) error {
	ctx := c.Context()
	dep, done, err := openDeployment(ctx, file, route)
	if err != nil {
		return err
	}
	defer done()
	found, err := suites.Examine(ctx,
		suites.Options{Deployment: dep, DeploymentPath: file, Version: buildVersion()})
	if err != nil {
		return err
	}
	code, stdout := exitOK, c.OutOrStdout()
	switch {
	case ctx.Err() != nil:
		code = exitInterrupted
	case !found.Reachable:
		code = exitNoVerdict
	}
	examined := console.NewExaminationReport(dep, found, file)
	report := examined.Report()
	if github {
		if err := printAnnotations(c.ErrOrStderr(), format, examined.Annotations(),
			view.WriteMarkdown(report)); err != nil {
			return err
		}
	}
	switch format {
	case "json":
		err = printJSON(stdout, examined)
	case "junit":
		var data []byte
		if data, err = examined.JUnit(); err == nil {
			_, err = stdout.Write(data)
		}
	case "github":
		_, err = io.WriteString(stdout, examined.Annotations())
	default:
		err = view.WriteText(stdout, report, reportStyle(stdout))
	}
	return exitError(code, err)
}
