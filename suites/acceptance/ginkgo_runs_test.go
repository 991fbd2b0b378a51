package acceptance

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2/types"

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

// A run without a verdict fails the Ginkgo suite, whatever the results of its specs.
func noVerdictIsAFailure(t *testing.T, b tools) {
	throttles := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer throttles.Close()
	for what, c := range map[string]struct{ file, why string }{
		"down":       {"base_url: http://127.0.0.1:9\n", "No connection to http://127.0.0.1:9"},
		"throttling": {"base_url: " + throttles.URL + "\n", "no verdict: "},
		"a bad file": {"base_url: nowhere\n", "the run did not start: "},
	} {
		s := &served{file: filepath.Join(t.TempDir(), "deployment.yaml")}
		testmust.Succeed(t,
			os.WriteFile(s.file, []byte("name: none\n"+c.file+"credentials: {api_key: abcdefgh12345678}\n"),
				0o600))
		called := b.call(t, s, "--junit-report=ginkgo.xml", "--focus=auth.bearer|export.range")
		called.ended(t, 1)
		r := called.report(t)
		last := r.SpecReports[len(r.SpecReports)-1]
		for _, spec := range r.SpecReports {
			if spec.LeafNodeText == "run.verdict" {
				last = spec
			} else if spec.State == types.SpecStateFailed {
				t.Errorf("%s: %s fails", what, spec.LeafNodeText)
			}
		}
		if r.SuiteSucceeded || last.State != types.SpecStateFailed ||
			!strings.Contains(last.Failure.Message, c.why) {
			t.Errorf("%s: succeeded %v, run.verdict: %s, %s", what, r.SuiteSucceeded, last.State,
				last.Failure.Message)
		}
		junit := string(testmust.Get(os.ReadFile(filepath.Join(called.dir, "ginkgo.xml")))(t))
		testmust.Contain(t, junit, `run.verdict" classname="gateassay" status="failed"`, what)
		testmust.Contain(t, junit, `failures="1"`, what)
	}
}

// A failed spec has the evidence in its report, and each attempt observes again.
func showsAndObservesAnew(t *testing.T, b tools) {
	s := serve(t, reference.Options{Faults: []string{fault}})
	once := conform(t, s, broken).Run
	sent := s.arrivals.Swap(0)
	twice := b.call(t, s, "--focus="+broken, "--flake-attempts=2")
	twice.ended(t, 1)
	if again := s.arrivals.Load(); again <= sent {
		t.Errorf("%d requests for one attempt, %d for two", sent, again)
	}
	if r := twice.run(t); r.Counts.Fail != 1 || len(r.Rules[0].Checks) != len(once.Rules[0].Checks) {
		t.Errorf("%+v", r.Counts)
	}
	failed := 0
	for _, spec := range twice.specs(t) {
		if spec.State != types.SpecStateFailed {
			continue
		}
		failed++
		entries := map[string]string{}
		for _, e := range spec.ReportEntries {
			entries[strings.Fields(e.Name)[0]] = e.StringRepresentation()
		}
		if spec.NumAttempts != 2 || !strings.Contains(entries["sent"], "POST ") ||
			entries["expected"] == "" || !strings.Contains(entries["exchange"], "201") ||
			!strings.HasPrefix(entries["script"], "#!/usr/bin/env bash") ||
			spec.Failure.Location.String() != spec.LeafNodeLocation.String() {
			t.Errorf("%s: %d attempts, %v, failed at %s", spec.LeafNodeText, spec.NumAttempts, entries,
				spec.Failure.Location)
		}
	}
	if failed == 0 {
		t.Error("no spec failed")
	}
}

// go test does not cache the result. (It never caches with a flag of Ginkgo.)
func isNotCached(t *testing.T, b tools) { b.goTest(t, filepath.Join(t.TempDir(), "again")) }

// A release gate can be its own Ginkgo suite, with BeforeSuite, specs and decorators next to the
// rules. The other tests of docs/release-gate run with it.
func standsBesideOthers(t *testing.T, _ tools) {
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-count=1", ".",
		"-ginkgo.json-report="+dir+"/ginkgo.json", "-ginkgo.label-filter=house || auth")
	cmd.Dir = filepath.Join("..", "..", "docs", "release-gate")
	cmd.Env = append(os.Environ(), "GATEASSAY_OUT="+filepath.Join(dir, "run"))
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	c := called{dir: dir, folder: filepath.Join(dir, "run")}
	states := map[string]types.SpecState{}
	for _, spec := range c.report(t).SpecReports {
		states[spec.LeafNodeText] = spec.State
	}
	for text, want := range map[string]types.SpecState{
		"was started": types.SpecStatePassed,
		"uses By, DeferCleanup and a global Expect": types.SpecStatePassed,
		"is skipped by Skip":                        types.SpecStateSkipped,
		"is pending":                                types.SpecStatePending,
		"run.verdict":                               types.SpecStatePassed,
	} {
		testmust.Equal(t, states[text], want, text)
	}
	r := c.run(t)
	if verdict(r, "house.export.source") != record.VerdictPass || r.Counts.Fail > 0 || r.Run.Embedded {
		t.Errorf("%+v", r.Counts)
	}
}
