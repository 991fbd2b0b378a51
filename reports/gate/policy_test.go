package gate_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/gate"
)

func TestAPolicyIsReadWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "gate.yaml")
	text := `name: release
max_age: 1d12h
deployments: [staging]
conformance:
  verified: [must, export.range.*]
  waivers: {allowed: [create.required.*], latest: 2026-12-31}
  strict: true
  baseline: last/conform
load:
  thresholds: [p99<300ms, "errors<0.1% for stage 2"]
  baseline: /var/last/load
  tolerance: 10%
capacity: {at_least: 12000/m, thresholds: [p99<300ms], baseline: last/capacity}
`
	testmust.WriteFile(t, path, text)
	p := testmust.Get(gate.Open(path, catalogue()))(t)
	c, l, k := p.Conformance, p.Load, p.Capacity
	if p.Name != "release" || p.MaxAge != 36*time.Hour || !slices.Equal(p.Deployments,
		[]string{"staging"}) {
		t.Errorf("%+v", p)
	}
	if !slices.Equal(c.Verified, []string{"must", "export.range.*"}) || !c.Strict ||
		!slices.Equal(c.Waivers.Allowed,
			[]string{"create.required.*"}) || c.Waivers.Latest.Format(time.DateOnly) != "2026-12-31" ||
		c.Baseline != filepath.Join(dir, "last/conform") {
		t.Errorf("%+v", c)
	}
	if len(l.Thresholds) != 2 || l.Baseline != "/var/last/load" || l.Tolerance != 0.1 ||
		k.AtLeast != 200 || len(k.Thresholds) != 1 || k.Tolerance != 0.05 {
		t.Errorf("%+v %+v", l, k)
	}
}

func TestAMisspeltKeyIsTheOnlyComplaint(t *testing.T) {
	_, err := gate.Parse("gate.yaml", []byte("max_age: 24h\nconformanc: {}\n"), catalogue())
	if err == nil || !strings.Contains(err.Error(), "did you mean conformance?") ||
		strings.Contains(err.Error(), "at least one of") {
		t.Error(err)
	}
}

func TestAPolicyThatCannotBeMeantIsRefusedWithItsPlace(t *testing.T) {
	const age = "max_age: 24h\n"
	for text, want := range map[string]string{
		"":                "expected a policy, found an empty one",
		"conformance: {}": "gate.yaml:1:1: max_age: required, but missing",
		age:               "at least one of conformance, load and capacity",
		"max_age: 24\nload: {}": "gate.yaml:1:10: max_age: expected a duration greater than zero with " +
			"its unit, such as 15s or 2m, found 24",
		"max_age: -1h\nload: {}":            "max_age",
		age + "lod: {}":                     `gate.yaml:2:1: unknown key "lod"; did you mean load?`,
		age + "load:":                       "gate.yaml:2:6: load: expected a value, found nothing",
		age + "name: ''\nload: {}":          "gate.yaml:2:7: name: expected a value, found nothing",
		age + "load: 3":                     "a mapping with the keys thresholds",
		age + "conformance: {verified: []}": "conformance.verified: expected a value, found nothing",
		age + "conformance: {verified: [auth.berer]}": "gate.yaml:2:26: " +
			"conformance.verified[0]: expected a rule of the catalogue that is judged (gateassay rules " +
			"lists them), found \"auth.berer\"",
		age + "conformance: {verified: [auth.observed.both_token_wrong]}": "that is judged (gateassay " +
			"rules lists them), found",
		age + "conformance: {waivers: {latest: 2026-12-31}}": "conformance.waivers.allowed: " +
			"required, but missing",
		age + "conformance: {waivers: {allowed: [nope]}}": "conformance.waivers.allowed[0]",
		age + "conformance: {waivers: {allowed: [auth.*], latest: 31.12.2026}}": "a day such as " +
			"2026-12-31",
		age + "capacity: {thresholds: [p99]}": "capacity.thresholds[0]: expected a threshold",
		age + "load: {thresholds: [p99]}":     "load.thresholds[0]: expected a threshold",
		age + "conformance: {strict: maybe}": "conformance.strict: " +
			"expected true or false, found \"maybe\"",
		age + "load: {tolerance: 5%}":             "load.tolerance: expected a baseline",
		age + "load: {baseline: x, tolerance: 5}": "a share such as 1% or 0.01, below 1",
		age + "capacity: {at_least: fast}":        "which is per second, greater than 0, found",
	} {
		p, err := gate.Parse("gate.yaml", []byte(text), catalogue())
		var problems *strictyaml.Problems
		if p != nil || !errors.As(err, &problems) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
	_, err := gate.Parse("gate.yaml", []byte("max_age: soon\nlod: {}\ncapacity: {at_least: fast}\n"),
		catalogue())
	var problems *strictyaml.Problems
	if !errors.As(err, &problems) || len(problems.All) != 3 {
		t.Errorf("not all problems are told: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("max_age: 24h\nconformance: {verified: [must]}\n")
	f.Add("max_age: &a 24h\nload: {thresholds: [*a, p99<1s]}\n")
	f.Add("a: &a [*a]\n<<: *a\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := gate.Parse("gate.yaml", []byte(text), catalogue())
		if (p == nil) != (err != nil) {
			t.Fatalf("%v and %v", p, err)
		}
		if p != nil && (p.MaxAge <= 0 || p.Conformance == nil && p.Load == nil && p.Capacity == nil) {
			t.Fatalf("a policy that asks for nothing: %+v", p)
		}
		if err != nil && strings.ContainsRune(err.Error(), 0x1b) {
			t.Fatal("a control character reaches the terminal")
		}
	})
}

func TestThePoliciesOfTheDocumentationAreSome(t *testing.T) {
	for page, mark := range map[string]string{
		"gate.md": "```yaml\n", "ci.md": "```yaml\n# gate.yaml\n",
	} {
		data := testmust.Get(os.ReadFile("../../docs/" + page))(t)
		_, rest, _ := strings.Cut(string(data), mark)
		example, _, found := strings.Cut(rest, "```")
		if p, err := gate.Parse("gate.yaml", []byte(example), catalogue()); !found || err != nil ||
			p.Conformance == nil || p.Load == nil {
			t.Errorf("%s: %v", page, err)
		}
	}
}

func TestEveryKeyIsDocumented(t *testing.T) {
	page := testmust.Get(os.ReadFile("../../docs/gate.md"))(t)
	for _, key := range gate.Keys() {
		last := key[strings.LastIndex(key, ".")+1:]
		if !regexp.MustCompile("[`.]" + last + "[`.]").Match(page) {
			t.Errorf("docs/gate.md does not have %s", key)
		}
	}
}
