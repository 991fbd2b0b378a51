package traffic

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
)

// memory implements replay protection as documented, for all modes.
type memory map[[3]string]bool

func (m memory) seen(r *Request) [3]string {
	mode := rules.ReplayModes()[r.Mode]
	key := [3]string{string(r.Body)}
	if mode.Nonce {
		key[1] = r.Nonce
	}
	if mode.Transaction {
		key[2] = r.Transaction
	}
	return key
}

func (m memory) accept(r *Request) bool {
	if m[m.seen(r)] {
		return false
	}
	for i := range rules.ReplayModes() {
		as := *r
		as.Mode = i
		m[m.seen(&as)] = true
	}
	return true
}

// TestOnlyRepeatsAreReplays sends two runs with the same seed to one memory.
func TestOnlyRepeatsAreReplays(t *testing.T) {
	s := steady(t, 1000, 10*time.Second)
	m := memory{}
	for _, run := range []string{"first", "second"} {
		o := options(s)
		o.RunID = run
		g := mustNew(t, o)
		l := g.NewLedger(100)
		var r Request
		repeats := 0
		for k := range s.RequestCount() {
			g.Fill(k, &r)
			passed := m.accept(&r)
			if passed == r.Repeat || r.K != k {
				t.Fatalf("%s run, request %d: repeat %v of %d, passed %v, mode %d, body %s", run, k,
					r.Repeat, r.Of, passed, r.Mode, r.Body)
			}
			if r.Repeat {
				repeats++
				if !l.Accepted(r.Of) || r.Expect != judge.ExpectBlock {
					t.Fatalf("the ledger lost request %d before its repeat %d", r.Of, k)
				}
			} else {
				if l.Accepted(k) || r.Expect != judge.ExpectPass && !g.IsPaired(k+1) || r.Of != k {
					t.Fatalf("request %d is fresh, but: %+v", k, r)
				}
				l.Accept(k)
			}
		}
		if share := float64(repeats) / float64(s.RequestCount()); math.Abs(share-0.05) > 0.01 {
			t.Errorf("%d of %d requests are repeats", repeats, s.RequestCount())
		}
	}
}

func TestRepeatsComeAfterTheirOriginals(t *testing.T) {
	stages := []schedule.Stage{
		{From: 1, To: 400, For: 20 * time.Second},
		schedule.ConstantStage(0, 5*time.Second),
		schedule.ConstantStage(900, 3*time.Second),
		schedule.ConstantStage(20, 6*time.Second),
	}
	s := testmust.Get(schedule.New(stages...))(t)
	rapid.Check(t, func(t *rapid.T) {
		o := options(s)
		o.Seed = rapid.Int64().Draw(t, "seed")
		o.Repeats = rapid.Float64Range(0.001, MaxRepeats).Draw(t, "repeats")
		g := testmust.Get(New(o))(t)
		for range 200 {
			k := rapid.Int64Range(0, s.RequestCount()-1).Draw(t, "k")
			of, ok := g.RepeatOf(k)
			if !ok {
				continue
			}
			_, chain := g.RepeatOf(of)
			if of < 0 || chain || !g.IsPaired(k) && s.DueAt(k)-s.DueAt(of) < time.Second ||
				k-of > g.horizon {
				t.Fatalf("request %d at %v repeats %d at %v (itself a repeat: %v)", k, s.DueAt(k), of,
					s.DueAt(of), chain)
			}
		}
	})
}
