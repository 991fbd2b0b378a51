package digest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// judged is a rule with one check for each list of exchanges; those of the first n fail.
func judged(id, level string, n int, exchanges ...[]int) record.Rule {
	r := record.Rule{ID: id, Level: level, Verdict: record.Fail}
	for i, x := range exchanges {
		c := record.Check{Name: "check", Verdict: record.Pass, Exchanges: x}
		if i < n {
			c.Verdict, c.Message, c.Actual = record.Fail, "message", "actual of "+id
		}
		r.Checks = append(r.Checks, c)
	}
	if n == 0 {
		r.Verdict = record.Pass
	}
	return r
}

func secured(r record.Rule) record.Rule {
	r.Security = true
	return r
}

func TestClusters(t *testing.T) {
	run := record.Run{Rules: []record.Rule{
		judged("create.response.income", "must", 1, []int{1}),
		judged("create.echo.income", "must", 1, []int{1}),     // the same detail, the same exchange
		judged("create.default.country", "must", 1, []int{1}), // the same exchange alone
		judged("create.success.status", "must", 0, []int{1}),
		judged("export.range.partition", "must", 1, []int{20, 25}, []int{20}),
		judged("export.range.end_exclusive", "must", 1, []int{20, 25}),
		judged("export.filter.client_id", "must", 1, []int{20, 30}),
		secured(judged("export.file.private", "should", 1, []int{40})), // first of all
		judged("export.file.csv", "must", 1, []int{40}),
		judged("export.file.names", "should", 1, []int{40}), // a warning
		judged("export.file.columns", "must", 1, []int{41}), // the same topic alone
	}}
	var got []string
	for _, c := range digest.Clusters(digest.With(run, record.Fail)) {
		var ids []string
		for _, r := range c.Rules {
			ids = append(ids, r.ID)
		}
		got = append(got, strings.Join(ids, " "))
	}
	want := []string{
		"export.file.private export.file.csv", "create.response.income create.echo.income", "create.default.country", "export.range.end_exclusive export.range.partition",
		"export.filter.client_id", "export.file.columns",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestFieldsBelongTogetherWhenTheyAreWrongInTheSameWay(t *testing.T) {
	found := func(id, actual string) record.Rule {
		r := judged(id, "must", 1, []int{1})
		r.Checks[0].Actual = actual
		return r
	}
	clusters := digest.Clusters([]record.Rule{
		found("create.response.id", `id is absent in exchange 1, the valid creation`), found("create.response.income", `income is the string "1"`),
		found("create.response.email", `email is absent in exchange 1, the valid creation`),
	})
	if len(clusters) != 2 || len(clusters[0].Rules) != 2 || clusters[0].Rules[1].ID != "create.response.email" {
		t.Errorf("%+v", clusters)
	}
}

func TestFinding(t *testing.T) {
	r := judged("a.b.c", "must", 1, []int{1}, []int{2})
	if got := digest.Finding(r); got != "message: actual of a.b.c" {
		t.Errorf("got %q", got)
	}
	r.Checks[0].Actual += "\n{a body}"
	r.Checks[0].Message = "a message that says at length what the actual says better"
	if got := digest.Finding(r); got != "actual of a.b.c" {
		t.Errorf("after a long message: %q", got)
	}
	r.Checks[0].Actual, r.Checks[0].Message = "", "message"
	if got := digest.Finding(r); got != "message" {
		t.Errorf("without an actual: %q", got)
	}
	if failed, of := digest.Failing(r); failed != 1 || of != 2 || digest.FailingShare(r) != 0.5 {
		t.Errorf("%d of %d", failed, of)
	}
}

func TestFacts(t *testing.T) {
	for in, want := range map[string][]string{
		"a whole number": {"a whole number"}, "": {""},
		"71 rows; 1 that should not be there: 4 (created a, settled b), 5 (created c; settled d) and 1 more": {
			"71 rows", "1 that should not be there: 4 (created a, settled b)", "5 (created c; settled d) and 1 more",
		},
		`income is "a; b"; x`:          {`income is "a; b"`, "x"},
		`{"a": "\"; "; 1}; error{b}`:   {`{"a": "\"; "; 1}`, "error{b}"},
		`a "quote; that never ends; x`: {`a "quote; that never ends; x`},
		"ends with; ":                  {"ends with;"},
		") ; a), b":                    {")", "a)", "b"},
	} {
		if got := digest.Facts(in); !slices.Equal(got, want) {
			t.Errorf("Facts(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWhatACommandNeeds(t *testing.T) {
	for in, want := range map[string]string{
		"curl -sS x": "", `curl -H "a: $GATEWAY_TOKEN" $file`: "$GATEWAY_TOKEN",
		`curl -H "a: $GATEWAY_TOKEN" -H "n: $(uuidgen)"; curl -H "k: $GATEWAY_API_KEY" "$GATEWAY_TOKEN"`: "$GATEWAY_TOKEN, $GATEWAY_API_KEY and uuidgen",
		`curl -H "Authorization: Bearer $GATEWAY_ALTERED_CREDENTIAL"`:                                    "$GATEWAY_ALTERED_CREDENTIAL (what the check sends in place of a credential)",
	} {
		if got := digest.Needs(in); got != want {
			t.Errorf("Needs(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMissingIsReadyToPaste(t *testing.T) {
	needs := func(key string) record.Rule {
		return record.Rule{Verdict: record.NotVerified, Checks: []record.Check{{Verdict: record.NotVerified, Need: key}, {Verdict: record.Pass, Need: "fixtures.product_id"}}}
	}
	got := digest.Missing([]record.Rule{needs("fixtures.client_id"), needs("fixtures.client_id"), needs("credentials.other_user|fixtures.target_user_id"), needs("limits.max_creates"), needs("")})
	for _, want := range []string{"credentials:\n  # for 1 rule\n  other_user: ", "fixtures:\n  # for 2 rules\n  client_id: "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from\n%s", want, got)
		}
	}
	if strings.Contains(got, "target_user_id") || strings.Contains(got, "product_id") || strings.Contains(got, "max_creates") {
		t.Error(got)
	}
	if a, b := digest.Advice("limits.max_creates"), digest.Advice("export.file"); a != "raise limits.max_creates" || b != "add export.file" {
		t.Errorf("%q, %q", a, b)
	}
}

func TestObservedByOperation(t *testing.T) {
	run := record.Run{
		Rules:        []record.Rule{{ID: "create.observed.status", Statement: "The status."}},
		Observations: []record.Observation{{ID: "export.observed.file", Observed: "x"}, {ID: "create.observed.status", Observed: "201"}, {ID: "export.observed.ties", Observed: "y"}},
	}
	seen := digest.Observed(run)
	if len(seen) != 2 || seen[0].Operation != "create" || seen[0].Rows[0].Statement != "The status." || len(seen[1].Rows) != 2 {
		t.Errorf("%+v", seen)
	}
}
