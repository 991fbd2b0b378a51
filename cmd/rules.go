package cmd

import (
	"io"

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
		Use: "rules [ID]", Args: cobra.MaximumNArgs(1),
		Short: "Print the catalogue of rules, or explain one of them",
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			return explainRule(c, args[0])
		}
		list, err := selection.SelectFrom(suites.Catalogue())
		if err != nil {
			return err
		}
		switch stdout := c.OutOrStdout(); format {
		case "json":
			return printJSON(stdout, catalogue.WithNeedsLists(list))
		case "markdown":
			_, err = io.WriteString(stdout, catalogue.Markdown(list))
			return err
		default:
			return view.WriteText(stdout, catalogue.TextTable(list), listStyle(stdout))
		}
	}
	formatFlag(c, &format, "table", "json", "markdown")
	selectionFlags(c, &selection)
	c.ValidArgsFunction = completeRules
	return c
}

func explainRule(c *cobra.Command, id string) error {
	if c.Flags().NFlag() > 0 {
		return usageErrorf("rules %s: one rule is explained without flags", id)
	}
	r, err := suites.FindRule(id)
	if err != nil {
		return err
	}
	var cases []string
	for _, k := range r.Cases {
		cases = append(cases, k.Text)
	}
	stdout := c.OutOrStdout()
	_, err = io.WriteString(stdout,
		catalogue.Explain(r.Rule, cases, r.ViolatedWhen, min(terminalWidth(stdout), 110)))
	return err
}
