package browse_test

import (
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/suites/record"
)

// TestRulesAreFollowedOverRuns has one rule that fails by turns, one that broke, one that always passes, and one that a
// single run selected.
func TestRulesAreFollowedOverRuns(t *testing.T) {
	dir := t.TempDir()
	began := time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)
	for i := range 5 {
		verdict := func(pass bool) record.Verdict {
			if pass {
				return record.Pass
			}
			return record.Fail
		}
		run := record.Run{Schema: record.Schema, Verdict: "violations", Rules: []record.Rule{
			{
				ID: "replay.late", Level: "must", Statement: "A late repeat is blocked.",
				Verdict: verdict(i%2 == 0), Reason: fmt.Sprintf("why %d", i),
			},
			{ID: "create.broke", Level: "must", Verdict: verdict(i < 3)},
			{ID: "create.steady", Level: "must", Verdict: record.Pass},
		}}
		if i == 1 {
			run.Rules = append(run.Rules, record.Rule{ID: "create.once", Level: "should", Verdict: record.NotVerified})
		}
		run.Run.ID, run.Run.Deployment = fmt.Sprint("run", i), "staging"
		run.Run.StartedAt = began.Add(time.Duration(i) * time.Hour)
		run.Run.FinishedAt = run.Run.StartedAt.Add(time.Minute)
		put(t, filepath.Join(dir, fmt.Sprint(i), "run.json"), run)
	}
	cut := record.Run{
		Schema: record.Schema, Rules: []record.Rule{{ID: "create.steady", Level: "must", Verdict: record.Fail}},
	}
	cut.Run.Deployment, cut.Run.Partial, cut.Run.StartedAt = "staging", true, began
	put(t, filepath.Join(dir, "cut", "run.json"), cut)
	h := open(t, dir)

	page := get(h, "/rules").Body.String()
	holds(t, page,
		"1 flaky rule</b>", "latest 5 whole conformance runs", "1 rule passed in each", ">create.once</a>")
	if strings.Contains(page, "create.steady") || strings.Count(page, ">flaky<") != 1 {
		t.Errorf("a rule that always passes is shown, or another is called flaky: %s", page)
	}
	if a, b := strings.Index(page, "replay.late"), strings.Index(page, "create.broke"); a < 0 || b < a {
		t.Error("the flaky rule does not come first")
	}
	links := regexp.MustCompile(`href="(/rule\?[^"]*)"`).FindAllStringSubmatch(page, -1)
	if len(links) < 3 {
		t.Errorf("%d links to rules", len(links))
	}
	for _, link := range links {
		if got := get(h, html.UnescapeString(link[1])); got.Code != 200 {
			t.Errorf("%s: %d", link[1], got.Code)
		}
	}
	rule := get(h, "/rule?rule=replay.late&deployment=staging").Body.String()
	holds(t, rule,
		"A late repeat is blocked.", "changed 4 times between passed and violated", "why 3", "/report?run=3")
	if strings.Index(rule, "why 4") > strings.Index(rule, "why 0") {
		t.Error("the newest run does not come first")
	}
	if broke := get(h, "/rule?rule=create.broke").Body.String(); strings.Contains(broke, ">flaky<") {
		t.Error("a rule that broke once is called flaky")
	}
	if none := get(h, "/rule?rule=absent"); none.Code != 404 {
		t.Errorf("an unknown rule: %d", none.Code)
	}
	if none := get(h, "/rules?deployment=nowhere"); none.Code != 200 ||
		!strings.Contains(none.Body.String(), "no conformance run") {
		t.Errorf("an unknown deployment: %d", none.Code)
	}
}
