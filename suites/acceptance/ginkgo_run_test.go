package acceptance

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// names returns the names of the entries of a folder.
func names(t *testing.T, folder string) []string {
	t.Helper()
	entries := testmust.Get(os.ReadDir(folder))(t)
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// verdicts returns the verdict of each must and should rule.
func verdicts(r record.Run) map[string]record.Verdict {
	all := map[string]record.Verdict{}
	for _, rule := range r.Rules {
		if rule.Level != string(rules.Observe) {
			all[rule.ID] = rule.Verdict
		}
	}
	return all
}

func same(t *testing.T, what string, got, want record.Run) {
	t.Helper()
	one, other := verdicts(got), verdicts(want)
	for id, v := range other {
		testmust.Equal(t, one[id], v, what, id)
	}
	testmust.Equal(t, len(one), len(other), what)
	testmust.Equal(t, got.Verdict, want.Verdict, what)
	testmust.Equal(t, len(got.Rules), len(want.Rules), what)
}

// conform runs the rules that match the patterns (default: all), as the gateassay command does.
func conform(t *testing.T, s *served, rules ...string) suites.RunResult {
	t.Helper()
	dep := testmust.Get(deployment.Load(s.file))(t)
	return run(t, suites.Options{
		Deployment: dep, Select: suites.Selection{Rules: rules},
		Render: func(folder string) error { return reports.Write(folder) },
	})
}

// The command, ginkgo and ginkgo -p write the same run, and the release gate reads it.
func leavesTheFolderOfARun(t *testing.T, b tools) {
	s := serve(t, reference.Options{Faults: []string{fault}})
	const rules, focus = "create.participation.*", `create\.participation\.`
	want := conform(t, s, rules)
	files := []string{
		"exchanges.har", "journal.ndjson", "junit.xml", "repeat", "report.html", "run.json",
		"summary.md",
	}
	policy := testmust.Get(gate.Parse("gate.yaml",
		[]byte("max_age: 1h\nconformance: {verified: ["+rules+"]}\n"), suites.Catalogue()))(t)
	plain := called{folder: filepath.Join(t.TempDir(), "run")}
	cmd := exec.CommandContext(t.Context(), b.suite, "-test.run=TestConformance", "-test.v",
		"-ginkgo.focus="+focus)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GATEASSAY_DEPLOYMENT="+s.file, "GATEASSAY_OUT="+plain.folder)
	said, _ := cmd.CombinedOutput() // the exit code is checked below
	plain.out, plain.code = string(said), cmd.ProcessState.ExitCode()
	for face, c := range map[string]called{
		"go test": plain, "ginkgo": b.call(t, s, "--focus="+focus),
		"ginkgo --procs=3": b.call(t, s, "--procs=3", "--focus="+focus),
	} {
		c.ended(t, 1)
		r := c.run(t)
		same(t, face, r, want.Run)
		if found := names(t, c.folder); !slices.Equal(found, files) ||
			!slices.Equal(found, names(t, want.Folder)) {
			t.Errorf("%s left %v", face, found)
		}
		if n := harEntries(t, c.folder); n != r.Run.Requests {
			t.Errorf("%s: %d exchanges are kept of %d requests", face, n, r.Run.Requests)
		}
		if d := gate.Decide(policy, []string{c.folder}, time.Now()); d.ExitCode() != 1 ||
			d.Verdict != gate.StateBlocked {
			t.Errorf("%s: the gate decides %+v", face, d.Findings)
		}
	}
}

// harEntries returns the exchanges of a run.
func harEntries(t *testing.T, folder string) int {
	t.Helper()
	data := testmust.Get(os.ReadFile(filepath.Join(folder, "exchanges.har")))(t)
	var har struct {
		Log struct {
			Entries []struct {
				Seq int `json:"_seq"`
			}
		}
	}
	testmust.Succeed(t, json.Unmarshal(data, &har))
	seen := map[int]bool{}
	for _, e := range har.Log.Entries {
		if seen[e.Seq] || e.Seq == 0 {
			t.Errorf("two exchanges have the number %d", e.Seq)
		}
		seen[e.Seq] = true
	}
	return len(har.Log.Entries)
}
