package traffic

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
)

var (
	windowStart = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	windowEnd   = time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)
)

const wallet1, wallet2 = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"

func steady(t testing.TB, rate float64, d time.Duration) *schedule.Schedule {
	t.Helper()
	s, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: rate, For: d})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func options(s *schedule.Schedule) Options {
	return Options{
		Seed: 7, RunID: "a run", Repeats: 0.05, Start: windowStart, End: windowEnd,
		ClientID: `client "ação" 1`, Default: wallet1, Other: wallet2, Schedule: s,
		Bodies: Weights{"range": 1, "sorted": 1, "filtered": 1, "full": 1, "empty": 1},
	}
}

func mustNew(t testing.TB, o Options) *Generator {
	t.Helper()
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func copied(r *Request) Request {
	c := *r
	c.Body = slices.Clone(r.Body)
	c.block = [16]byte{}
	return c
}

// memory is replay protection as the document has it, over requests of every mode.
type memory map[[3]string]bool

func (m memory) seen(r *Request) [3]string {
	mode := rules.Modes()[r.Mode]
	key := [3]string{string(r.Body)}
	if mode.Nonce {
		key[1] = string(r.Nonce[:])
	}
	if mode.Transaction {
		key[2] = string(r.Transaction[:])
	}
	return key
}

func (m memory) accept(r *Request) bool {
	if m[m.seen(r)] {
		return false
	}
	for i := range rules.Modes() {
		as := *r
		as.Mode = i
		m[m.seen(&as)] = true
	}
	return true
}

// TestOnlyRepeatsAreReplays plays two runs of one seed against one memory.
func TestOnlyRepeatsAreReplays(t *testing.T) {
	s := steady(t, 2000, 20*time.Second)
	m := memory{}
	for _, run := range []string{"first", "second"} {
		o := options(s)
		o.RunID = run
		g := mustNew(t, o)
		l := g.NewLedger(100)
		var r Request
		repeats := 0
		for k := range s.K() {
			g.Fill(k, &r)
			passed := m.accept(&r)
			if passed == r.Repeat || r.K != k {
				t.Fatalf("%s run, request %d: repeat %v of %d, passed %v, mode %d, body %s", run, k, r.Repeat, r.Of, passed, r.Mode, r.Body)
			}
			if r.Repeat {
				repeats++
				if !l.Accepted(r.Of) || r.Expect != judge.Block {
					t.Fatalf("the ledger lost request %d before its repeat %d", r.Of, k)
				}
			} else {
				if l.Accepted(k) || r.Expect != judge.Pass || r.Of != k {
					t.Fatalf("request %d is fresh, but: %+v", k, r)
				}
				l.Accept(k)
			}
		}
		if share := float64(repeats) / float64(s.K()); math.Abs(share-0.05) > 0.01 {
			t.Errorf("%d of %d requests are repeats", repeats, s.K())
		}
	}
}

func TestEveryProcessMakesTheSameRequest(t *testing.T) {
	s := steady(t, 100, 100*time.Second)
	rapid.Check(t, func(t *rapid.T) {
		o := options(s)
		o.Seed, o.RunID = rapid.Int64().Draw(t, "seed"), rapid.StringN(1, 10, -1).Draw(t, "run")
		a, errA := New(o)
		o.Bodies = Weights{"empty": 2, "full": 2, "filtered": 2, "sorted": 2, "range": 2} // the same shares
		b, errB := New(o)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		k := rapid.Int64Range(0, s.K()-1).Draw(t, "k")
		var x, y, dirty Request
		a.Fill((k*31+17)%s.K(), &dirty) // what was there before leaves no trace
		a.Fill(k, &x)
		b.Fill(k, &y)
		a.Fill(k, &dirty)
		if !reflect.DeepEqual(copied(&x), copied(&y)) || !reflect.DeepEqual(copied(&x), copied(&dirty)) {
			t.Fatalf("request %d differs:\n%+v\n%+v\n%+v", k, x, y, dirty)
		}
		if x.Repeat {
			a.FillFresh(x.Of, &y)
			if string(x.Body) != string(y.Body) || x.Nonce != y.Nonce || x.Transaction != y.Transaction || x.Mode != y.Mode || x.Language != y.Language || x.Wallet != y.Wallet {
				t.Fatalf("the repeat %d is not its original %d", k, x.Of)
			}
		}
	})
}

func TestRunsOfOneSeedDifferOnlyInWhatMustBeNew(t *testing.T) {
	o := options(steady(t, 100, 100*time.Second))
	a := mustNew(t, o)
	o.RunID = "another run"
	b := mustNew(t, o)
	var x, y Request
	for k := range int64(2000) {
		a.Fill(k, &x)
		b.Fill(k, &y)
		if x.Mode != y.Mode || x.Repeat != y.Repeat || x.Of != y.Of || x.Language != y.Language || x.Wallet != y.Wallet {
			t.Fatalf("request %d: another mix: %+v, %+v", k, x, y)
		}
		if x.Nonce == y.Nonce || x.Transaction == y.Transaction || x.Nonce == x.Transaction {
			t.Fatalf("request %d: identifiers are shared", k)
		}
		if x.Mode == 0 && string(x.Body) == string(y.Body) {
			t.Fatalf("request %d: %s in both runs", k, x.Body)
		}
	}
}

func TestRepeatsComeAfterTheirOriginals(t *testing.T) {
	stages := []schedule.Stage{
		{Kind: schedule.Ramp, From: 1, To: 400, For: 20 * time.Second},
		{Kind: schedule.Constant, For: 5 * time.Second},
		{Kind: schedule.Spike, Base: 20, Peak: 900, At: time.Second, Width: 3 * time.Second, For: 10 * time.Second},
	}
	s, err := schedule.New(stages...)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		o := options(s)
		o.Seed, o.Shards = rapid.Int64().Draw(t, "seed"), rapid.IntRange(0, 16).Draw(t, "shards")
		o.Repeats = rapid.Float64Range(0.001, MaxRepeats).Draw(t, "repeats")
		g, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			k := rapid.Int64Range(0, s.K()-1).Draw(t, "k")
			of, ok := g.Repeats(k)
			if !ok {
				continue
			}
			_, chain := g.Repeats(of)
			if of < 0 || chain || s.At(k)-s.At(of) < time.Second || k-of > g.Horizon() || (k-of)%int64(max(o.Shards, 1)) != 0 {
				t.Fatalf("request %d at %v repeats %d at %v (itself a repeat: %v), %d shards", k, s.At(k), of, s.At(of), chain, o.Shards)
			}
		}
	})
}

