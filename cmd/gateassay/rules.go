package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/catalogue"
	"github.com/gateassay/gateassay/suites"
)

func rulesCommand() *cobra.Command {
	var (
		format    string
		selection suites.Selection
	)
	c := &cobra.Command{
		Use:   "rules",
		Short: "Print the catalogue of rules",
		Long: `rules prints every rule that gateassay knows: its ID, how binding it is, what it states, where in the API
document it comes from, and what the deployment file must contain for it to be verified.`,
		Example: `  gateassay rules
  gateassay rules --suite export --level must
  gateassay rules --format json | jq -r '.[].id'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := selection.Of(suites.Catalogue())
			if err != nil {
				return err
			}
			return printAs(c.OutOrStdout(), format, catalogue.Entries(list),
				func() string { return catalogue.Table(list) }, func() string { return catalogue.Markdown(list) })
		},
	}
	flags := c.Flags()
	formatFlag(c, &format, "table", "json", "markdown")
	flags.StringArrayVar(&selection.Rules, "rule", nil, "only rules with this `ID` or pattern (repeatable)")
	flags.StringSliceVar(&selection.Suites, "suite", nil, "only these suites: "+strings.Join(rules.Suites(), ", "))
	flags.StringSliceVar(&selection.Levels, "level", nil, "only these levels: must, should, observe")
	ruleIDs(c, "rule")
	return c
}
