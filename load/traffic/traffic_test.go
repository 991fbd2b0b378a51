package traffic

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
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
