package digest_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/knownfaults"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

func failed(id, level, message string, more ...record.CheckResult) record.RuleResult {
	r := record.RuleResult{ID: id, Level: level, Verdict: record.VerdictFail}
	r.Checks = append(r.Checks, record.CheckResult{
		Name: "check", Verdict: record.VerdictFail, Message: message,
		Finding: record.Finding{Cause: "cuts bounds"},
	})
	r.Checks = append(r.Checks, more...)
	return r
}

func TestFinding(t *testing.T) {
	r := failed("a.b.c", "must", "first",
		record.CheckResult{Name: "no", Verdict: record.VerdictFail, Message: "the plainest"})
	testmust.Equal(t, record.Headline(r), "the plainest")
	testmust.Equal(t, digest.DecidingChecks(r)[0].Name,
		"no", "the check of the headline does not come first")
	r.Checks[1].Message, r.Checks[1].Actual = "", "what was seen"
	testmust.Equal(t, record.Headline(r), "what was seen", "without a message")
	if failed, of := digest.CountFailing(r); failed != 2 || of != 2 {
		t.Errorf("%d of %d", failed, of)
	}
}

func TestWhatIsGivenIsToBeCorrected(t *testing.T) {
	needs := func(key, message string) record.RuleResult {
		return record.RuleResult{Verdict: record.VerdictNotVerified, Checks: []record.CheckResult{
			{
				Verdict: record.VerdictNotVerified, MissingKey: key, Message: message,
				KeyIsGiven: strings.HasSuffix(message, ")"),
			},
		}}
	}
	absent := needs("export.file", "the deployment file does not give export.file")
	poor := needs("fixtures.window", "the window holds no quote (fixtures.window)")
	for want, g := range map[string]digest.RuleGroup{
		"raise": {Key: "limits.max_creates", Items: []record.RuleResult{needs("limits.max_creates", "")}},
		"add":   {Key: "export.file", Items: []record.RuleResult{absent, poor}},
		"check": {Key: "fixtures.window", Items: []record.RuleResult{poor}},
	} {
		testmust.Equal(t, digest.GroupAdvice(g), want, g.Key)
	}
	text := digest.MissingYAML([]record.RuleResult{absent, poor})
	if strings.Contains(text, "window") {
		t.Errorf("what is given is not missing:\n%s", text)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a.b-c": "a.b-c", "": "''", "a b": "'a b'",
		"create.*": "'create.*'", "it's $(x)": `'it'\''s $(x)'`,
	} {
		testmust.Equal(t, digest.ShellQuote(in), want, in)
	}
}

// grouped returns how all reports group and count a run, without their texts.
func grouped(run record.Run) (all []any) {
	all = append(all, run.Verdict, run.Counts)
	for _, o := range digest.RulesByOperation(run) {
		all = append(all, o.Key, record.CountVerdicts(o.Items))
	}
	for _, d := range record.Defects(run.Rules) {
		all = append(all, d.Rules, d.Level, d.Security)
	}
	for _, v := range []record.Verdict{
		record.VerdictFail, record.VerdictWarning, record.VerdictInconclusive, record.VerdictNotVerified,
	} {
		all = append(all, digest.RuleIDs(digest.RulesWithVerdict(run, v)))
	}
	needs, others := digest.GroupByMissingKeys(digest.RulesWithVerdict(run, record.VerdictNotVerified))
	for _, g := range append(needs, others...) {
		all = append(all, digest.RuleIDs(g.Items), digest.GroupAdvice(g))
	}
	for _, r := range run.Rules {
		first, _ := record.DecisiveCheck(r)
		i := slices.IndexFunc(r.Checks, func(c record.CheckResult) bool { return c.Name == first.Name })
		all = append(all, i, len(digest.DecidingChecks(r)))
	}
	found := recordtest.SampleCollected()
	healthy := record.Assemble(record.UnjudgedRun{Info: found.Info, Catalogue: found.Catalogue})
	result, _ := compare.CompareRuns(
		recorded.Run{Kind: recorded.KindConformance, Conformance: healthy},
		recorded.Run{Kind: recorded.KindConformance, Conformance: run}, 0)
	for _, c := range result.Conformance.Changes {
		all = append(all, c.ID, c.Before, c.After, c.Judged)
	}
	return all
}

// No report depends on texts: whatever checks say, they are grouped and counted the same.
func TestOtherWordsGroupAlike(t *testing.T) {
	several := recordtest.SampleCollected()
	several.Waivers = nil
	for i, f := range knownfaults.All() {
		for id, ends := range f.Outcomes {
			if i%9 > 0 || slices.ContainsFunc(several.Catalogue,
				func(r rules.Rule) bool { return r.ID == id }) {
				continue
			}
			several.Catalogue = append(several.Catalogue, rules.Rule{ID: id, Level: rules.Must})
			for n, end := range ends {
				several.Checks = append(several.Checks, record.CheckResult{
					Rule: id, Name: fmt.Sprint("check ", n), Verdict: record.VerdictFail, Message: "it failed",
					Finding: record.Finding{Outcome: end, ExpectedOutcome: outcome.Refused, Status: 500},
				})
			}
		}
	}
	want := grouped(record.Assemble(several))
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.StringN(1, 12, -1).Draw(t, "prefix")
		other := several
		other.Checks = slices.Clone(several.Checks)
		for i := range other.Checks {
			c := &other.Checks[i]
			for _, text := range []*string{
				&c.Name, &c.Message, &c.Subject, &c.Got, &c.Want, &c.Expected, &c.Actual,
			} {
				*text = before + *text
			}
		}
		if got := grouped(record.Assemble(other)); !reflect.DeepEqual(got, want) {
			t.Fatalf("with %q before each text:\n%v\nwant\n%v", before, got, want)
		}
	})
}
