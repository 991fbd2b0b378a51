package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/reports/catalogue"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
)

func rulesCommand() *cobra.Command {
	var (
		format    string
		selection suites.Selection
	)
	c := &cobra.Command{
		Use:   "rules [ID]",
		Short: "Print the catalogue of rules, or explain one of them",
		Long: `rules prints every rule that gateassay knows: its ID, how binding it is, what it states, where in
the API document it comes from, and what the deployment file must contain for it to be verified.
With an ID it explains that rule: the cases that verify it, and how it is run alone and waived.`,
		Example: `  gateassay rules
  gateassay rules export.range.end_exclusive
  gateassay rules --suite export --level must
  gateassay rules --format json | jq -r '.[].id'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return explainRule(c, args[0])
			}
			list, err := selection.Of(suites.Catalogue())
			if err != nil {
				return err
			}
			stdout := c.OutOrStdout()
			return printAs(stdout, format, catalogue.Entries(list),
				func() string {
					var text strings.Builder
					_ = view.WriteText(&text, catalogue.Table(list), wholly(stdout)) // a Builder takes everything
					return text.String()
				},
				func() string { return catalogue.Markdown(list) })
		},
	}
	formatFlag(c, &format, "table", "json", "markdown")
	selectionFlags(c, &selection)
	c.ValidArgsFunction = completing(suites.Catalogue, idAndStatement)
	return c
}

func explainRule(c *cobra.Command, id string) error {
	if c.Flags().NFlag() > 0 {
		return misuse("rules %s: one rule is explained without flags", id)
	}
	r, err := suites.Find(id)
	if err != nil {
		return err
	}
	var cases []string
	for _, k := range r.Cases {
		cases = append(cases, k.Text)
	}
	_, err = io.WriteString(c.OutOrStdout(), catalogue.Explain(r.Rule, cases, r.Broken, min(width(c.OutOrStdout()), 110)))
	return err
}
