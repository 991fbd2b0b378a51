package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/printable"
)

func TestHelpFitsTheTerminal(t *testing.T) {
	root := rootCommand()
	var out bytes.Buffer
	root.SetOut(&out)
	for _, args := range [][]string{
		{"--help"},
		{"conform", "--help"},
		{"load", "run", "--help"},
		{"prove", "--help"},
		{"load", "kubernetes", "--help"},
	} {
		out.Reset()
		root.SetArgs(args)
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "\nFlags:\n") {
			t.Fatalf("%v: no flags in\n%s", args, out.String())
		}
		for line := range strings.SplitSeq(out.String(), "\n") {
			if n := printable.Columns(line); n > 100 {
				t.Errorf("%v: %d columns: %s", args, n, line)
			}
		}
	}
}

func TestReflowKeepsExamples(t *testing.T) {
	got := reflow("One sentence that\nruns on.\n\n  gateassay conform  # stays\n\nThe end.", 14)
	if want := "One sentence\nthat runs on.\n\n  gateassay conform  # stays\n\nThe end."; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
}
