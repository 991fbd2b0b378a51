package acceptance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/reference"
)

// Specs of somebody else in the same process, before the rules and behind them, end as they would alone, and the rules
// come out as they do alone.
func TestSpecsOfOthersAreLeftAlone(t *testing.T) {
	b := build(t, "-overlay="+overlay(t))
	s := serve(t, reference.Options{Faults: []string{fault}})
	alone := conform(t, s, "create.participation.*")

	const both = `--focus=strangers|create\.participation\.`
	c := b.call(t, s, between(t, b, s), both)
	c.ended(t, 1)
	same(t, "beside others", c.run(t), alone.Run)

	ends := map[string]types.SpecState{
		"passes": types.SpecStatePassed, "fails by Gomega": types.SpecStateFailed,
		"fails by Ginkgo":            types.SpecStateFailed,
		"fails by a matcher of ours": types.SpecStateFailed, "panics": types.SpecStatePanicked,
		"skips": types.SpecStateSkipped, "passes again": types.SpecStatePassed,
		"is pending": types.SpecStatePending,
	}
	found := 0
	for _, spec := range c.specs(t) {
		if !strings.HasPrefix(spec.FullText(), "strangers") {
			continue
		}
		found++
		if spec.State != ends[spec.LeafNodeText] {
			t.Errorf("%s ended as %s: %s", spec.FullText(), spec.State, spec.Failure.Message)
		}
		for _, entry := range spec.ReportEntries {
			if entry.Name == "gateassay" {
				t.Errorf("%s has an entry of ours", spec.FullText())
			}
		}
	}
	if found != 2*len(ends) {
		t.Errorf("%d specs of others ran", found)
	}

	// They may run without the rules; then there is no run to record.
	others := b.call(t, s, "--focus=strangers of", "--skip=fails|panics")
	others.ended(t, 0)
	if _, err := os.Stat(others.folder); !os.IsNotExist(err) {
		t.Errorf("a folder was made without a rule: %v", err)
	}
}

// overlay adds the specs of others to the tests of the suites.
func overlay(t *testing.T) string {
	t.Helper()
	path := func(parts ...string) string {
		whole, err := filepath.Abs(filepath.Join(parts...))
		if err != nil {
			t.Fatal(err)
		}
		return whole
	}
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{
		path("..", "strangers_test.go"): path("testdata", "strangers.go.txt"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// between finds a seed by which Ginkgo, which shuffles what stands at the top, puts the rules between the specs of
// others.
func between(t *testing.T, b tools, s *served) string {
	t.Helper()
	for n := range 30 {
		seed := fmt.Sprintf("--seed=%d", n+1)
		specs := b.call(t, s, seed, "--dry-run", `--focus=strangers|create\.participation\.`).specs(t)
		first, last := specs[0].FullText(), specs[len(specs)-1].FullText()
		if strings.HasPrefix(first, "strangers") && strings.HasPrefix(last, "strangers") {
			return seed
		}
	}
	t.Fatal("no seed puts the rules between the specs of others")
	return ""
}
