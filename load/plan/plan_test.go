package plan

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/internal/yamlschema"
	"github.com/gateassay/gateassay/load/schedule"
)

const everything = `
name: a night
seed: 42
stages:
  - {name: up, ramp: [10/s, 1200/m], for: 3s}
  - {rate: 7200/h, for: 1d12h}
traffic:
  modes: {none: 1, nonce: 3}
repeats: 2%
track_files: 0.005
slo: ["p99<300ms", "errors<0.1% for stage up"]
abort_on: ["errors>20% for 10s"]
fail_on_misblock: false
engine: vegeta
http: "2"
connections: 64
max_in_flight: 1_000
timeout: 5s
keep_alive: false
`

func TestEveryKey(t *testing.T) {
	p := testmust.Get(Parse("plan.yaml", []byte(everything)))(t)
	want := &Plan{
		Schema: Schema, Name: "a night", Seed: 42, Shards: 1, Repeats: 0.02, TrackFiles: 0.005,
		Stages: []schedule.Stage{
			{Name: "up", From: 10, To: 20, For: 3 * time.Second},
			schedule.ConstantStage(2, 36*time.Hour),
		},
		Traffic: Traffic{Modes: map[string]float64{"none": 1, "nonce": 3}},
		SLO:     []string{"p99<300ms", "errors<0.1% for stage up"},
		AbortOn: []string{"errors>20% for 10s"},
		Engine:  EngineVegeta, HTTP: "2", Connections: 64, MaxInFlight: 1000, Timeout: 5 * time.Second,
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
	again, err := Decode(p.JSON())
	if err != nil || !reflect.DeepEqual(p, again) || again.Hash() != p.Hash() || len(p.Hash()) != 64 {
		t.Errorf("the JSON form comes back as %+v, %v", again, err)
	}
	run := p.WithRunID("r1")
	if run.Hash() == p.Hash() || run.RunID != "r1" || p.RunID != "" ||
		p.WithRunID("r1").Hash() != run.Hash() {
		t.Error("the run is not part of the hash, or changes the plan")
	}
	if four := p.WithShards(4); four.Shards != 4 || four.WithShards(0).Shards != 1 || p.Shards != 1 {
		t.Error("WithShards")
	}
}

func TestPresetsAndTheSimpleCase(t *testing.T) {
	for _, preset := range Presets() {
		p := testmust.Get(Parse("p", []byte("preset: "+preset.Name)))(t)
		s, err := p.Schedule()
		if err != nil || s.Duration() != preset.Length || s.PeakRate() != preset.Rate ||
			p.Name != preset.Name {
			t.Errorf("%s: %v, %v at most, %v", preset.Name, s.Duration(), s.PeakRate(), err)
		}
		p = testmust.Get(FromFlags(FlagSetting{"preset", []string{preset.Name}},
			FlagSetting{"rate", []string{"600/m"}}, FlagSetting{"duration", []string{"1h"}}))(t)
		if s, err := p.Schedule(); err != nil || s.Duration() != time.Hour || s.PeakRate() != 10 {
			t.Errorf("%s with flags: %v, %v at most, %v", preset.Name, s.Duration(), s.PeakRate(), err)
		}
	}
	p, err := FromFlags()
	if err != nil || p.Name != "smoke" || p.Repeats != 0.01 || p.Engine != EngineVegeta ||
		!p.FailOnMisblock || !p.KeepAlive {
		t.Errorf("without anything: %+v, %v", p, err)
	}
	p, err = FromFlags(FlagSetting{"rate", []string{"500/s"}}, FlagSetting{"duration", []string{"5m"}})
	if err != nil || !reflect.DeepEqual(p.Stages,
		[]schedule.Stage{schedule.ConstantStage(500, 5*time.Minute)}) {
		t.Errorf("the simple case: %+v, %v", p, err)
	}
}

func TestDecodeRefusesWhatIsNoPlan(t *testing.T) {
	p := testmust.Get(FromFlags())(t)
	var fields map[string]any
	for name, value := range map[string]any{
		"schema": "gateassay/load-plan/v9", "shards": 0,
		"stages": []any{}, "repeats": 2, "timeout_ns": -1,
	} {
		testmust.Succeed(t, json.Unmarshal(p.JSON(), &fields))
		fields[name] = value
		data, _ := json.Marshal(fields)
		if _, err := Decode(data); err == nil {
			t.Errorf("%s: %v is a plan", name, value)
		}
	}
	for _, data := range []string{"", "{}", "null", string(p.JSON()) + "x"} {
		if _, err := Decode([]byte(data)); err == nil {
			t.Errorf("%q is a plan", data)
		}
	}
}

func TestPermission(t *testing.T) {
	p := testmust.Get(FromFlags(parsed(t, "--preset", "spike", "--rate", "500/s")...))(t)
	for _, c := range []struct {
		load  deployment.LoadPermission
		words string
	}{
		{deployment.LoadPermission{MaxRate: 1000}, "load.allow: true"},
		{deployment.LoadPermission{Allow: true, MaxRate: 499}, "goes up to 500"},
		{deployment.LoadPermission{Allow: true, MaxRate: 500}, ""},
		{deployment.LoadPermission{Allow: true}, ""},
	} {
		err := p.CheckPermitted(&deployment.File{Name: "staging", Load: c.load})
		if (err == nil) != (c.words == "") || err != nil && !strings.Contains(err.Error(), c.words) {
			t.Errorf("%+v: %v", c.load, err)
		}
	}
}

//go:generate go test -run TestTheReferenceIsFresh -update .

var update = flag.Bool("update", false, "write the generated document")

const referenceHead = `# The plan of a load run

What 'gateassay load run --plan FILE' reads; [load.md](load.md) says how a plan is used. A flag of the same name
overrides a key, and without a plan the preset is 'smoke'. Any text may contain '${NAME}', the value of an
environment variable, or be 'file:PATH', the content of a file.

## Keys

Defaults are shown as they are, other values are examples.

`

func TestTheReferenceIsFresh(t *testing.T) {
	const path = "../../docs/plan.md"
	documented := yamlschema.FromStruct(YAMLPlan{}, ".")
	keys := yamlschema.WriteYAML(documented, yamlschema.SampleLines(documented))
	want := strings.ReplaceAll(referenceHead, "'", "`") + "```yaml\n" + keys + "```\n"
	if *update {
		testmust.Succeed(t, os.WriteFile(path, []byte(want), 0o644))
	}
	page, err := os.ReadFile(path)
	if err != nil || string(page) != want {
		t.Errorf("%s is out of date: go generate ./load/plan writes it again (%v)", path, err)
	}
	yamlschema.Walk("", documented, func(path string, s *jsonschema.Schema) {
		if s.Description == "" {
			t.Errorf("%s has no comment", path)
		}
	})
}

// The page lists each preset with its rate, its length and its use.
func TestPresetsAreDocumented(t *testing.T) {
	page := string(testmust.Get(os.ReadFile("../../docs/load.md"))(t))
	for _, p := range Presets() {
		testmust.Contain(t, page,
			fmt.Sprintf("| `%s` | %g/s | %s | %s |", p.Name, p.Rate, p.length(), p.Use))
		testmust.Contain(t, describePresets(), p.Name+", ")
	}
}
