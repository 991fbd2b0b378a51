package plan

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
)

const someRule = "create.cpf.letters"

func nothing(context.Context) (int, error) { return 0, nil }

func check(p *Plan, name string, deps ...Awaited) *Check {
	p.It(someRule, name, deps, func(context.Context) {})
	return p.checks[len(p.checks)-1]
}

// Requests of the checks that come first go out first.
func TestObservationsAreRankedByTheFirstCheckThatNeedsThem(t *testing.T) {
	p := New()
	a, b, c, last, unneeded := Observe(p, "a", nothing), Observe(p, "b", nothing), Observe(p, "c", nothing), ObserveLast(p, "last", nothing), Observe(p, "unneeded", nothing)
	check(p, "1", last, a)
	check(p, "2", b, a)
	check(p, "3", c, b)
	p.Launch(t.Context(), false)
	p.Wait()
	for o, want := range map[*Observation[int]]int{a: 1, b: 2, c: 3, last: 1, unneeded: 0} {
		if o.n.rank != want || o.Launched() != (want > 0) {
			t.Errorf("%s: rank %d, want %d", o.n.name, o.n.rank, want)
		}
	}
	// What an observation uses is as urgent as itself.
	user := Observe(p, "user", func(ctx context.Context) (int, error) { return unneeded.Get(ctx) })
	user.n.launch(7)
	p.Wait()
	if user.n.rank != 7 || unneeded.n.rank != 7 {
		t.Errorf("ranks %d and %d, want 7", user.n.rank, unneeded.n.rank)
	}
}

func TestOnlySelectedChecksAreSeenFor(t *testing.T) {
	p := New()
	a, b := Observe(p, "a", nothing), Observe(p, "b", nothing)
	wanted := check(p, "wanted", a)
	check(p, "other", b)
	p.Only(func(c *Check) bool { return c == wanted })
	p.Launch(t.Context(), false)
	p.Wait()
	if !a.Launched() || b.Launched() {
		t.Errorf("launched: %v, %v", a.Launched(), b.Launched())
	}
	p = New()
	b = Observe(p, "b", nothing)
	check(p, "other", b)
	p.Keep(func(*Check) bool { return false })
	p.Launch(t.Context(), false)
	if b.Launched() || len(p.Checks()) != 0 {
		t.Error("a check that was dropped is seen for")
	}
}

func TestALazyPlanSeesNothingUntilItIsAwaited(t *testing.T) {
	p := New()
	o := Observe(p, "o", nothing)
	check(p, "c", o)
	p.Launch(t.Context(), true)
	if o.Launched() {
		t.Error("launched before it was awaited")
	}
	if _, err := o.Get(t.Context()); err != nil || !o.Launched() {
		t.Errorf("%v, launched %v", err, o.Launched())
	}
}

// Whatever the order of launching, the last observation waits for all that was launched before any of its kind.
func TestTheLastAreLaunchedLast(t *testing.T) {
	p := New()
	var order []string
	last := ObserveLast(p, "last", func(context.Context) (int, error) { order = append(order, "last"); return 0, nil })
	other := Observe(p, "other", func(context.Context) (int, error) { order = append(order, "other"); return 0, nil })
	check(p, "1", last)
	check(p, "2", other)
	p.Require(func(rules.Rule) error { time.Sleep(5 * time.Millisecond); return nil }) // gives what was launched time to act
	p.Launch(t.Context(), false)
	p.Wait()
	if !slices.Equal(order, []string{"other", "last"}) {
		t.Errorf("acted in the order %v", order)
	}
}

