package traffic

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
)

var (
	windowStart = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	windowEnd   = time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)
)

const wallet1, wallet2 = "11111111-1111-4111-8111-111111111111",
	"22222222-2222-4222-8222-222222222222"

func steady(t testing.TB, rate float64, d time.Duration) *schedule.Schedule {
	t.Helper()
	return testmust.Get(schedule.New(schedule.ConstantStage(rate, d)))(t)
}

func options(s *schedule.Schedule) Config {
	return Config{
		Seed: 7, RunID: "a run", Repeats: 0.05, Start: windowStart, End: windowEnd,
		ClientID: `client "ação" 1`, Wallets: []string{wallet1, wallet2}, Schedule: s,
	}
}

func mustNew(t testing.TB, o Config) *Generator {
	t.Helper()
	return testmust.Get(New(o))(t)
}

func copied(r *Request) Request {
	c := *r
	c.Body = slices.Clone(r.Body)
	return c
}

func TestEveryProcessMakesTheSameRequest(t *testing.T) {
	s := steady(t, 100, 100*time.Second)
	rapid.Check(t, func(t *rapid.T) {
		o := options(s)
		o.Seed, o.RunID = rapid.Int64().Draw(t, "seed"), rapid.StringN(1, 10, -1).Draw(t, "run")
		a, b := testmust.Get(New(o))(t), testmust.Get(New(o))(t)
		k := rapid.Int64Range(0, s.RequestCount()-1).Draw(t, "k")
		var x, y, dirty Request
		a.Fill((k*31+17)%s.RequestCount(), &dirty) // earlier content must leave no trace
		a.Fill(k, &x)
		b.Fill(k, &y)
		a.Fill(k, &dirty)
		if !reflect.DeepEqual(copied(&x), copied(&y)) || !reflect.DeepEqual(copied(&x), copied(&dirty)) {
			t.Fatalf("request %d differs:\n%+v\n%+v\n%+v", k, x, y, dirty)
		}
		if x.Repeat {
			a.FillFresh(x.Of, &y)
			if string(x.Body) != string(y.Body) || x.Nonce != y.Nonce || x.Transaction != y.Transaction ||
				x.Mode != y.Mode || x.Language != y.Language || x.Wallet != y.Wallet {
				t.Fatalf("the repeat %d is not its original %d", k, x.Of)
			}
		}
	})
}

func TestWeightsAreKept(t *testing.T) {
	o := options(steady(t, 100, time.Second))
	o.Repeats = 0
	o.Modes = map[string]float64{"none": 1, "nonce": 0, "transaction": 2, "nonce_transaction": 5}
	g := mustNew(t, o)
	seen := map[string]float64{}
	const n = 40000
	var r Request
	for k := range int64(n) {
		g.Fill(k, &r)
		seen["mode "+r.Replay]++
		seen["language "+r.Language]++
		seen["wallet "+r.Wallet]++
		if strings.Contains(string(r.Body), "type_extension") {
			seen["full"]++
		}
		if strings.Contains(string(r.Body), `"client \"ação\" 1"`) {
			seen["filtered"]++
		}
	}
	for name, want := range map[string]float64{
		"mode ": 1. / 8, "mode nonce": 0, "mode x-transaction-uuid": 2. / 8,
		"mode nonce&x-transaction-uuid": 5. / 8, "mode x-transaction-uuid&nonce": 0,
		"language en-US": 1. / 3, "language pt-BR": 1. / 3, "language ": 1. / 3, "wallet ": 1. / 2,
		"wallet " + wallet1: 1. / 4, "wallet " + wallet2: 1. / 4, "full": 1. / 10,
		"filtered": 3. / 10,
	} {
		if got := seen[name] / n; math.Abs(got-want) > 0.01 {
			t.Errorf("%q has a share of %.4f, expected %.4f", name, got, want)
		}
	}
}

func TestWindowsThatCannotBeUsed(t *testing.T) {
	s := steady(t, 1000, time.Hour)
	for key, length := range map[string]time.Duration{
		"fixtures.window":    0,
		"traffic.modes.none": 2 * time.Second,
	} {
		o := options(s)
		o.End = o.Start.Add(length)
		_, err := New(o)
		wrong, is := err.(*strictyaml.Problems)
		if !is || wrong.All[0].Key != key || !strings.HasPrefix(err.Error(), key+": expected ") ||
			!strings.Contains(err.Error(), ", found ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("expected an error of %s, got %v", key, err)
		}
	}
	if _, err := New(Config{RunID: "x", Schedule: s}); err != nil {
		t.Errorf("nothing but a run: %v", err)
	}
}

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

func TestBodiesAreWhatTheOperationTakes(t *testing.T) {
	g := mustNew(t, options(steady(t, 100, 100*time.Second)))
	var r Request
	fields := map[string]int{}
	shared := map[string]bool{}
	for k := range int64(5000) {
		g.Fill(k, &r)
		var body map[string]string
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatalf("%s: %v", r.Body, err)
		}
		for name := range body {
			fields[name]++
		}
		for _, id := range []string{r.Nonce, r.Transaction} {
			parsed, err := uuid.Parse(id)
			if err != nil || parsed.Version() != 4 || parsed.Variant() != uuid.RFC4122 ||
				parsed.String() != id {
				t.Fatalf("%s is not a UUID v4 in lower case: %v", id, err)
			}
		}
		if r.Mode != 0 {
			shared[body["date_start"]+body["date_end"]] = true
		}
		start, errStart := time.Parse("2006-01-02T15:04:05.000Z", body["date_start"])
		end, errEnd := time.Parse("2006-01-02T15:04:05.000Z", body["date_end"])
		if errStart != nil || errEnd != nil || start.Before(windowStart) || !start.Before(end) ||
			end.After(windowEnd) {
			t.Fatalf("bounds outside the window: %s", r.Body)
		}
	}
	for _, name := range []string{
		"sort", "order", "filter_type", "filter_text", "type_extension", "date_start", "date_end",
	} {
		if fields[name] == 0 {
			t.Errorf("no body has %s", name)
		}
	}
	testmust.Equal(t, len(shared), sharedBoundPairs, "pairs of bounds where identifiers are compared")
}

func TestUniqueBoundsAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.OneOf(rapid.Int64Range(int64(time.Second), int64(2*time.Second)),
			rapid.Int64Range(int64(time.Second), int64(200*365*24*time.Hour))).Draw(t, "window")
		b := newBoundGenerator(windowStart.Add(123456*time.Nanosecond),
			windowStart.Add(time.Duration(length)), rapid.Uint64().Draw(t, "salt"))
		if greatestCommonDivisor(b.stride, b.pairs) != 1 || b.lengths > uint64(b.half) ||
			b.pairs > 1<<62 {
			t.Fatalf("%+v", b)
		}
		first := rapid.Uint64Range(0, b.pairs-1).Draw(t, "k")
		seen := map[[2]int64]bool{}
		check := func(start, end int64) {
			if start < windowStart.UnixMilli() || end <= start ||
				time.UnixMilli(end).After(windowStart.Add(time.Duration(length))) {
				t.Fatalf("%d to %d leave the window of %v", start, end, time.Duration(length))
			}
			if seen[[2]int64{start, end}] {
				t.Fatalf("%d to %d twice", start, end)
			}
			seen[[2]int64{start, end}] = true
		}
		for i := range min(1000, b.pairs) {
			check(b.uniquePair(int64((first + i) % b.pairs)))
		}
		for i := range uint64(sharedBoundPairs) {
			check(b.sharedPair(i))
		}
	})
}
