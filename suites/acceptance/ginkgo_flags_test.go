package acceptance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// Every flag works as Ginkgo's manual says.
func TestFlagsOfGinkgo(t *testing.T) {
	t.Parallel() // mostly waits
	b := build(t)
	for name, test := range map[string]func(*testing.T, tools){
		"--focus --skip":      selectsByText,
		"--label-filter":      selectsByLabel,
		"--focus-file":        selectsByLine,
		"--dry-run":           sendsNothing,
		"--fail-fast":         stopsAtTheFirstFailure,
		"--timeout":           stopsInTime,
		"--repeat --seed":     repeatsAndOrders,
		"none":                leavesTheFolderOfARun,
		"--focus, of nothing": refusesAnEmptySelection,
		"a used folder":       refusesAUsedFolder,
		"--junit-report":      noVerdictIsAFailure,
		"--flake-attempts":    showsAndObservesAnew,
		"go test, twice":      isNotCached,
		"Register":            standsBesideOthers,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // each has its own gateway
			test(t, b)
		})
	}
}

func selectsByText(t *testing.T, b tools) {
	s := serve(t, reference.Options{Faults: []string{fault}})
	c := b.call(t, s, "--focus="+`create\.participation\.`, "--skip=above_hundred")
	c.ended(t, 0)
	var want []string
	for _, rule := range suites.Catalogue() {
		if strings.HasPrefix(rule.ID, "create.participation.") && rule.ID != broken {
			want = append(want, rule.ID)
		}
	}
	if found := ids(c.run(t)); len(want) < 4 || !slices.Equal(found, want) {
		t.Errorf("rules %v, expected %v", found, want)
	}
}

func selectsByLabel(t *testing.T, b tools) {
	s := serve(t, reference.Options{Faults: []string{fault}})
	c := b.call(t, s,
		`--label-filter=must && /create\.(participation|echo|response)/ && !/create\.(echo|response)/`)
	c.ended(t, 1)
	r := c.run(t)
	for _, rule := range r.Rules {
		if rule.Level != "must" || !strings.HasPrefix(rule.ID, "create.participation.") {
			t.Errorf("%s %s was selected", rule.Level, rule.ID)
		}
	}
	if len(r.Rules) < 2 || verdict(r, broken) != record.VerdictFail {
		t.Errorf("%d rules, %s: %q", len(r.Rules), broken, verdict(r, broken))
	}
}

// --focus-file selects a rule by the line of its declaration, and the console, the run and
// Ginkgo's report name that line for its failed spec.
func selectsByLine(t *testing.T, b tools) {
	s := serve(t, reference.Options{Faults: []string{fault}})
	at := line(t, "internal/create/invalid_value_rules.go", `"`+broken+`"`)
	c := b.call(t, s, fmt.Sprintf("--focus-file=internal/create/invalid_value_rules.go:%d", at))
	c.ended(t, 1)
	place := fmt.Sprintf("suites/internal/create/invalid_value_rules.go:%d", at)
	testmust.Contain(t, c.out, "/"+place+"\n", "the console")
	r := c.run(t)
	if found := ids(r); len(found) != 1 || found[0] != broken {
		t.Fatalf("rules %v", found)
	}
	for _, check := range r.Rules[0].Checks {
		if check.Verdict == record.VerdictFail && check.Location != place {
			t.Errorf("%s: %q", check.Name, check.Location)
		}
	}
	failed := 0
	for _, spec := range c.specs(t) {
		if !strings.HasSuffix(spec.LeafNodeLocation.String(), place) {
			t.Errorf("%s stands at %s", spec.LeafNodeText, spec.LeafNodeLocation)
		}
		if spec.State == types.SpecStateFailed {
			testmust.Equal(t, spec.Failure.Location.String(), spec.LeafNodeLocation.String(), spec.LeafNodeText)
			failed++
		}
	}
	if failed == 0 {
		t.Error("Ginkgo's report has no failure")
	}
}

// ruleOf returns the ID of the rule that a spec verifies.
func ruleOf(spec types.SpecReport) string {
	for _, text := range spec.ContainerHierarchyTexts {
		if id, _, found := strings.Cut(text, ": "); found && strings.Contains(id, ".") {
			return id
		}
	}
	return ""
}

func sendsNothing(t *testing.T, b tools) {
	s := serve(t, reference.Options{Faults: []string{fault}})
	c := b.call(t, s, "--dry-run")
	c.ended(t, 0)
	testmust.Equal(t, s.arrivals.Load(), 0, "requests arrived")
	specs := c.specs(t)
	if n := len(specs); n < 500 {
		t.Errorf("%d specs would run", n)
	}
	if _, err := os.Stat(c.folder); !os.IsNotExist(err) {
		t.Errorf("a folder was made: %v", err)
	}

	// Every rule and spec has the location of its declaration: a call in the suite of its operation.
	// Rules of a table share the line that declares them all.
	lines := map[string][]string{} // by file
	for _, spec := range specs {
		id, within := ruleOf(spec), spec.ContainerHierarchyLocations
		operation, _, _ := strings.Cut(id, ".")
		for _, at := range []types.CodeLocation{spec.LeafNodeLocation, within[len(within)-1]} {
			if lines[at.FileName] == nil {
				data := testmust.Get(os.ReadFile(at.FileName))(t)
				lines[at.FileName] = strings.Split(string(data), "\n")
			}
			text := lines[at.FileName][at.LineNumber-1]
			if !strings.Contains(filepath.ToSlash(at.FileName), "/suites/internal/"+operation+"/") ||
				!strings.Contains(text, "(") {
				t.Errorf("%s: %s stands at %s: %s", id, spec.LeafNodeText, at, text)
			}
		}
	}
}

