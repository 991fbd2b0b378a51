package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/gateway/printable"
)

// widestHelp is how wide paragraphs of help get, in columns: longer lines are hard to read.
const widestHelp = 110

// helpFits makes the help of every command fit the terminal that it is printed on.
func helpFits(root *cobra.Command) {
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		columns := min(width(c.OutOrStdout())(), widestHelp)
		c.Long = reflow(c.Long, columns)
		wrapped := fmt.Sprintf(".FlagUsagesWrapped %d | ", columns)
		c.SetUsageTemplate(strings.ReplaceAll(c.UsageTemplate(), ".FlagUsages | ", wrapped))
		show(c, args)
	})
}

// reflow breaks the paragraphs of a text anew. Lines that begin with a blank are examples, and stay.
func reflow(text string, columns int) string {
	var lines, paragraph []string
	for line := range strings.SplitSeq(text+"\n", "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		if len(paragraph) > 0 {
			lines = append(lines, printable.Wrap(strings.Join(paragraph, " "), columns)...)
			paragraph = nil
		}
		lines = append(lines, line)
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