func TestRepeatsAreOfEveryAge(t *testing.T) {
	s := steady(t, 500, time.Hour)
	g := mustNew(t, options(s))
	ages := map[int]int{}
	for k := range s.K() {
		if of, ok := g.Repeats(k); ok {
			ages[int(math.Log2((s.At(k)-s.At(of)).Seconds()))]++
		}
	}
	for octave := range 11 { // from a second to half an hour
		if ages[octave] < 1000 {
			t.Errorf("only %d repeats come 2^%d s after their original: %v", ages[octave], octave, ages)
		}
	}
}

func TestWeightsAreKept(t *testing.T) {
	o := options(steady(t, 100, time.Second))
	o.Repeats = 0
	o.Modes = Weights{"none": 1, "nonce": 0, "transaction": 2, "nonce_transaction": 5}
	o.Bodies = Weights{"empty": 1, "filtered": 3}
	o.Languages = Weights{"en-US": 1, "none": 3}
	o.Wallets = Weights{"other": 1, wallet1: 1, "none": 2}
	g := mustNew(t, o)
	seen := map[string]float64{}
	const n = 40000
	var r Request
	for k := range int64(n) {
		g.Fill(k, &r)
		seen["mode "+r.Replay]++
		seen["language "+r.Language]++
		seen["wallet "+r.Wallet]++
		if r.Mode != 0 && string(r.Body) == "{}" {
			seen["empty"]++
		}
		if strings.Contains(string(r.Body), `"client \"ação\" 1"`) {
			seen["filtered"]++
		}
	}
	for name, want := range map[string]float64{
		"mode ": 1. / 8, "mode nonce": 0, "mode x-transaction-uuid": 2. / 8, "mode nonce&x-transaction-uuid": 5. / 8, "mode x-transaction-uuid&nonce": 0,
		"language en-US": 1. / 4, "language ": 3. / 4, "wallet ": 1. / 2, "wallet " + wallet1: 1. / 4, "wallet " + wallet2: 1. / 4,
		"empty": 7. / 8 / 4, "filtered": 3. / 4,
	} {
		if got := seen[name] / n; math.Abs(got-want) > 0.01 {
			t.Errorf("%q has a share of %.4f, expected %.4f", name, got, want)
		}
	}
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
		for _, id := range [][36]byte{r.Nonce, r.Transaction} {
			parsed, err := uuid.Parse(string(id[:]))
			if err != nil || parsed.Version() != 4 || parsed.Variant() != uuid.RFC4122 || parsed.String() != string(id[:]) {
				t.Fatalf("%s is no UUID v4 in lower case: %v", id, err)
			}
		}
		if r.Mode != 0 {
			shared[body["date_start"]+body["date_end"]] = true
		}
		if len(body) == 0 {
			if r.Mode == 0 {
				t.Fatal("an empty body where the body alone is compared")
			}
			continue
		}
		start, errStart := time.Parse("2006-01-02T15:04:05.000Z", body["date_start"])
		end, errEnd := time.Parse("2006-01-02T15:04:05.000Z", body["date_end"])
		if errStart != nil || errEnd != nil || start.Before(windowStart) || !start.Before(end) || end.After(windowEnd) {
			t.Fatalf("bounds outside the window: %s", r.Body)
		}
	}
	for _, name := range []string{"sort", "order", "filter_type", "filter_text", "type_extension", "date_start", "date_end"} {
		if fields[name] == 0 {
			t.Errorf("no body has %s", name)
		}
	}
	if len(shared) != palette+1 {
		t.Errorf("%d pairs of bounds where identifiers are compared, expected %d and none", len(shared), palette)
	}
}

func TestUniqueBoundsAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.OneOf(rapid.Int64Range(int64(time.Second), int64(2*time.Second)), rapid.Int64Range(int64(time.Second), int64(200*365*24*time.Hour))).Draw(t, "window")
		b := newBounds(windowStart.Add(123456*time.Nanosecond), windowStart.Add(time.Duration(length)), rapid.Uint64().Draw(t, "salt"))
		if divisor(b.stride, b.pairs) != 1 || b.lengths > uint64(b.half) || b.pairs > 1<<62 {
			t.Fatalf("%+v", b)
		}
		first := rapid.Uint64Range(0, b.pairs-1).Draw(t, "k")
		seen := map[[2]int64]bool{}
		check := func(start, end int64) {
			if start < windowStart.UnixMilli() || end <= start || time.UnixMilli(end).After(windowStart.Add(time.Duration(length))) {
				t.Fatalf("%d to %d leave the window of %v", start, end, time.Duration(length))
			}
			if seen[[2]int64{start, end}] {
				t.Fatalf("%d to %d twice", start, end)
			}
			seen[[2]int64{start, end}] = true
		}
		for i := range min(1000, b.pairs) {
			check(b.unique(int64((first + i) % b.pairs)))
		}
		for i := range uint64(palette) {
			check(b.shared(i))
		}
	})
}

func TestInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli(), time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC).UnixMilli()
		ms := rapid.Int64Range(low, high).Draw(t, "ms")
		if got, want := string(appendInstant(nil, ms)), time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z"); got != want {
			t.Fatalf("%s, expected %s", got, want)
		}
	})
	for at := time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC); at.Year() < 2105; at = at.AddDate(0, 0, 1) {
		if got := string(appendInstant(nil, at.UnixMilli())); got != at.Format("2006-01-02T15:04:05.000Z") {
			t.Fatalf("%s, expected %s", got, at)
		}
	}
}

func TestOptionsThatCannotBeUsed(t *testing.T) {
	s := steady(t, 1000, time.Hour)
	for _, c := range []struct {
		key  string
		with func(o *Options)
	}{
		{"run_id", func(o *Options) { o.RunID = "" }},
		{"traffic.modes.Nonce", func(o *Options) { o.Modes = Weights{"Nonce": 1} }},
		{"traffic.modes", func(o *Options) { o.Modes = Weights{"nonce": 0} }},
		{"traffic.modes", func(o *Options) { o.Modes = Weights{} }},
		{"traffic.bodies.range", func(o *Options) { o.Bodies = Weights{"range": -1} }},
		{"traffic.bodies.range", func(o *Options) { o.Bodies = Weights{"range": math.NaN()} }},
		{"traffic.bodies.filtered", func(o *Options) { o.ClientID = "" }},
		{"traffic.languages.pt", func(o *Options) { o.Languages = Weights{"pt": 1} }},
		{"traffic.wallets.mine", func(o *Options) { o.Wallets = Weights{"mine": 1} }},
		{"traffic.wallets.other", func(o *Options) { o.Wallets, o.Other = Weights{"other": 1}, "" }},
		{"repeats", func(o *Options) { o.Repeats = 0.6 }},
		{"repeats", func(o *Options) { o.Repeats = math.NaN() }},
		{"repeats", func(o *Options) { o.Schedule = nil }},
		{"fixtures.window", func(o *Options) { o.End = o.Start }},
		{"fixtures.window", func(o *Options) { o.Start = time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC) }},
		{"traffic.modes.none", func(o *Options) { o.End = o.Start.Add(2 * time.Second) }},
	} {
		o := options(s)
		c.with(&o)
		_, err := New(o)
		var e *OptionError
		if !errors.As(err, &e) || e.Key != c.key || e.Expected == "" || e.Found == "" {
			t.Errorf("expected an error of %s, got %v", c.key, err)
		}
	}
	if _, err := New(Options{RunID: "x", Schedule: s}); err != nil {
		t.Errorf("nothing but a run: %v", err)
	}
}

func TestLedgerForgetsNothingWithinReach(t *testing.T) {
	g := mustNew(t, options(steady(t, 1e5, time.Minute)))
	l := g.NewLedger(1000)
	accepted := func(k int64) bool { return k%3 == 0 }
	for k := range int64(6_000_000) {
		if accepted(k) {
			l.Accept(k)
		}
		if old := k - g.Horizon() - 1000; k%997 == 0 && old >= 0 && l.Accepted(old) != accepted(old) {
			t.Fatalf("at %d, request %d: %v", k, old, l.Accepted(old))
		}
	}
	if none := (&Generator{}).NewLedger(10); none.Accepted(0) {
		t.Error("an empty ledger knows of request 0")
	}
}

func TestFillAllocatesNothing(t *testing.T) {
	s := steady(t, 1000, time.Hour)
	g := mustNew(t, options(s))
	l := g.NewLedger(64)
	r := &Request{Body: make([]byte, 0, 512)}
	k := int64(0)
	if n := testing.AllocsPerRun(20000, func() {
		g.Fill(k, r)
		if !r.Repeat || l.Accepted(r.Of) {
			l.Accept(k)
		}
		k += 7
	}); n != 0 {
		t.Errorf("%v allocations for each request", n)
	}
}

func BenchmarkFill(b *testing.B) {
	g := mustNew(b, options(steady(b, 5000, 24*time.Hour)))
	r := &Request{Body: make([]byte, 0, 512)}
	k := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		g.Fill(k, r)
		k++
	}
}
