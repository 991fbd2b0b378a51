package gate_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// catalogue is built once, because it takes time.
var catalogue = sync.OnceValue(suites.Catalogue)

// now is the time of every decision in the tests, one hour after the runs.
var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var finished = now.Add(-time.Hour)

// conformance returns a run of every rule of the catalogue. The changes edit it before it is judged.
func conformance(changes ...func(*record.UnjudgedRun)) record.Run {
	f := record.UnjudgedRun{
		Info: record.RunInfo{
			ID: "run-a", Deployment: "staging", BaseURL: "https://staging.example", Depth: deployment.DepthStandard,
			StartedAt: finished.Add(-time.Minute), FinishedAt: finished, Seed: 1,
		},
		Catalogue: catalogue(),
	}
	for _, r := range f.Catalogue {
		c := record.CheckResult{
			Rule: r.ID, Name: "holds", Verdict: record.VerdictPass, Exchanges: []int{1},
		}
		if r.Level == rules.Observe {
			c.Verdict, c.Message = record.VerdictObserved, "as before"
		}
		f.Checks = append(f.Checks, c)
	}
	for _, change := range changes {
		change(&f)
	}
	return record.Assemble(f)
}

// set sets the verdict of a rule's check.
func set(id string, v record.Verdict) func(*record.UnjudgedRun) {
	return func(f *record.UnjudgedRun) {
		for i := range f.Checks {
			if f.Checks[i].Rule == id {
				f.Checks[i].Verdict, f.Checks[i].Message = v, "because"
				return
			}
		}
		panic("no rule " + id)
	}
}

// as sets the level and the security mark of a rule.
func as(id string, level rules.Level, security bool) func(*record.UnjudgedRun) {
	return func(f *record.UnjudgedRun) {
		f.Catalogue = slices.Clone(f.Catalogue)
		for i := range f.Catalogue {
			if f.Catalogue[i].ID == id {
				f.Catalogue[i].Level, f.Catalogue[i].Security = level, security
				return
			}
		}
		panic("no rule " + id)
	}
}

func waive(id string, until time.Time) func(*record.UnjudgedRun) {
	return func(f *record.UnjudgedRun) {
		set(id, record.VerdictFail)(f)
		f.Waivers = append(f.Waivers, deployment.Waiver{Rule: id, Reason: "GW-1", Until: until})
	}
}

// loaded returns a load run that passed.
func loaded(changes ...func(*results.Run)) results.Run {
	r := results.Run{
		Schema: results.Schema,
		Run: results.RunInfo{
			ID: "load-a", Deployment: "staging", BaseURL: "https://staging.example",
			StartedAt: finished.Add(-time.Minute), FinishedAt: finished, Requests: 1000, Shards: 1,
		},
		Plan: json.RawMessage(`{}`), Verdict: results.VerdictPass,
		Reason:     "no rule was violated and the threshold held",
		Thresholds: []threshold.Result{{Expr: "p99<300ms", Observed: "200ms", OK: true}},
		Requests:   results.RequestCounts{Scheduled: 1000, Sent: 1000, Accepted: 990, Blocked: 10},
		Rate:       results.Rate{Target: 100, Achieved: 99.5},
		Generator:  results.GeneratorHealth{Reliable: true},
	}
	for _, change := range changes {
		change(&r)
	}
	return r
}

// searched returns a search that found a capacity; 0: none.
func searched(rate float64, verdict, limit string) capacity.SearchRun {
	probe := capacity.Probe{
		Number: 1, Rate: max(rate, 50),
		Outcome: capacity.ProbeOutcome{Holds: rate > 0, Answering: true, Achieved: rate},
	}
	return capacity.SearchRun{
		Schema: capacity.Schema, Verdict: results.Verdict(verdict), Reason: "210/s fails: p99",
		SLO: []string{"p99<300ms"}, Probes: []capacity.Probe{probe},
		Run: results.RunInfo{
			ID: "search", Deployment: "staging", BaseURL: "https://staging.example",
			StartedAt: finished.Add(-time.Minute), FinishedAt: finished,
		},
		Capacity: capacity.Estimate{
			Rate: rate, Low: rate, High: rate * 1.05, Limit: capacity.LimitReason(limit),
		},
	}
}

// folder writes a run.json and returns its folder.
func folder(t *testing.T, content any) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	testmust.WriteFile(t, filepath.Join(dir, runfolder.RunName), content)
	return dir
}

// ran returns the folder of a conformance run.
func ran(t *testing.T, changes ...func(*record.UnjudgedRun)) string {
	t.Helper()
	return folder(t, conformance(changes...))
}

func policy(t *testing.T, text string) *gate.Policy {
	t.Helper()
	return testmust.Get(gate.Parse("gate.yaml", []byte(text), catalogue()))(t)
}

const (
	strict   = "max_age: 24h\nconformance: {verified: [must]}\n"
	loadOnly = "max_age: 1d\nload: {}"
)

// verifying returns a policy that requires a few rules, with more keys of its conformance part.
func verifying(more string) string {
	return "max_age: 1d\nconformance: {verified: [create.cpf.*]" + more + "}"
}

func decide(t *testing.T, text string, paths ...string) gate.Decision {
	t.Helper()
	return gate.Decide(policy(t, text), paths, now)
}

// expect decides about runs and compares the decision with an exit code and a text that its reasons
// must contain.
func expect(t *testing.T, what, policy string, code int, reason string, runs ...string) {
	t.Helper()
	expectDecision(t, what, decide(t, policy, runs...), code, reason)
}

func expectDecision(t *testing.T, what string, d gate.Decision, code int, reason string) {
	t.Helper()
	testmust.Equal(t, d.ExitCode(), code, what)
	testmust.Contain(t, printed(t, d), reason, what)
}

func printed(t *testing.T, d gate.Decision) string {
	t.Helper()
	var said strings.Builder
	testmust.Succeed(t, view.WriteText(&said, gate.Report(d), view.Style{}))
	return said.String()
}

func commented(d gate.Decision) []byte { return view.WriteMarkdown(gate.Report(d)) }
