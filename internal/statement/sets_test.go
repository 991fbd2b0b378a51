package statement

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
)

func named(ids ...string) []Quote {
	var quotes []Quote
	for i, id := range ids {
		quotes = append(quotes, Quote{
			Identity: id, CreatedAt: DateCell{Empty: true}, SettledDate: DateCell{Empty: true},
			Line: i + 2,
		})
	}
	return quotes
}

func ids(quotes []Quote) string {
	var all []string
	for _, q := range quotes {
		all = append(all, q.Identity)
	}
	return strings.Join(all, " ")
}

func TestSets(t *testing.T) {
	testmust.Equal(t, ids(Difference(named("a", "b", "a", "c"), named("a", "d"))),
		"b a c", "difference")
	twice := named("a", "b", "a", "b", "c")
	twice[3].Cells, twice[4].IdentityIsJoined = 7, true
	if ids, repeated, differing := RepeatedIDs(twice); ids != 2 || len(repeated) != 2 ||
		differing != 1 {
		t.Errorf("%d IDs, %v repeated, %d in rows that differ", ids, repeated, differing)
	}
}

func TestSetLaws(t *testing.T) {
	some := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		a, b := named(some.Draw(t, "a")...), named(some.Draw(t, "b")...)
		if got, want := len(Difference(a, b))-len(Difference(b, a)), len(a)-len(b); got != want {
			t.Errorf("differences are apart by %d, sizes by %d", got, want)
		}
		if SameQuotes(a, b) != (len(Difference(a, b)) == 0 && len(Difference(b, a)) == 0) {
			t.Error("SameRows disagrees with Difference")
		}
		shuffled := slices.Clone(a)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Shuffle(len(shuffled),
			func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if !SameQuotes(a, shuffled) {
			t.Error("order counts")
		}
	})
}
