//go:build !race

package proof_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/proofpage"
	"github.com/gateassay/gateassay/suites/proof"
)

// seeds is the number of seeds for the healthy gateway.
const seeds = 25

// TestTheWholeMatrix runs the suites against every fault, against the healthy gateway with many
// seeds, and against every conforming variant, all concurrently. With -short it takes a sample.
func TestTheWholeMatrix(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	started := time.Now()
	all := subjects()
	if testing.Short() {
		all = sample(t, all)
	}
	findings := testmust.Get(runCase(t.Context(), all))(t)
	var plain, conditioned []proof.GatewayCaseResult
	for _, f := range findings {
		switch {
		case f.Subject.Fault.Name == "":
			sound(t, f)
			continue
		case f.Subject.Fault.Partner == "":
			plain = append(plain, f)
		default:
			conditioned = append(conditioned, f)
		}
		harmless(t, f)
	}
	if !testing.Short() {
		frozen(t, plain)
	}
	if len(conditioned) > 0 {
		mostConditions(t, proof.NewMatrix(conditioned))
	}
	m := proof.NewMatrix(plain)
	m.Score.Unproven = nil // some rules need a condition: all faults together are checked below
	t.Logf("%s", proofpage.FormatScore(m.Score))
	t.Logf("%d gateways in %s", len(all), time.Since(started).Round(time.Second))
	for _, row := range m.Rows {
		if !row.Killed {
			t.Errorf("%s survives: the gateway %s, but %s does not fail: %s (failed: %v)", row.Fault,
				row.Statement,
				row.Rule, row.Reason, row.Failed)
		}
	}
	repeated(t, m)
	most := 1.3          // a wrong value breaks the rules of its field and of its class
	if testing.Short() { // a sample varies
		most = 1.5
	}
	if m.Score.FailedMean >= most {
		t.Errorf("a fault fails %.2f rules on average, expected fewer than %.2f", m.Score.FailedMean,
			most)
	}
	if 10*m.Score.Precise < 9*m.Score.Faults {
		t.Errorf("%d of %d faults are precise, expected 90 %%", m.Score.Precise, m.Score.Faults)
	}
	page := testmust.Get(os.ReadFile("../../docs/proof.md"))(t)
	if *update {
		write(t, "../../docs/proof.md", proofpage.RenderMarkdown(m))
		return
	}
	for _, f := range reference.Faults() {
		if f.Partner == "" && !strings.Contains(string(page), "`"+f.Name+"`") {
			t.Errorf("docs/proof.md is stale, make generate renews it: it lacks %s", f.Name)
		}
	}
	if testing.Short() {
		return
	}
	for _, rule := range proof.NewMatrix(append(plain, conditioned...)).Score.Unproven {
		t.Errorf("no fault was seen to break %s", rule)
	}
	score, _, _ := strings.Cut(proofpage.FormatScore(m.Score), ",")
	testmust.Contain(t, string(page),
		"\n**"+score+",", "docs/proof.md is stale, make generate renews it: the score", score)
}

// repeated fails the test if a first headline's script does not confirm the fault.
func repeated(t *testing.T, m proof.Matrix) {
	t.Helper()
	for _, row := range m.Rows {
		if row.Killed && row.ScriptResult != proof.ScriptConfirmed && unrepeatable[row.Fault] == "" {
			t.Errorf("the script of %s does not repeat it: %s", row.Fault, row.ScriptResult)
		}
	}
}

// unrepeatable lists faults that no script of a few requests can show, with the reason.
var unrepeatable = map[string]string{
	"create.success.steady_500":       "it befalls one request in many",
	"create.success.refused_in_turn":  "it befalls one request in many",
	"export.success.steady_500":       "it befalls one request in many",
	"export.range.undated_kept":       "in health the same row is there, with its settled date",
	"export.range.undated_by_created": "in health the same row is there, with its settled date",
	"export.range.file_of_the_second": "it takes two exports that start in one second",
}

