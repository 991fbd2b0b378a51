package cmd

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/load"
	"github.com/gateassay/gateassay/load/plan"
)

func loadTargetsCommand() *cobra.Command {
	var f loadFlags
	var secret bool
	c := &cobra.Command{
		Use:   "targets",
		Short: "Print the requests of a plan for vegeta attack",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.file == "" {
				return usageErrorf("--deployment: whom should vegeta send to? The embedded gateway is gone " +
					"when this command ends; gateassay serve starts one that stays")
			}
			f.quiet = true
			o, done, err := f.options(c)
			if err != nil {
				return err
			}
			defer done()
			if secret && !isPipe(c.OutOrStdout()) {
				return usageErrorf("--credentials: they go into a pipe alone; end the line with | vegeta " +
					"attack -format=json")
			}
			if secret {
				if err := client.ObtainCredentials(c.Context(), o.Deployment); err != nil {
					return err
				}
			}
			return load.WriteTargets(c.Context(), o, c.OutOrStdout(), secret)
		},
	}
	deploymentFlag(c, &f.file, "deployment `FILE`, which must allow load")
	c.Flags().StringVar(&f.plan, "plan", "", "`FILE` that says what to send; flags below override it")
	c.Flags().BoolVar(&secret, "credentials", false, "with credentials, for a pipe to vegeta attack")
	plan.AddFlags(c.Flags())
	return c
}

func isPipe(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	about, err := f.Stat()
	return err == nil && about.Mode()&os.ModeNamedPipe != 0
}