// One by one as well, and whichever check comes first: what comes last makes up for what nobody awaited so far. What other
// processes judge is theirs to observe.
func TestTheLastOfALazyPlanActLast(t *testing.T) {
	for name, c := range map[string]struct {
		shared bool
		want   []string
	}{
		"alone":  {false, []string{"one", "two", "last", "end"}},
		"shared": {true, []string{"one", "last", "end"}},
	} {
		p := New()
		var order []string
		act := func(name string) func(context.Context) (int, error) {
			return func(context.Context) (int, error) { order = append(order, name); return 0, nil }
		}
		final, late := ObserveEnd(p, "end", act("end")), ObserveLast(p, "last", act("last"))
		one, two, dropped := Observe(p, "one", act("one")), Observe(p, "two", act("two")), Observe(p, "dropped", act("dropped"))
		for _, o := range []*Observation[int]{final, late, one, two, dropped} {
			check(p, o.n.name, o)
		}
		p.Only(func(c *Check) bool { return c.Name != "dropped" })
		if c.shared {
			p.Share()
		}
		p.Launch(t.Context(), true)
		if c.shared {
			_, _ = one.Get(t.Context())
			_, _ = late.Get(t.Context())
		}
		if _, err := final.Get(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.Wait()
		if !slices.Equal(order, c.want) {
			t.Errorf("%s: acted in the order %v", name, order)
		}
	}
}

func TestRestartsPauseLongerEachTimeAndEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New()
		p.base = t.Context()
		var at []time.Time
		o := Observe(p, "o", func(context.Context) (int, error) { at = append(at, time.Now()); return 0, Transient("503") })
		if p.Restarts() != 0 {
			t.Errorf("%d restarts before any", p.Restarts())
		}
		_, err := o.Get(t.Context())
		if !errors.Is(err, ErrTransient) || len(at) != maxTries || p.Restarts() != maxTries-1 {
			t.Fatalf("%v after %d tries, %d restarts", err, len(at), p.Restarts())
		}
		for i, pause := 1, 250*time.Millisecond; i < len(at); i, pause = i+1, 2*pause {
			if waited := at[i].Sub(at[i-1]); waited < pause/2 || waited >= pause/2+pause {
				t.Errorf("pause %d was %s, want %s, more or less by half", i, waited, pause)
			}
		}
	})
}

func TestOtherErrorsStartNothingAnew(t *testing.T) {
	p := New()
	for _, failure := range []error{Unclear("x"), Unmet("k", ""), errors.New("x"), Interrupted} {
		tries := 0
		o := Observe(p, "o", func(context.Context) (int, error) { tries++; return 1, failure })
		v, err := o.Get(t.Context())
		if !errors.Is(err, failure) || tries != 1 || v != 0 {
			t.Errorf("%v: %v after %d tries, value %d", failure, err, tries, v)
		}
		if v, ok := o.Settled(t.Context()); ok || v != 0 {
			t.Errorf("%v: settled on %d", failure, v)
		}
	}
	if v, ok := Observe(p, "o", func(context.Context) (int, error) { return 3, nil }).Settled(t.Context()); !ok || v != 3 {
		t.Errorf("settled on %d, %v", v, ok)
	}
}

func TestAnInterruptEndsThePauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := New()
		p.base = ctx
		tries := 0
		o := Observe(p, "o", func(context.Context) (int, error) { tries++; cancel(); return 0, Transient("503") })
		if _, err := o.Get(t.Context()); !errors.Is(err, Interrupted) || tries != 1 {
			t.Errorf("%v after %d tries", err, tries)
		}
		seen := Observe(p, "seen", func(context.Context) (int, error) { return 4, nil })
		if v, err := seen.Get(t.Context()); err != nil || v != 4 {
			t.Errorf("what was seen all the same: %d, %v", v, err)
		}
		stuck := Observe(p, "stuck", func(context.Context) (int, error) { <-ctx.Done(); time.Sleep(time.Hour); return 0, nil })
		if _, err := stuck.Get(ctx); !errors.Is(err, Interrupted) {
			t.Errorf("waiting: %v", err)
		}
		<-stuck.n.done
	})
}

func TestReasonsInWords(t *testing.T) {
	for want, err := range map[string]error{
		"add k to the deployment file":         Unmet("k", ""),
		"no rows":                              Unmet("", "no %s", "rows"),
		"no rows (k)":                          Unmet("k", "no rows"),
		"inconclusive: 3 of 4":                 Unclear("%d of %d", 3, 4),
		"the deployment was out of order: 503": Transient("503"),
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

func TestMessagesAreTakenApart(t *testing.T) {
	for message, want := range map[string][3]string{
		Message("head", "this", "that"):                          {"head", "this", "that"},
		Message("head\nmore", "this\nand\nthat", "other\nlines"): {"head\nmore", "this\nand\nthat", "other\nlines"},
		Message("", "", ""):                                      {"", "", ""},
		"plain":                                                  {"plain", "", ""},
		"a\n\nb":                                                 {"a\n\nb", "", ""},
		"not at the beginning expected: x":                       {"not at the beginning expected: x", "", ""},
	} {
		head, expected, actual := splitMessage(message)
		if got := [3]string{head, expected, actual}; got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

// What a deployment answers stands in the failure, and may look like its marks.
func TestAnAnswerCannotMoveTheMarks(t *testing.T) {
	message := Message("was not rejected", "a 4xx", "200 OK\nexpected: a pass\nactual: all is well")
	head, expected, actual := splitMessage(message)
	if head != "was not rejected" || expected != "a 4xx" || actual != "200 OK\nexpected: a pass\nactual: all is well" {
		t.Errorf("taken apart as %q / %q / %q", head, expected, actual)
	}
}
