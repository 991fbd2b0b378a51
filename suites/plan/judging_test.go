package plan_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/plan"
)

// sender sends requests to a deployment that takes a moment for each.
func sender(t *testing.T) (*client.Client, func(ctx context.Context) int) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(5 * time.Millisecond) }))
	t.Cleanup(server.Close)
	c, err := client.New(&deployment.File{Name: "t", BaseURL: server.URL}, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, func(ctx context.Context) int {
		return c.Once(ctx, &client.Request{Method: http.MethodGet, Path: "/"}).Seq
	}
}

// A check names the exchanges of what it awaits and of what that used, and no more.
func TestChecksNameTheirExchanges(t *testing.T) {
	c, send := sender(t)
	p := plan.New()
	deepest := plan.Observe(p, "deepest", func(ctx context.Context) (int, error) { return send(ctx), nil })
	deep := plan.Observe(p, "deep", func(ctx context.Context) (int, error) {
		_, err := deepest.Get(ctx)
		return send(ctx), err
	})
	top := plan.Observe(p, "top", func(ctx context.Context) (int, error) {
		_, err := deep.Get(ctx)
		_, _ = deep.Get(ctx)
		return send(ctx), err
	})
	silent := plan.Observe(p, "silent", func(context.Context) (int, error) { return 0, nil })
	p.It(ruleA, "top", plan.After(silent, top, deep), func(ctx context.Context) { top.Await(ctx) })
	p.It(ruleB, "silent", plan.After(silent), func(ctx context.Context) { silent.Await(ctx) })
	p.It(ruleC, "nothing", nil, func(context.Context) {})
	p.It(ruleC, "alone", plan.After(top), func(ctx context.Context) { top.Await(ctx) })
	p.JudgeAll(t.Context())

	checks := p.Checks() // the requests were sent in the order 1: deepest, 2: deep, 3: top
	if got := checks[0].Result(); !slices.Equal(got.Exchanges, []int{3, 2}) || got.Verdict != record.Pass {
		t.Errorf("top: %s, exchanges %v", got.Verdict, got.Exchanges)
	}
	if got := checks[0].Own(); !slices.Equal(got, []int{3}) {
		t.Errorf("of its own: %v", got)
	}
	if want := (c.Exchange(2).Service + c.Exchange(3).Service).Milliseconds(); checks[0].Result().DurationMS != want {
		t.Errorf("took %d ms, want %d", checks[0].Result().DurationMS, want)
	}
	if got := checks[3].Result().Exchanges; !slices.Equal(got, []int{3, 2}) {
		t.Errorf("alone: exchanges %v", got)
	}
	for _, check := range checks[1:3] {
		if got := check.Result(); got.Exchanges == nil || len(got.Exchanges) != 0 || got.DurationMS != 0 || check.Own() != nil {
			t.Errorf("%s: exchanges %#v, own %v", check.Name, got.Exchanges, check.Own())
		}
	}
	var chain time.Duration
	for seq := 1; seq <= 3; seq++ {
		chain += c.Exchange(seq).Service
	}
	if got := p.LongestChain(); got != chain {
		t.Errorf("the longest chain took %s, want %s", got, chain)
	}
	if text := checks[0].Text(); text != ruleA+": top" {
		t.Errorf("text %q", text)
	}
}

func TestNotesOfARuleAreOneObservation(t *testing.T) {
	_, send := sender(t)
	p := plan.New()
	one := plan.Observe(p, "one", func(ctx context.Context) (int, error) { return send(ctx), nil })
	p.It(seen, "a", plan.After(one), func(ctx context.Context) { one.Await(ctx); p.Note("first %d", 1) })
	p.It(ruleA, "between", plan.After(one), func(ctx context.Context) { one.Await(ctx) })
	p.It(seen, "b", plan.After(one), func(ctx context.Context) { one.Await(ctx); p.Note("second") })
	p.JudgeAll(t.Context())
	o := p.Observations()
	if len(o) != 1 || o[0].ID != seen || o[0].Observed != "first 1; second" || !slices.Equal(o[0].Exchanges, []int{1, 1}) {
		t.Errorf("%+v", o)
	}
	if got := plan.New().Observations(); got == nil || len(got) != 0 {
		t.Errorf("nothing noted: %#v", got)
	}
}

