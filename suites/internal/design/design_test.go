package design_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/record"
)

// creations returns a design as large as that of the creation of a legal representative.
func creations() design.Design {
	return design.Design{
		Factors: []design.Factor{
			{"method", []string{"token", "key"}},
			{"product", []string{"", "given"}},
			{"on behalf of", []string{"", "target"}},
			{"language", []string{"", "pt-BR", "en-US"}},
			{"qualification", []string{"PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER"}},
			{"pep", []string{"false", "true"}},
			{"public server", []string{"false", "true"}},
			{"country of issue", []string{"", "USA"}},
			{"end of relationship", []string{"", "given"}},
		},
		Constraints: []design.Constraint{
			{
				When:   record.FactorValue{Factor: "on behalf of", Value: "target"},
				Factor: "product",
				Value:  "given",
			},
		},
	}
}

func chance(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func value(d design.Design, c design.Configuration, f design.Factor) string {
	if v, set := c.Value(f.Name); set {
		return v
	}
	return f.Values[0]
}

// Each non-default value is covered together with each of another factor. The control covers the
// defaults.
func TestBlocksMeetEveryPairThatIsAllowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := creations()
		array := slices.Concat(d.Blocks(chance(rapid.Uint64().Draw(t, "seed")), 30)...)
		for i, f := range d.Factors {
			for _, g := range d.Factors[i+1:] {
				for _, v := range f.Values[1:] {
					for _, w := range g.Values[1:] {
						if !slices.ContainsFunc(array,
							func(c design.Configuration) bool { return value(d, c, f) == v && value(d, c, g) == w }) {
							t.Errorf("%s %q is never with %s %q", f.Name, v, g.Name, w)
						}
					}
				}
			}
		}
		for _, c := range array {
			if !d.Allows(c) {
				t.Errorf("%s breaks a constraint", c)
			}
		}
	})
}

func TestBlocksRepeatWithTheirSeedAndKeepToTheirLimit(t *testing.T) {
	d := creations()
	a, b := slices.Concat(d.Blocks(chance(7), 5)...), slices.Concat(d.Blocks(chance(7), 5)...)
	if len(a) != 3 || !slices.EqualFunc(a, b, slices.Equal[design.Configuration]) {
		t.Errorf("two arrays of one seed:\n%v\n%v", a, b)
	}
}

func TestBlocksOfOneFactorHaveEachOfItsValues(t *testing.T) {
	d := design.Design{Factors: []design.Factor{{"order", []string{"", "asc", "desc"}}}}
	if blocks := d.Blocks(chance(1), 10); len(slices.Concat(blocks...)) < 2 {
		t.Errorf("got %v", blocks)
	}
	testmust.Equal(t, len((design.Design{}).Blocks(chance(1), 10)), 0, "a design without factors")
}

func TestBlocksMeetEveryValueAndAssignOneToEachRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, seed := creations(), rapid.Uint64().Draw(t, "seed")
		blocks := d.Blocks(chance(seed), 10)
		if len(blocks) != 3 || len(blocks[0]) != 3 {
			t.Fatalf("got %d blocks, expected 3 of 3", len(blocks))
		}
		for n := 1; n <= 5; n++ {
			cases := design.AssignBlocks(blocks, n, chance(seed))
			all := slices.Concat(cases...)
			if len(cases) != n || len(all) != max(n, 3) || slices.ContainsFunc(cases,
				func(c []design.Configuration) bool { return len(c) == 0 }) {
				t.Fatalf("%d cases have the contexts %v", n, cases)
			}
			for _, f := range d.Factors {
				for _, v := range f.Values[1:] {
					if !slices.ContainsFunc(all,
						func(c design.Configuration) bool { return value(d, c, f) == v }) {
						t.Errorf("%d cases never meet %s %q", n, f.Name, v)
					}
				}
			}
		}
		for _, c := range slices.Concat(blocks...) {
			if !d.Allows(c) {
				t.Errorf("%s breaks a constraint", c)
			}
		}
	})
	if cases := design.AssignBlocks(nil, 2, chance(1)); len(cases) != 2 || len(cases[0]) != 1 ||
		len(cases[0][0]) != 0 {
		t.Errorf("without contexts each case is sent plain, got %v", cases)
	}
}

func TestMinimiseFindsWhatAFailureNeeds(t *testing.T) {
	d := creations()
	whole := design.Configuration{
		{Factor: "method", Value: "key"},
		{Factor: "product", Value: "given"},
		{Factor: "on behalf of", Value: "target"},
		{Factor: "language", Value: "en-US"},
		{Factor: "pep", Value: "true"},
		{Factor: "country of issue", Value: "USA"},
	}
	rapid.Check(t, func(t *rapid.T) {
		needed := rapid.SliceOfNDistinct(rapid.SampledFrom(whole), 0, len(whole), rapid.ID).Draw(t,
			"needed")
		if slices.Contains(needed, whole[2]) && !slices.Contains(needed, whole[1]) {
			needed = append(needed, whole[1]) // required by the other
		}
		asked := 0
		found := d.MinimiseConfiguration(whole, func(c design.Configuration) bool {
			if asked++; !d.Allows(c) {
				t.Errorf("asked about %s", c)
			}
			return !slices.ContainsFunc(needed,
				func(s record.FactorValue) bool { return !slices.Contains(c, s) })
		})
		if len(found) != len(needed) || slices.ContainsFunc(needed,
			func(s record.FactorValue) bool { return !slices.Contains(found, s) }) {
			t.Errorf("needs %v, found %v after %d questions", needed, found, asked)
		}
	})
}
