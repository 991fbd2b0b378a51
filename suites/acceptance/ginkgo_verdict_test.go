package acceptance

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/record"
)

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
			!strings.Contains(spec.Failure.Message, "/suites/internal/create/invalid_value_rules.go:") {
			t.Errorf("%s: %d attempts, %v, %s", spec.LeafNodeText, spec.NumAttempts, entries,
				spec.Failure.Message)
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