// Each result is told once, as it is found: what is there first is judged first, wherever it was declared.
func TestResultsAreToldAsTheyComeIn(t *testing.T) {
	p := plan.New()
	told := []string{}
	firstTold := make(chan struct{})
	slow := plan.Observe(p, "slow", func(ctx context.Context) (int, error) {
		select {
		case <-firstTold:
			return 1, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	})
	quick := plan.Observe(p, "quick", func(context.Context) (int, error) { return 2, nil })
	p.It(ruleA, "slow", plan.After(slow), func(ctx context.Context) { gomega.Expect(slow.Await(ctx)).To(gomega.Equal(1)) })
	p.It(ruleB, "quick", plan.After(quick), func(ctx context.Context) { gomega.Expect(quick.Await(ctx)).To(gomega.Equal(2)) })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // where the slow one is waited for first, this ends it
	defer cancel()
	p.Launch(ctx, false)
	p.Execute(plan.Order{}, func(c *plan.Check) {
		if c.Result().Verdict != record.Pass {
			t.Errorf("%s: %+v", c.Name, c.Result())
		}
		if told = append(told, c.Name); len(told) == 1 {
			close(firstTold)
		}
	})
	p.Wait()
	if !slices.Equal(told, []string{"quick", "slow"}) {
		t.Errorf("told in the order %v", told)
	}
}

// In one go, the checks of a suite stay together in the order in which they were declared; Ginkgo orders the suites.
func TestSuitesStayTogether(t *testing.T) {
	p := plan.New()
	o := plan.Observe(p, "o", func(context.Context) (int, error) { return 1, nil })
	last := plan.ObserveLast(p, "last", func(context.Context) (int, error) { return 1, nil })
	add := func(suite, name string, deps ...plan.Awaited) {
		p.Suite(suite)
		p.It(ruleA, name, deps, func(context.Context) {})
	}
	add("one", "a", o, last)
	add("two", "b", o)
	add("one", "c", o)
	add("two", "d", last)
	add("two", "e", o)
	add("three", "f", o)
	add("one", "g", o)
	told := ""
	p.Launch(t.Context(), true)
	p.Execute(plan.Order{}, func(c *plan.Check) { told += c.Name })
	if !strings.Contains(told, "be") || !strings.Contains(told, "cg") || len(told) != 7 {
		t.Errorf("judged in the order %s", told)
	}
	p.Execute(plan.Order{}, func(c *plan.Check) { t.Errorf("%s was judged twice", c.Name) })
}

// Under ginkgo -p what rests on the last observations runs when every process has ended all else.
func TestWhatComesLastIsSerial(t *testing.T) {
	p := plan.New()
	o := plan.Observe(p, "o", func(context.Context) (int, error) { return 1, nil })
	p.It(ruleA, "ordinary", plan.After(o), func(context.Context) {})
	p.It(ruleA, "last", plan.After(o, plan.ObserveLast(p, "last", func(context.Context) (int, error) { return 1, nil })), func(context.Context) {})
	p.It(ruleA, "end", plan.After(plan.ObserveEnd(p, "end", func(context.Context) (int, error) { return 1, nil })), func(context.Context) {})
	globals.Reset()
	defer globals.Reset()
	p.Register(nil)
	suite, reporter := types.NewDefaultSuiteConfig(), types.NewDefaultReporterConfig()
	for _, spec := range ginkgo.PreviewSpecs("serial", suite, reporter).SpecReports {
		if want := !strings.HasSuffix(spec.LeafNodeText, "ordinary"); spec.IsSerial != want {
			t.Errorf("%s: serial is %v", spec.LeafNodeText, spec.IsSerial)
		}
	}
}

func TestTwoChecksOfOneNameAreRefused(t *testing.T) {
	p := plan.New()
	p.It(ruleA, "same", nil, func(context.Context) {})
	p.It(ruleB, "same", nil, func(context.Context) {}) // another rule: another text
	p.JudgeAll(t.Context())                            // a run judges in several passes, and the first one is over
	defer func() {
		if r := recover(); r != "plan: two checks are called "+ruleA+": same" {
			t.Errorf("recovered %v", r)
		}
	}()
	p.It(ruleA, "same", nil, func(context.Context) {})
}

type muted struct{}

func (muted) Fail() {}

// Under Ginkgo's own runner the failure of a waived rule is recorded and skipped; any other one fails the run.
func TestOnlyFailuresThatAreNotWaivedFailTheRun(t *testing.T) {
	for name, c := range map[string]struct {
		waived func(string) bool
		passes bool
	}{
		"no waivers":     {nil, false},
		"another waived": {func(rule string) bool { return rule == ruleB }, false},
		"waived":         {func(rule string) bool { return rule == ruleA }, true},
	} {
		p := plan.New()
		if c.waived != nil {
			p.Waive(c.waived)
		}
		p.It(ruleA, "fails", nil, func(context.Context) { gomega.Expect(1).To(gomega.Equal(2), plan.Message("one is not two", "2", "1")) })
		var results []*record.Check
		globals.Reset()
		stdout := formatter.ColorableStdOut
		formatter.ColorableStdOut = io.Discard
		gomega.RegisterFailHandler(p.Fail)
		p.Register(func(c *plan.Check) { results = append(results, c.Result()) })
		quiet := types.NewDefaultReporterConfig()
		quiet.Succinct, quiet.NoColor = true, true
		passed := ginkgo.RunSpecs(muted{}, "waivers", types.NewDefaultSuiteConfig(), quiet)
		globals.Reset()
		formatter.ColorableStdOut = stdout
		if passed != c.passes {
			t.Errorf("%s: the run passed: %v", name, passed)
		}
		if len(results) != 1 || results[0].Verdict != record.Fail || !strings.Contains(results[0].Location, "judging_test.go:") {
			t.Errorf("%s: %+v", name, results)
		}
	}
}

// A check may end itself, and tells why.
func TestChecksEndThemselves(t *testing.T) {
	p := plan.New()
	p.It(ruleA, "need", nil, func(context.Context) { p.NotVerified("export.file", "no %s", "file"); t.Error("went on") })
	p.It(ruleA, "unclear", nil, func(context.Context) { p.Inconclusive("only %d", 3); t.Error("went on") })
	p.It(ruleA, "given up", nil, func(context.Context) { p.GiveUp(plan.Transient("503")); t.Error("went on") })
	p.It(ruleA, "skipped", nil, func(context.Context) { ginkgo.Skip("not today") })
	p.It(ruleA, "interrupted", nil, func(context.Context) { p.GiveUp(plan.Interrupted) })
	p.It(ruleA, "noted", nil, func(context.Context) { p.Note("x"); gomega.Expect(1).To(gomega.Equal(2)) })
	p.Launch(t.Context(), true)
	p.Execute(plan.Order{}, nil)
	want := map[string]record.Check{
		"need":     {Verdict: record.NotVerified, Need: "export.file", Message: "no file (export.file)"},
		"unclear":  {Verdict: record.Inconclusive, Message: "only 3"},
		"given up": {Verdict: record.Inconclusive, Message: "the deployment was out of order: 503"},
		"skipped":  {Verdict: record.NotVerified, Message: "not today"},
	}
	for _, c := range p.Checks() {
		got := c.Result()
		switch w, listed := want[c.Name]; {
		case c.Name == "interrupted":
			if got != nil {
				t.Errorf("what was interrupted was never judged: %+v", got)
			}
		case c.Name == "noted":
			if got.Verdict != record.Fail {
				t.Errorf("a failure after a note: %+v", got)
			}
		case !listed || got.Verdict != w.Verdict || got.Need != w.Need || got.Message != w.Message:
			t.Errorf("%s: %+v, want %+v", c.Name, got, w)
		}
	}
}

// After an interrupt, what had been seen is judged, needs that are unmet are told, and the rest has no result.
func TestAnInterruptLeavesOnlyWhatWasNotSeen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := plan.New()
	p.Require(needing(ruleC))
	done := plan.Observe(p, "done", func(context.Context) (int, error) { return 1, nil })
	stuck := plan.Observe(p, "stuck", func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
	p.It(ruleA, "stuck", plan.After(stuck), func(ctx context.Context) { stuck.Await(ctx) })
	p.It(ruleA, "both", plan.After(done, stuck), func(ctx context.Context) { done.Await(ctx); stuck.Await(ctx) })
	p.It(ruleA, "done", plan.After(done), func(ctx context.Context) { done.Await(ctx) })
	p.It(ruleC, "lacking", plan.After(stuck), func(ctx context.Context) { stuck.Await(ctx) })
	p.Launch(ctx, false)
	if _, err := done.Get(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	p.Wait()
	told := map[string]int{}
	p.Execute(plan.Order{}, func(c *plan.Check) { told[c.Name]++ })
	got := verdicts(p)
	if len(got) != 2 || got["done"] != record.Pass || got["lacking"] != record.NotVerified || told["done"] != 1 || told["lacking"] != 1 || len(told) != 2 {
		t.Errorf("verdicts %v, told %v", got, told)
	}
}

// The order of a random run follows its seed.
func TestRandomOrderFollowsTheSeed(t *testing.T) {
	order := func(o plan.Order) string {
		p := plan.New()
		var told []string
		for _, name := range strings.Split("abcdefgh", "") {
			p.It(ruleA, name, nil, func(context.Context) {})
		}
		p.Launch(t.Context(), true)
		p.Execute(o, func(c *plan.Check) { told = append(told, c.Name) })
		return strings.Join(told, "")
	}
	if got := order(plan.Order{Seed: 3}); got != "abcdefgh" {
		t.Errorf("without chance: %s", got)
	}
	first := order(plan.Order{Random: true, Seed: 3})
	if first == "abcdefgh" || first != order(plan.Order{Random: true, Seed: 3}) || first == order(plan.Order{Random: true, Seed: 4}) {
		t.Errorf("seed 3 gives %s, again %s; seed 4 gives %s", first, order(plan.Order{Random: true, Seed: 3}), order(plan.Order{Random: true, Seed: 4}))
	}
}

// needing makes one rule lack a key of the deployment file.
func needing(rule string) func(rules.Rule) error {
	return func(r rules.Rule) error {
		if r.ID == rule {
			return plan.Unmet("fixtures.window", "")
		}
		return nil
	}
}

// Ctrl-C reaches Ginkgo as well, which then runs no further spec: what had been seen is judged all the same.
func TestWhatGinkgoDidNotReachIsJudged(t *testing.T) {
	kept := make(chan os.Signal, 8) // so that a late signal does not end the tests
	signal.Notify(kept, os.Interrupt)
	defer signal.Stop(kept)
	ctx, cancel := context.WithCancel(t.Context())
	p := plan.New()
	p.Require(needing(ruleC))
	done := plan.Observe(p, "done", func(context.Context) (int, error) { return 1, nil })
	gone := plan.Observe(p, "gone", func(context.Context) (int, error) { return 0, plan.Interrupted })
	never := plan.Observe(p, "never", func(context.Context) (int, error) { return 1, nil })
	p.It(ruleA, "interrupts", nil, func(ctx context.Context) {
		cancel()
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
	})
	p.It(ruleA, "done", plan.After(done), func(ctx context.Context) { done.Await(ctx) })
	p.It(ruleB, "partly done", plan.After(done, gone), func(ctx context.Context) { done.Await(ctx); gone.Await(ctx) })
	p.It(ruleB, "never launched", plan.After(never), func(ctx context.Context) { never.Await(ctx) })
	p.It(ruleC, "lacking", plan.After(never), func(ctx context.Context) { never.Await(ctx) })
	p.It(ruleB, "nothing to await", nil, func(context.Context) {})
	p.Launch(ctx, true)
	_, _ = done.Get(t.Context())
	_, _ = gone.Get(t.Context())
	told := map[string]int{}
	p.Execute(plan.Order{}, func(c *plan.Check) { told[c.Name]++ })
	got := verdicts(p)
	if len(got) != 2 || got["done"] != record.Pass || got["lacking"] != record.NotVerified || len(told) != 2 || told["done"] != 1 || told["lacking"] != 1 {
		t.Errorf("verdicts %v, told %v", got, told)
	}
	if never.Launched() {
		t.Error("something was sent after the interrupt")
	}
	if f := p.Faults(); len(f) != 0 {
		t.Errorf("faults %v", f)
	}
}

// An assertion outside of any check is Ginkgo's to refuse, waivers or not.
func TestAFailureOutsideOfChecksIsRefused(t *testing.T) {
	p := plan.New()
	p.Waive(func(string) bool { return true })
	defer globals.Reset()
	defer func() {
		r := recover()
		if _, ours := r.(runtime.Error); r == nil || ours {
			t.Errorf("recovered %v", r)
		}
	}()
	p.Fail("outside")
}

// A spec that Ginkgo's own filters leave out has no result, and nothing is told of it.
func TestFilteredSpecsHaveNoResult(t *testing.T) {
	p := plan.New()
	p.It(ruleA, "chosen", nil, func(context.Context) {})
	p.It(ruleA, "other", nil, func(context.Context) { t.Error("ran") })
	told := map[string]int{}
	globals.Reset()
	defer globals.Reset()
	stdout := formatter.ColorableStdOut
	formatter.ColorableStdOut = io.Discard
	defer func() { formatter.ColorableStdOut = stdout }()
	gomega.RegisterFailHandler(p.Fail)
	p.Register(func(c *plan.Check) { told[c.Name]++ })
	filter := types.NewDefaultSuiteConfig()
	filter.FocusStrings = []string{"chosen"}
	quiet := types.NewDefaultReporterConfig()
	quiet.Succinct, quiet.NoColor = true, true
	if !ginkgo.RunSpecs(muted{}, "filtered", filter, quiet) {
		t.Error("the run failed")
	}
	if len(told) != 1 || told["chosen"] != 1 || p.Checks()[1].Result() != nil {
		t.Errorf("told %v, the other got %+v", told, p.Checks()[1].Result())
	}
}
