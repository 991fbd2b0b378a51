package acceptance

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

func start(t *testing.T, o reference.Options) *suites.EmbeddedGateway {
	t.Helper()
	gateway, err := suites.StartReference(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(gateway.Close)
	return gateway
}

func run(t *testing.T, o suites.Options) suites.Result {
	t.Helper()
	if o.Out == "" {
		o.Out = filepath.Join(t.TempDir(), "run")
	}
	result, err := suites.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range result.Faults {
		t.Errorf("defect of the harness: %s", fault)
	}
	return result
}

// verified fails the test unless every must and should rule was verified and holds.
func verified(t *testing.T, r record.Run) {
	t.Helper()
	if r.Verdict != record.Conformant {
		t.Errorf("verdict %s: %s", r.Verdict, r.Reason)
	}
	for _, rule := range r.Rules {
		if rule.Level != "observe" && rule.Verdict != record.Pass {
			t.Errorf("%s: %s: %s", rule.Verdict, rule.ID, rule.Reason)
		}
	}
}

// One deployment, tested once and then twice at once, comes out the same each time.
func TestRunsRepeatAndOverlap(t *testing.T) {
	gateway := start(t, reference.Options{Seed: 4})
	verified(t, run(t, suites.Options{Deployment: gateway.Deployment}).Run)
	var both sync.WaitGroup
	results := make([]suites.Result, 2)
	for i := range results {
		out := filepath.Join(t.TempDir(), "run")
		both.Go(func() {
			var err error
			if results[i], err = suites.Run(t.Context(), suites.Options{
				Deployment: gateway.Deployment,
				Out:        out,
			}); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	for _, r := range results {
		verified(t, r.Run)
	}
}

// One by one and in any order, the first requests of the run are repeated when everything else was sent.
func TestTheLastRequestsAreLastInAnyOrder(t *testing.T) {
	const late, spent = "first request of the run, repeated as the last", "again, at the end"
	gateway := start(t, reference.Options{Seed: 14})
	for seed := range int64(2) {
		result := run(t, suites.Options{
			Deployment: gateway.Deployment, Seed: seed + 1, OneByOne: true, Random: true,
			Select: suites.Selection{Rules: []string{
				"replay.late", "replay.nonce.*", "export.body.*",
				"auth.confidential", "export.response.file_id",
			}},
		})
		verified(t, result.Run)
		journal, err := os.ReadFile(filepath.Join(result.Folder, runfolder.JournalName))
		if err != nil {
			t.Fatal(err)
		}
		lasting, repeats := false, 0
		for line := range strings.SplitSeq(string(journal), "\n") {
			switch {
			case !strings.Contains(line, `"label"`):
			case strings.Contains(line, late), strings.Contains(line, spent):
				lasting = true
				repeats++
			case lasting:
				t.Errorf("seed %d: sent after what comes last: %s", seed, line)
			}
		}
		if repeats < 5 {
			t.Errorf("seed %d: %d late repeats", seed, repeats)
		}
	}
}

func TestARunIsEconomical(t *testing.T) {
	r := run(t, suites.Options{Deployment: start(t, reference.Options{Seed: 5}).Deployment}).Run
	if n := r.Run.Created.LegalRepresentatives; n == 0 || n > 80 {
		t.Errorf("created %d representatives, at most 80 are allowed", n)
	}
	if r.Run.PeakFlight < 8 {
		t.Errorf("at most %d requests were in flight: the run was close to serial", r.Run.PeakFlight)
	}
	t.Logf("%d requests, %d representatives, %d exports, peak %d in flight", r.Run.Requests,
		r.Run.Created.LegalRepresentatives, r.Run.Created.Exports, r.Run.PeakFlight)
}

// With too small a budget rules are not verified; none fails, and the budget is kept.
func TestTheBudgetOfCreationsIsKept(t *testing.T) {
	dep := *start(t, reference.Options{Seed: 6}).Deployment
	dep.Limits.MaxCreates = 10
	r := run(t, suites.Options{Deployment: &dep, Select: suites.Selection{Suites: []string{"create"}}}).Run
	if n := r.Run.Created.LegalRepresentatives; n == 0 || n > 10 {
		t.Errorf("created %d representatives, 10 were allowed", n)
	}
	if r.Counts.Fail+r.Counts.Warn > 0 || r.Counts.NotVerified == 0 {
		t.Errorf("counts %+v", r.Counts)
	}
}

// A deployment that accepts everything cannot make a run create more than it may, and is found out.
func TestTheBudgetHoldsAgainstADeploymentThatAcceptsEverything(t *testing.T) {
	var all []string
	for _, f := range reference.Faults() {
		if strings.HasPrefix(f.Name, "create.") && strings.HasSuffix(f.Name, "_accepted") {
			all = append(all, f.Name)
		}
	}
	r := run(t, suites.Options{Deployment: start(t, reference.Options{Seed: 7, Faults: all}).Deployment}).Run
	if n := r.Run.Created.LegalRepresentatives; n > 80 {
		t.Errorf("created %d representatives, at most 80 are allowed", n)
	}
	if r.Counts.Fail+r.Counts.Warn < 10 {
		t.Errorf("%d rules failed", r.Counts.Fail+r.Counts.Warn)
	}
}

// A deployment that answers everything bad with a server error uses the budget up, since each of them may have made a
// record. What was sent until then is judged, and what was not says what to raise.
func TestRejectionsThatAreAllServerErrorsAreFound(t *testing.T) {
	const alike = "a request with a similar defect was not rejected" // so this one was not sent
	gateway := start(t, reference.Options{Seed: 12, Faults: []string{"create.rejections_500"}})
	r := run(t, suites.Options{
		Deployment: gateway.Deployment,
		Select:     suites.Selection{Suites: []string{"create"}},
	}).Run
	// how many fit the budget depends on their order
	if r.Run.Created.LegalRepresentatives > 80 || r.Counts.Fail+r.Counts.Warn < 12 {
		t.Errorf("created %d representatives, %d rules failed", r.Run.Created.LegalRepresentatives,
			r.Counts.Fail+r.Counts.Warn)
	}
	for _, rule := range r.Rules {
		if rule.Level == "observe" {
			continue // how refusals look: whether one was seen depends on which came before the budget ended
		}
		held := strings.Contains(rule.Reason, "limits.max_creates") || strings.Contains(rule.Reason, alike) ||
			strings.Contains(rule.Reason, "see create.shareholder.foreign")
		unsent := strings.HasPrefix(rule.ID, "create.repeat.") // after repeats that got a server error each
		if rule.Verdict == record.Inconclusive && !unsent || rule.Verdict == record.NotVerified && !held {
			t.Errorf("%s: %s: %s", rule.Verdict, rule.ID, rule.Reason)
		}
	}
	dep := *gateway.Deployment
	dep.Limits.MaxCreates = 600
	whole := run(t, suites.Options{Deployment: &dep, Select: suites.Selection{Suites: []string{"create"}}}).Run
	if whole.Counts.Fail+whole.Counts.Warn < 60 {
		t.Errorf("with a budget that is enough: %+v", whole.Counts)
	}
	for _, rule := range whole.Rules {
		held := strings.Contains(rule.Reason, alike) || strings.Contains(rule.Reason, "see create.shareholder.foreign")
		unsent := strings.HasPrefix(rule.ID, "create.repeat.") // after repeats that got a server error each
		if rule.Verdict == record.Inconclusive && !unsent || rule.Verdict == record.NotVerified && !held {
			t.Errorf("with a budget that is enough: %s: %s: %s", rule.Verdict, rule.ID, rule.Reason)
		}
	}
}

// What every file of a run must not hold, whatever the deployment answers.
func TestNothingSecretIsWritten(t *testing.T) {
	gateway := start(t, reference.Options{Seed: 8, Faults: []string{"auth.secret_in_refusal"}})
	result := run(t, suites.Options{Deployment: gateway.Deployment})
	files, err := os.ReadDir(result.Folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(result.Folder, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for name, secret := range gateway.Deployment.Secrets() {
			for _, part := range strings.Split(secret, ".") {
				if len(part) > 40 && strings.HasPrefix(part, "eyJ") {
					continue // the header of a token is the same for all of them
				}
				if strings.Contains(string(data), part) {
					t.Errorf("%s holds %s", file.Name(), name)
				}
			}
		}
	}
	leaked := false
	for _, rule := range result.Run.Rules {
		leaked = leaked || rule.ID == "auth.confidential" && rule.Verdict == record.Fail
	}
	if !leaked {
		t.Error("the deployment repeated a credential, and auth.confidential did not fail")
	}
}

// An interrupted run is partial, and keeps what it found; the journal alone says the same.
func TestAnInterruptKeepsWhatWasFound(t *testing.T) {
	gateway := start(t, reference.Options{Seed: 9, Choices: reference.Choices{Latency: 100 * time.Millisecond}})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(1500*time.Millisecond, cancel)
	out := filepath.Join(t.TempDir(), "run")
	result, err := suites.Run(ctx, suites.Options{Deployment: gateway.Deployment, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	r := result.Run
	if !r.Run.Partial || result.ExitCode(false) != 130 {
		t.Errorf("partial %v, exit code %d", r.Run.Partial, result.ExitCode(false))
	}
	if r.Counts.Pass < 10 || r.Counts.Fail+r.Counts.Warn > 0 || r.Counts.NotVerified == 0 {
		t.Errorf("counts %+v", r.Counts)
	}
	journal, err := os.Open(filepath.Join(out, runfolder.JournalName))
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	rebuilt, err := record.Rebuild(journal)
	if err != nil {
		t.Fatal(err)
	}
	if rebuilt.Counts != r.Counts || rebuilt.Verdict != r.Verdict || rebuilt.Run.Requests != r.Run.Requests {
		t.Errorf("the journal says %+v %s, run.json %+v %s", rebuilt.Counts, rebuilt.Verdict, r.Counts, r.Verdict)
	}
}

// The journal of a complete run rebuilds its run.json.
func TestTheJournalIsEnough(t *testing.T) {
	gateway := start(t, reference.Options{Seed: 10, Faults: []string{"export.range.end_inclusive"}})
	result := run(t, suites.Options{
		Deployment: gateway.Deployment,
		Select:     suites.Selection{Suites: []string{"export"}},
	})
	journal, err := os.Open(filepath.Join(result.Folder, runfolder.JournalName))
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	rebuilt, err := record.Rebuild(journal)
	if err != nil {
		t.Fatal(err)
	}
	got, err := rebuilt.JSON()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(result.Folder, runfolder.RunName))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the journal rebuilds\n%.2000s\nand run.json holds\n%.2000s", got, want)
	}
}

// A deployment that is not there gives no verdict, soon.
func TestADeadDeploymentIsInconclusive(t *testing.T) {
	dep, err := deployment.Parse("dead.yaml", ".",
		[]byte("name: dead\nbase_url: http://127.0.0.1:9\ncredentials: {api_key: abcdefgh12345678}\n"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	result := run(t, suites.Options{Deployment: dep})
	if result.Run.Verdict != record.NoVerdict || result.ExitCode(false) != 3 ||
		result.Run.Counts.Fail+result.Run.Counts.Warn > 0 {
		t.Errorf("verdict %s, exit code %d, counts %+v", result.Run.Verdict, result.ExitCode(false), result.Run.Counts)
	}
	if result.Obstacle == nil || result.Run.Run.Requests > 3 {
		t.Errorf("%d requests, obstacle %v", result.Run.Run.Requests, result.Obstacle)
	}
}

// A deployment that dies in the middle of a run is given up soon, and nothing is held against it.
func TestADeploymentThatDiesIsGivenUp(t *testing.T) {
	gateway, err := suites.StartReference(t.Context(), reference.Options{
		Seed:    11,
		Choices: reference.Choices{Latency: 50 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(800*time.Millisecond, gateway.Close)
	result := run(t, suites.Options{Deployment: gateway.Deployment})
	if result.Run.Counts.Fail+result.Run.Counts.Warn > 0 {
		for _, r := range result.Run.Rules {
			if r.Verdict == record.Fail {
				t.Errorf("%s failed: %s", r.ID, r.Reason)
			}
		}
	}
	if result.Run.Verdict != record.NoVerdict || result.ExitCode(false) != 3 {
		t.Errorf("verdict %s, exit code %d", result.Run.Verdict, result.ExitCode(false))
	}
}
