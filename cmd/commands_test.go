package cmd

import (
	"bytes"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/testmust"
)

// commands returns a command and all its subcommands, without those of cobra.
func commands(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.Name() != "completion" && sub.Name() != "help" {
			all = append(all, commands(sub)...)
		}
	}
	return all
}

func TestHelpFitsTheTerminal(t *testing.T) {
	all := commands(rootCommand(Extensions{}))
	if len(all) < 20 {
		t.Fatalf("only %d commands", len(all))
	}
	for _, c := range all {
		name := c.CommandPath()
		root := rootCommand(Extensions{})
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetArgs(append(strings.Fields(name)[1:], "--help"))
		testmust.Succeed(t, root.Execute())
		if !strings.Contains(out.String(), "\nFlags:\n") {
			t.Fatalf("%s: no flags in\n%s", name, out.String())
		}
		for line := range strings.SplitSeq(out.String(), "\n") {
			if n := printable.Width(line); n > 100 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

// Examples are not wrapped, so they must fit 80 columns.
func TestExamplesFitEightyColumns(t *testing.T) {
	for _, c := range commands(rootCommand(Extensions{})) {
		at := map[int]bool{} // columns of the comments
		for line := range strings.SplitSeq(c.Long+"\n"+c.Example, "\n") {
			if !strings.HasPrefix(line, "  ") {
				continue
			}
			if n := printable.Width(line); n > 80 {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), n, line)
			}
			if comment := strings.Index(line, "  # "); comment > 0 {
				at[comment] = true
			}
		}
		if len(at) > 1 {
			t.Errorf("%s: comments begin in different columns: %v", c.CommandPath(), at)
		}
	}
}

func TestTheCommandThatRepeatsARunLeavesItsFolderAlone(t *testing.T) {
	for want, args := range map[string][]string{
		"gateassay conform -d staging.yaml --seed 7": {
			"gateassay", "conform", "-d", "staging.yaml", "--out",
			"a b", "--seed", "7",
		},
		"gateassay conform --rule " +
			"'export.*'": {"/usr/bin/gateassay", "conform", "--out=--out", "--rule", "export.*"},
		"gateassay conform --deployment 'it'\\''s.yaml'": {
			"gateassay", "conform", "--deployment", "it's.yaml",
			"--out", "--out",
		},
		"gateassay load run --rate 5/s --slo 'p99<300ms' ''": {
			"gateassay", "load", "run", "--rate", "5/s", "--slo",
			"p99<300ms", "",
		},
		"gateassay conform --outside": {"gateassay", "conform", "--outside"},
	} {
		testmust.Equal(t, commandLine(args), want)
	}
}

func TestReportServeAnswersOnlyToItsNames(t *testing.T) {
	for asked, c := range map[string]struct {
		at   string
		want []string
	}{
		"127.0.0.1:8090": {"127.0.0.1", []string{"127.0.0.1:8090", "127.0.0.1:8090", "localhost:8090"}},
		"localhost:0":    {"::1", []string{"[::1]:8090", "localhost:8090", "localhost:8090"}},
		"10.0.0.7:8090":  {"10.0.0.7", []string{"10.0.0.7:8090", "10.0.0.7:8090"}},
		":8090":          {"::", nil},
		"0.0.0.0:8090":   {"0.0.0.0", nil},
	} {
		if hosts := hostsOfListener(&net.TCPAddr{IP: net.ParseIP(c.at), Port: 8090},
			asked); !slices.Equal(hosts, c.want) {
			t.Errorf("%s: %q", asked, hosts)
		}
	}
}
