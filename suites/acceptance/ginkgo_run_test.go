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
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// names lists what a folder holds.
func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// verdicts gives the verdict of each rule but of those that are observed, for comparisons.
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
		if one[id] != v {
			t.Errorf("%s: %s is %q, expected %q", what, id, one[id], v)
		}
	}
	if len(one) != len(other) || got.Verdict != want.Verdict || len(got.Rules) != len(want.Rules) {
		t.Errorf("%s: %d rules, verdict %s; expected %d, %s",
			what, len(got.Rules), got.Verdict, len(want.Rules), want.Verdict)
	}
}

// conform runs the rules of the pattern, all without one, as the gateassay command does.
func conform(t *testing.T, s *served, rules ...string) suites.Result {
	t.Helper()
	dep, err := deployment.Load(s.file)
	if err != nil {
		t.Fatal(err)
	}
	return run(t, suites.Options{Deployment: dep, Render: derived.Files, Select: suites.Selection{Rules: rules}})
}

// Every face leaves the same folder, and the release gate reads it.
func leavesTheFolderOfARun(t *testing.T, b tools) {
	s := serve(t, reference.Options{Faults: []string{fault}})
	want := conform(t, s)
	files := names(t, want.Folder)
	all := []string{"exchanges.har", "journal.ndjson", "junit.xml", "report.html", "run.json", "summary.md"}
	if !slices.Equal(files, all) {
		t.Errorf("conform leaves %v", files)
	}

	c := b.call(t, s)
	c.ended(t, 1)
	same(t, "ginkgo", c.run(t), want.Run)

	plain := called{folder: filepath.Join(t.TempDir(), "run")}
	cmd := exec.CommandContext(t.Context(), b.suite, "-test.run=TestConformance", "-test.v", `-ginkgo.focus=create\.participation\.`)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GATEASSAY_DEPLOYMENT="+s.file, "GATEASSAY_OUT="+plain.folder)
	said, _ := cmd.CombinedOutput() // the exit code is looked at next
	plain.out, plain.code = string(said), cmd.ProcessState.ExitCode()
	plain.ended(t, 1)
	if r := plain.run(t); verdict(r, broken) != record.Fail || r.Counts.Fail != 1 {
		t.Errorf("go test: %s: %q, counts %+v", broken, verdict(r, broken), r.Counts)
	}

	policy, err := gate.Parse("gate.yaml", []byte("max_age: 1h\nconformance: {verified: [auth.*]}\n"),
		suites.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{c.folder, plain.folder} {
		if found := names(t, folder); !slices.Equal(found, files) {
			t.Errorf("left %v, conform %v", found, files)
		}
		d := gate.Decide(policy, []string{folder}, time.Now())
		if d.ExitCode() != 1 || d.Verdict != gate.Blocked {
			t.Errorf("the gate decides %+v", d.Findings)
		}
	}
}

// harEntries reads the exchanges of a run.
func harEntries(t *testing.T, folder string) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, "exchanges.har"))
	if err != nil {
		t.Fatal(err)
	}
	var har struct {
		Log struct {
			Entries []struct {
				Seq int `json:"_seq"`
			}
		}
	}
	if err := json.Unmarshal(data, &har); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, e := range har.Log.Entries {
		if seen[e.Seq] || e.Seq == 0 {
			t.Errorf("two exchanges have the number %d", e.Seq)
		}
		seen[e.Seq] = true
	}
	return len(har.Log.Entries)
}

// The rules are serial: of several processes the first runs them all, and leaves the run that one alone would.
func runsInOneProcess(t *testing.T, b tools) {
	s := serve(t, reference.Options{Faults: []string{fault}})
	want := conform(t, s, "create.participation.*")
	before := s.arrivals.Load()
	c := b.call(t, s, "--procs=3", "--focus="+`create\.participation\.`)
	c.ended(t, 1)
	r := c.run(t)
	same(t, "--procs=3", r, want.Run)
	if found := names(t, c.folder); !slices.Equal(found, names(t, want.Folder)) {
		t.Errorf("left %v", found)
	}
	if n := harEntries(t, c.folder); n != r.Run.Requests || int64(n) > s.arrivals.Load()-before {
		t.Errorf("%d exchanges are kept of %d requests; %d arrived", n, r.Run.Requests, s.arrivals.Load()-before)
	}
}