// journalLine is a line of a journal.
type journalLine struct {
	Type     string
	Check    *record.CheckResult
	Exchange *record.ExchangeNote
}

func readJournal(t *testing.T, folder string) []journalLine {
	t.Helper()
	data := testmust.Get(os.ReadFile(filepath.Join(folder, runfolder.JournalName)))(t)
	var lines []journalLine
	for text := range strings.Lines(string(data)) {
		var l journalLine
		testmust.Succeed(t, json.Unmarshal([]byte(text), &l))
		lines = append(lines, l)
	}
	return lines
}

// unjudged counts the rules that an interruption left unverified.
func unjudged(r record.Run) int {
	n := 0
	for _, rule := range r.Rules {
		if rule.Verdict == record.VerdictNotVerified &&
			strings.Contains(rule.Reason, "the run was interrupted") {
			n++
		}
	}
	return n
}

// failsEarly fails during a run, with many requests still to be sent.
var failsEarly = reference.Options{
	Faults:  []string{"auth.empty_bearer_accepted"},
	Choices: reference.Choices{Latency: 100 * time.Millisecond},
}

// As after Ctrl-C: nothing more is sent, and what was seen is judged.
func stopsAtTheFirstFailure(t *testing.T, b tools) {
	s := serve(t, failsEarly)
	c := b.call(t, s, "--fail-fast", "--label-filter=auth || export")
	c.ended(t, 1)
	r := c.run(t)
	if r.Counts.Fail == 0 || r.Run.Partial != (unjudged(r) > 0) {
		t.Errorf("counts %+v, partial %v", r.Counts, r.Run.Partial)
	}
	if n := s.arrivals.Load(); int64(r.Run.Requests) < n {
		t.Errorf("%d requests arrived and %d are recorded", n, r.Run.Requests)
	}
	failed, after := false, 0
	for _, l := range readJournal(t, c.folder) {
		failed = failed || l.Check != nil && l.Check.Verdict == record.VerdictFail
		if failed && l.Exchange != nil {
			after++
		}
	}
	if !failed || after > r.Run.InFlight {
		t.Errorf("failed %v; %d requests ended after that, %d may have been in flight", failed, after,
			r.Run.InFlight)
	}
}

func stopsInTime(t *testing.T, b tools) {
	s := serve(t, reference.Options{Choices: reference.Choices{Latency: time.Second}})
	c := b.call(t, s, "--timeout=2s", "--label-filter=must")
	c.ended(t, 1)
	testmust.Contain(t, c.out, "Suite Timeout Elapsed")
	r := c.run(t)
	if r.Counts.Fail+r.Counts.Warn > 0 || unjudged(r) < 100 || !r.Run.Partial {
		t.Errorf("counts %+v, partial %v, verdict %s", r.Counts, r.Run.Partial, r.Verdict)
	}
}

// folders returns the run folders in a folder.
func folders(t *testing.T, in string) []string {
	t.Helper()
	found := testmust.Get(filepath.Glob(filepath.Join(in, "*", runfolder.RunName)))(t)
	slices.Sort(found)
	for i := range found {
		found[i] = filepath.Dir(found[i])
	}
	return found
}

// --repeat writes a run each time, and --seed gives the order of the specs.
func repeatsAndOrders(t *testing.T, b tools) {
	s := serve(t, reference.Options{})
	order := func(runs int, args ...string) (texts, judged []string) {
		out := filepath.Join(t.TempDir(), "runs") + "/"
		c := b.callInto(t, out, s, append(args, "--seed=7", "--label-filter=auth && must")...)
		c.ended(t, 0)
		found := folders(t, c.folder)
		if len(found) != runs {
			t.Fatalf("%d runs, expected %d:\n%s", len(found), runs, c.out)
		}
		for _, folder := range found {
			r := called{folder: folder}.run(t)
			if r.Run.Seed != 7 || r.Counts.Pass != len(r.Rules) || len(r.Rules) < 5 {
				t.Errorf("seed %d, counts %+v", r.Run.Seed, r.Counts)
			}
			judged = ids(r)
		}
		for _, spec := range c.specs(t) {
			texts = append(texts, spec.FullText())
		}
		return texts, judged
	}
	plain, rules := order(2, "--repeat=1")
	shuffled, others := order(1, "--randomize-all")
	if slices.Equal(plain, shuffled) {
		t.Error("--randomize-all changes nothing")
	}
	slices.Sort(plain)
	slices.Sort(shuffled)
	if !slices.Equal(plain, shuffled) || !slices.Equal(rules, others) {
		t.Error("the order changes what is judged")
	}
}

func refusesAnEmptySelection(t *testing.T, b tools) {
	s := serve(t, reference.Options{})
	c := b.call(t, s, "--focus=create.participation.of_nothing")
	c.ended(t, 1)
	testmust.Equal(t, s.arrivals.Load(), 0)
	testmust.Contain(t, c.out, "the filter selects no spec")
}

func refusesAUsedFolder(t *testing.T, b tools) {
	s, out := serve(t, reference.Options{}), t.TempDir()
	testmust.WriteFile(t, filepath.Join(out, runfolder.RunName), "{}")
	c := b.callInto(t, out, s, "--focus=auth.missing")
	c.ended(t, 1)
	testmust.Equal(t, s.arrivals.Load(), 0)
	testmust.Contain(t, c.out, "choose another folder with GATEASSAY_OUT")
}
