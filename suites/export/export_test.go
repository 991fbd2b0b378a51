package export_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/export"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// judged is what a run of the suite found.
type judged struct {
	checks []*plan.Check
	plan   *plan.Plan
	stats  client.Stats
}

// underWay is a run whose observations were launched.
type underWay struct {
	client *client.Client
	plan   *plan.Plan
	stop   func()
}

// launch starts a run of the suite against a reference gateway. change may rewrite the deployment file first.
func launch(t *testing.T, o reference.Options, change func(yaml string) string) underWay {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = 7
	}
	running, err := reference.Start(context.Background(), "127.0.0.1:0", o)
	if err != nil {
		t.Fatal(err)
	}
	yaml := string(running.Gateway.DeploymentYAML(running.URL))
	yaml = strings.Replace(yaml, "timeout: 30s", "timeout: 6s", 1) // a file that never comes need not be waited for long
	if change != nil {
		yaml = change(yaml)
	}
	run := launchFile(t, yaml)
	run.stop = func() { running.Close() }
	return run
}

func launchFile(t *testing.T, yaml string) underWay {
	t.Helper()
	dep, err := deployment.Parse("test.yaml", t.TempDir(), []byte(yaml), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(dep, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tg := target.New(dep, c, 11)
	p := plan.New()
	p.Require(tg.Unmet)
	export.Add(p, tg, control.New(p, tg))
	p.Launch(context.Background(), false)
	return underWay{client: c, plan: p, stop: func() {}}
}

// finish waits for the run's observations and judges them, one run at a time.
func (u underWay) finish(t *testing.T) judged {
	t.Helper()
	defer u.stop()
	defer u.client.Close()
	u.plan.Wait()
	u.plan.Execute(plan.Order{}, nil)
	for _, fault := range u.plan.Faults() {
		t.Errorf("the harness failed: %s", fault)
	}
	return judged{u.plan.Checks(), u.plan, u.client.Stats()}
}

func judge(t *testing.T, o reference.Options, change func(yaml string) string) judged {
	t.Helper()
	return launch(t, o, change).finish(t)
}

func judgeFile(t *testing.T, yaml string) judged {
	t.Helper()
	return launchFile(t, yaml).finish(t)
}

// verdicts gives the verdict of each rule: the worst of its checks.
func (j judged) verdicts() map[string]record.Verdict {
	order := []record.Verdict{record.Observed, record.Pass, record.NotVerified, record.Inconclusive, record.Fail}
	worst := map[string]record.Verdict{}
	for _, c := range j.checks {
		v := record.Inconclusive
		if c.Result() != nil {
			v = c.Result().Verdict
		}
		if slices.Index(order, v) > slices.Index(order, worst[c.Rule.ID]) {
			worst[c.Rule.ID] = v
		}
	}
	return worst
}

// with lists the rules that have a verdict.
func (j judged) with(v record.Verdict) []string {
	var list []string
	for rule, found := range j.verdicts() {
		if found == v {
			list = append(list, rule)
		}
	}
	slices.Sort(list)
	return list
}

func (j judged) explain(verdicts ...record.Verdict) string {
	var b strings.Builder
	for _, c := range j.checks {
		if r := c.Result(); r != nil && slices.Contains(verdicts, r.Verdict) {
			fmt.Fprintf(&b, "\n%s %s: %s | expected %s | actual %s", r.Verdict, c.Text(), r.Message, r.Expected, r.Actual)
		}
	}
	return b.String()
}

func TestEveryRuleHasACheck(t *testing.T) {
	checks := judge(t, reference.Options{Choices: reference.Choices{MinimalFile: true}}, nil).checks
	checked := map[string]bool{}
	for _, c := range checks {
		checked[c.Rule.ID] = true
	}
	for _, r := range rules.All() {
		if r.Operation() == "export" && !checked[r.ID] {
			t.Errorf("no check of %s", r.ID)
		}
	}
}

func TestAConformantGatewayPasses(t *testing.T) {
	j := judge(t, reference.Options{}, nil)
	if text := j.explain(record.Fail, record.Inconclusive, record.NotVerified); text != "" {
		t.Error(text)
	}
	if j.stats.PeakInFlight < 2 {
		t.Errorf("%d requests were in flight at most: nothing ran at once", j.stats.PeakInFlight)
	}
	t.Logf("%d requests, %d exports", j.stats.Sent, j.stats.Exports)
	for _, o := range j.plan.Observations() {
		t.Logf("%s: %s", o.ID, o.Observed)
	}
}

// The one fault that a shared deployment is most likely to have, and that only rows with both dates can show, must not
// be blamed on any other rule.
func TestBoundsThatIgnoreTheSortFailOneRule(t *testing.T) {
	j := judge(t, reference.Options{Faults: []string{"export.range.always_created"}}, nil)
	if failed := j.with(record.Fail); !slices.Equal(failed, []string{"export.range.follows_sort"}) {
		t.Errorf("failed: %v%s", failed, j.explain(record.Fail))
	}
}
