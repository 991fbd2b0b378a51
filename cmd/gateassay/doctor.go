package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/doctor"
)

func doctorCommand() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Can this deployment be tested, and what would stay unverified?",
		Long: `doctor looks at the way to a deployment (name, TLS, clock), tries each credential and fixture, fetches one
export file, and tells which rules a run would verify. It sends about a dozen requests and, where a shareholder is
given, creates one representative.

Exit codes: 0 it can be tested, 2 the deployment file cannot be used, 3 it cannot be tested.`,
		Example: `  gateassay doctor
  gateassay doctor -d staging.yaml`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx := c.Context()
			var dep *deployment.File
			var err error
			if file != "" {
				if dep, err = deployment.Load(file); err != nil {
					return err
				}
			} else {
				embedded, err := suites.StartEmbedded(ctx)
				if err != nil {
					return err
				}
				defer embedded.Close()
				dep = embedded.Deployment
			}
			if err := client.SignIn(ctx, dep); err != nil {
				return err
			}
			gw, err := client.New(dep, client.Options{UserAgent: "gateassay/" + version()})
			if err != nil {
				return err
			}
			defer gw.Close()
			report := doctor.Examine(ctx, dep, gw)
			planned, err := suites.Preview(ctx, suites.Options{Deployment: dep})
			if err != nil {
				return err
			}
			w := bufio.NewWriter(c.OutOrStdout())
			fmt.Fprintf(w, "%s at %s\n\n", dep.Name, dep.BaseURL)
			printFindings(w, report)
			printCoverage(w, planned, report)
			if report.Created > 0 {
				fmt.Fprintf(w, "The examination created %d legal representative.\n", report.Created)
			}
			if !report.Reachable && ctx.Err() == nil {
				fmt.Fprintln(w, "This deployment cannot be tested.")
			}
			if err := w.Flush(); err != nil {
				return fmt.Errorf("what was found could not be printed: %w", err)
			}
			switch {
			case ctx.Err() != nil:
				return exitCode(130)
			case !report.Reachable:
				return exitCode(exitVerdict)
			}
			return nil
		},
	}
	c.Flags().StringVarP(&file, "deployment", "d", "", "deployment `FILE`; without it the embedded reference gateway is examined")
	filesOf(c, "deployment", []string{"yaml", "yml"})
	return c
}

func printFindings(w io.Writer, report doctor.Report) {
	topic := ""
	for _, f := range report.Findings {
		if f.Topic != topic {
			topic = f.Topic
			fmt.Fprintln(w, topic)
		}
		fmt.Fprintf(w, "  %-8s %-34s %s\n", f.State, f.Name, strings.Join(strings.Fields(f.Text), " "))
		if f.Do != "" && f.State != doctor.Absent {
			fmt.Fprintf(w, "  %-8s %-34s -> %s\n", "", "", f.Do)
		}
	}
	fmt.Fprintln(w)
}

// printCoverage tells how many rules a run would verify, and for the others what to add or to mend.
func printCoverage(w io.Writer, planned []suites.Planned, report doctor.Report) {
	type gap struct {
		absent bool
		why    string
		rules  int
	}
	gaps := map[string]*gap{}
	var keys []string
	open := 0
	leave := func(key, why string, absent bool) {
		if gaps[key] == nil {
			gaps[key] = &gap{absent: absent, why: why}
			keys = append(keys, key)
		}
		gaps[key].rules++
		open++
	}
	for _, p := range planned {
		if p.Need != "" {
			leave(p.Need, "", true)
			continue
		}
		if by := report.Blocked(p.Rule.Needs); by != nil {
			leave(by.Name, by.Text, false)
		}
	}
	if !report.Reachable {
		fmt.Fprintf(w, "0 of %d rules would be verified; %d have what they need in the deployment file.\n", len(planned), len(planned)-open)
	} else {
		fmt.Fprintf(w, "%d of %d rules would be verified.\n", len(planned)-open, len(planned))
	}
	for _, key := range keys {
		if g := gaps[key]; g.absent {
			fmt.Fprintf(w, "  add  %-40s to verify %d more\n", key, g.rules)
		} else {
			why, _, _ := strings.Cut(strings.Join(strings.Fields(g.why), " "), ": ")
			fmt.Fprintf(w, "  mend %-40s to verify %d more (%s)\n", key, g.rules, why)
		}
	}
}
