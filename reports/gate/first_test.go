package gate_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/reports/recorded"
)

func TestAFirstPolicyCanBeReadAndSoCanAllThatItSuggests(t *testing.T) {
	for _, kinds := range [][]recorded.Kind{
		nil,
		{recorded.OfConformance},
		{recorded.OfLoad},
		{recorded.OfConformance, recorded.OfLoad, recorded.OfCapacity},
	} {
		text := gate.First([]string{"staging", `with "quotes": and #`}, kinds)
		p, err := gate.Parse("gate.yaml", text, catalogue())
		if err != nil {
			t.Fatalf("%v: %v\n%s", kinds, err, text)
		}
		if !slices.Equal(p.Deployments, []string{"staging", `with "quotes": and #`}) {
			t.Errorf("deployments %q", p.Deployments)
		}
		if (p.Conformance != nil) != (len(kinds) == 0 || slices.Contains(kinds, recorded.OfConformance)) ||
			(p.Load != nil) != slices.Contains(kinds, recorded.OfLoad) ||
			(p.Capacity != nil) != slices.Contains(kinds, recorded.OfCapacity) {
			t.Errorf("%v: %+v", kinds, p)
		}
		all := regexp.MustCompile(`(?m)^# (name|deployments|conformance|load|capacity|  )`).ReplaceAll(text,
			[]byte("$1"))
		if _, err := gate.Parse("gate.yaml", all, catalogue()); err != nil {
			t.Errorf("with every line: %v\n%s", err, all)
		}
	}
	if p, err := gate.Parse("gate.yaml", gate.First(nil, nil), catalogue()); err != nil ||
		len(p.Deployments) > 0 || p.Conformance == nil {
		t.Errorf("%v, %+v", err, p)
	}
}
