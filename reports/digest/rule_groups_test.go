package digest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a.b-c": "a.b-c", "": "''", "a b": "'a b'",
		"create.*": "'create.*'", "it's $(x)": `'it'\''s $(x)'`,
	} {
		testmust.Equal(t, digest.ShellQuote(in), want, in)
	}
}

func TestGroups(t *testing.T) {
	run := recordtest.SampleRun()
	needs, others := digest.GroupByMissingKeys(digest.RulesWithVerdict(run, record.VerdictNotVerified))
	var causes []string
	for _, g := range needs {
		causes = append(causes, g.Key+":"+strings.Join(digest.RuleIDs(g.Items), ","))
	}
	want := []string{
		"fixtures.client_id:export.filter.client_id,export.filter.prefix",
		"fixtures.foreign_shareholder_id:create.shareholder.foreign",
		"credentials.other_user:export.isolation",
	}
	if !slices.Equal(causes, want) {
		t.Errorf("needs %q", causes)
	}
	if len(others) != 1 || others[0].Key != "no check of this rule ran" {
		t.Errorf("others %+v", others)
	}
	var names []string
	total := 0
	for _, op := range digest.RulesByOperation(run) {
		names = append(names, op.Key)
		total += len(op.Items)
	}
	testmust.Equal(t, strings.Join(names, " "), "create export replay auth")
	testmust.Equal(t, total, len(run.Rules), names)
	open := digest.RulesWithVerdict(recordtest.UnreachableRun(212), record.VerdictInconclusive)
	if groups := digest.GroupByReason(open); len(groups) != 1 || len(groups[0].Items) != 212 {
		t.Errorf("one reason gives %d groups", len(groups))
	}
}