// mostConditions fails the test unless a run finds nearly all faults that need a condition.
func mostConditions(t *testing.T, m proof.Matrix) {
	t.Helper()
	t.Logf("under a condition: %s", proofpage.FormatScore(m.Score))
	for _, row := range m.Rows {
		if !row.Killed {
			t.Logf("%s is not met: %s", row.Fault, row.Reason)
		}
	}
	few := 0
	if testing.Short() { // a small sample may miss one
		few = 1
	}
	if 100*(m.Score.Killed+few) < 95*m.Score.Faults {
		t.Errorf("%d of %d faults under a condition are found, expected 95 %%", m.Score.Killed,
			m.Score.Faults)
	}
}

var update = flag.Bool("update", false,
	"write the pages and data that are made from the proof of plain faults, and try no others")

// Files that make generate writes from the proof of plain faults.
const (
	frozenFile     = "testdata/frozen.tsv"
	dictionaryFile = "../../internal/knownfaults/dictionary.json"
)

// frozen compares the results with the frozen ones, by fault.
func frozen(t *testing.T, broken []proof.GatewayCaseResult) {
	t.Helper()
	if *update {
		write(t, dictionaryFile, dictionary(broken))
	}
	text := testmust.Get(os.ReadFile(frozenFile))(t)
	was := map[string]string{}
	for line := range strings.Lines(string(text)) {
		fault, _, _ := strings.Cut(line, "\t")
		was[fault] = strings.TrimSuffix(line, "\n")
	}
	var lines strings.Builder
	for _, f := range broken {
		is, before := freeze(f), was[f.Subject.Fault.Name]
		fmt.Fprintln(&lines, is)
		switch {
		case before == "" || is == before:
		case worse(f, before):
			t.Errorf("worse: %s, was %s", is, before)
		default:
			t.Logf("other: %s, was %s", is, before)
		}
	}
	if *update {
		write(t, frozenFile, lines.String())
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	testmust.Succeed(t, os.WriteFile(file, []byte(text), 0o644))
}

// runCase runs the subjects. If the rules of a fault's own topic miss it, it runs all rules,
// because some examine the requests of others.
func runCase(ctx context.Context, all []proof.GatewayCase) ([]proof.GatewayCaseResult, error) {
	findings, err := proof.RunSuites(ctx, all, 0)
	if err != nil {
		return nil, err
	}
	var again []proof.GatewayCase
	var at []int
	for i, f := range findings {
		if s := f.Subject; s.OwnTopic && !f.Killed() {
			s.OwnTopic = false
			again, at = append(again, s), append(at, i)
		}
	}
	more, err := proof.RunSuites(ctx, again, 0)
	for i, f := range more {
		findings[at[i]] = f
	}
	return findings, err
}

// subjects returns all gateways, the slowest first. With -update, faults that need a condition are
// left out.
func subjects() []proof.GatewayCase {
	var slow, quick []proof.GatewayCase
	for _, f := range reference.Faults() {
		s := proof.GatewayCase{Fault: f, Seed: 1}
		switch {
		case *update && f.Partner != "":
		case f.Rule == "export.file.retrievable" || f.Rule == "replay.late":
			slow = append(slow, s)
		default:
			quick = append(quick, s)
		}
	}
	for _, v := range reference.Variants() {
		s := proof.GatewayCase{
			Variant: v.Name, Choices: v.Choices, Seed: 2,
			ManyCreations: v.Name == "lax", // each value that it takes for what it means is a creation
		}
		if v.Choices.Latency > 0 || v.Choices.FileDelay > time.Second {
			slow = append(slow, s)
		} else {
			quick = append(quick, s)
		}
	}
	for seed := range int64(seeds) {
		quick = append(quick, proof.GatewayCase{Seed: seed + 1})
	}
	return append(slow, quick...)
}
