package cmd

import (
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

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
