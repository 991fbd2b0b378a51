package compare

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/record"
)

func observation(values ...record.ObservedValue) []record.Observation {
	if values == nil {
		return nil
	}
	return []record.Observation{{ID: "x", Observed: record.FormatValues(values), Values: values}}
}

func drift(before, after []record.Observation) string {
	var list []string
	rules := map[string]record.RuleResult{"x": {ID: "x"}}
	for _, d := range observationChanges(before, after, rules, rules) {
		for _, p := range d.Changes {
			list = append(list, p.What+": "+p.Before+" → "+p.After)
		}
	}
	return strings.Join(list, " | ")
}

func TestDriftNamesTheValueThatChanged(t *testing.T) {
	seen := func(name string, values ...string) record.ObservedValue {
		return record.ObservedValue{Name: name, Values: values}
	}
	took := func(text string) record.ObservedValue {
		return record.ObservedValue{Name: "took", Values: []string{text}, Varies: true}
	}
	type values = []record.ObservedValue
	for _, c := range []struct {
		before, after values
		want          string
	}{
		{values{seen("", "200")}, values{seen("", "202")}, ": 200 → 202"},
		{values{seen("", "200")}, values{seen("", "200", "202")}, ":  → 202"},
		{
			values{seen("no body", "400"), seen("sort", "400")},
			values{seen("sort", "422"), seen("no body", "400")},
			"sort: 400 → 422",
		},
		{values{seen("a", "1")}, values{seen("b", "1")}, "a: 1 →  | b:  → 1"},
		{
			values{seen("columns", "id", "client")},
			values{seen("columns", "client", "id")},
			"columns: id, client → client, id",
		},
		{values{seen("columns", "id", "client")}, values{seen("columns", "id")}, "columns: client → "},
		{values{seen("state", "READY"), took("1s")}, values{seen("state", "READY"), took("5s")}, ""},
		{nil, values{seen("", "202")}, ":  → 202"},
	} {
		testmust.Equal(t, drift(observation(c.before...), observation(c.after...)),
			c.want, c.before, c.after)
	}
	older := []record.Observation{{ID: "x", Observed: "status: 200"}}
	testmust.Equal(t, drift(older, observation(seen("status", "200"))), "", "a run without values")
	if got := drift(older,
		observation(seen("status", "202"))); got != ": status: 200 → status: 202" {
		t.Errorf("a run without values: %q", got)
	}
}

// A run does not differ from itself, and differences are found in both directions.
func TestDriftHasTwoDirections(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) record.ObservedValue {
		return record.ObservedValue{
			Name:   rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "name"),
			Values: rapid.SliceOfN(rapid.SampledFrom([]string{"1", "2", "3"}), 1, 3).Draw(t, "values"),
			Varies: rapid.Bool().Draw(t, "varies"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a := observation(rapid.SliceOfN(value, 1, 4).Draw(t, "a")...)
		b := observation(rapid.SliceOfN(value, 1, 4).Draw(t, "b")...)
		if got := drift(a, a); got != "" {
			t.Fatalf("it drifts from itself: %s", got)
		}
		if one, other := drift(a, b), drift(b, a); (one == "") != (other == "") {
			t.Fatalf("%q, and back %q", one, other)
		}
	})
}
