package digest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
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

func TestDefects(t *testing.T) {
	run := record.Run{Rules: []record.RuleResult{
		failed("export.range.a", "must", "a of its own"),
		failed("export.range.b", "should", "b of its own"),
		{
			ID: "export.file.csv", Level: "should", Verdict: record.VerdictFail,
			Checks: []record.CheckResult{{Verdict: record.VerdictFail, Message: "no CSV"}},
		},
	}}
	violated, warned := digest.Defects(run)
	if len(violated) != 1 || len(warned) != 1 {
		t.Fatalf("%+v, %+v", violated, warned)
	}
	d := violated[0]
	if d.Headline != "The deployment cuts bounds" || !slices.Equal(d.Rules,
		[]string{"export.range.a", "export.range.b"}) || d.Failed[0].ID != "export.range.a" {
		t.Errorf("%+v", d)
	}
	if w := warned[0]; w.Headline != "no CSV" || len(w.Rules) != 1 {
		t.Errorf("%+v", w)
	}
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

func TestMissingIsReadyToPaste(t *testing.T) {
	needs := func(key string) record.RuleResult {
		return record.RuleResult{Verdict: record.VerdictNotVerified, Checks: []record.CheckResult{
			{Verdict: record.VerdictNotVerified, MissingKey: key},
			{Verdict: record.VerdictPass, MissingKey: "fixtures.product_id"},
		}}
	}
	got := digest.MissingYAML([]record.RuleResult{
		needs("fixtures.client_id"), needs("fixtures.client_id"),
		needs("credentials.other_user"), needs("limits.max_creates"), needs(""),
	})
	for _, want := range []string{
		"credentials:\n  other_user: {bearer: \"${GATEWAY_OTHER_USER_TOKEN}\"}  # for 1 rule\n",
		"fixtures:\n  client_id: \"client-42\"  # for 2 rules\n",
	} {
		testmust.Contain(t, got, want)
	}
	if strings.Contains(got, "target_user_id") || strings.Contains(got, "product_id") ||
		strings.Contains(got, "max_creates") {
		t.Error(got)
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
