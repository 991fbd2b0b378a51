package plan

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/schedule"
)

const everything = `
name: a night
seed: 42
shards: 4
stages:
  - {name: up, ramp: [10/s, 1200/m], for: 3s}
  - {rate: 7200/h, for: 1d12h}
  - steps: {from: 10, to: 40/s, step: 10, each: 30s}
  - {steps: {from: 10, to: 40/s, count: 4, each: 30s}}
  - {spike: {base: 5, peak: 50, at: 1m, width: 10s}, for: 2m}
  - {spike: {base: 5, peak: 50, at: 1m, for: 10s}, for: 2m}
  - {sine: {mean: 20/s, amplitude: 10/s, period: 1h}, for: 2h}
traffic:
  modes: {none: 1, nonce: 3}
  bodies: {range: 2, full: 0.5}
  languages: {pt-BR: 1}
  wallets: {none: 1, 11111111-1111-4111-8111-111111111111: 2}
repeats: 2%
track_files: 0.005
slo: ["p99<300ms", "errors<0.1% for stage up"]
abort_on: ["errors>20% for 10s"]
fail_on_misblock: false
engine: vegeta
transport: nethttp
http: "2"
connections: 64
max_in_flight: 1_000
timeout: 5s
keep_alive: false
source_addresses: [127.0.0.2]
dns_refresh: 1m
`

func TestEveryKey(t *testing.T) {
	p, err := Parse("plan.yaml", []byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	want := &Plan{
		Schema: Schema, Name: "a night", Seed: 42, Shards: 4, Repeats: 0.02, TrackFiles: 0.005,
		Stages: []schedule.Stage{
			{Name: "up", Kind: schedule.Ramp, From: 10, To: 20, For: 3 * time.Second},
			{Kind: schedule.Constant, Rate: 2, For: 36 * time.Hour},
			{Kind: schedule.Steps, From: 10, To: 40, Step: 10, Each: 30 * time.Second},
			{Kind: schedule.Steps, From: 10, To: 40, Count: 4, Each: 30 * time.Second},
			{Kind: schedule.Spike, Base: 5, Peak: 50, At: time.Minute, Width: 10 * time.Second, For: 2 * time.Minute},
			{Kind: schedule.Spike, Base: 5, Peak: 50, At: time.Minute, Width: 10 * time.Second, For: 2 * time.Minute},
			{Kind: schedule.Sine, Mean: 20, Amplitude: 10, Period: time.Hour, For: 2 * time.Hour},
		},
		Traffic: Traffic{
			Modes: map[string]float64{"none": 1, "nonce": 3}, Bodies: map[string]float64{"range": 2, "full": 0.5},
			Languages: map[string]float64{"pt-BR": 1}, Wallets: map[string]float64{"none": 1, "11111111-1111-4111-8111-111111111111": 2},
		},
		SLO: []string{"p99<300ms", "errors<0.1% for stage up"}, AbortOn: []string{"errors>20% for 10s"},
		Engine: Vegeta, Transport: "nethttp", HTTP: "2", Connections: 64, MaxInFlight: 1000, Timeout: 5 * time.Second,
		SourceAddrs: []string{"127.0.0.2"}, DNSRefresh: time.Minute,
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
	again, err := Decode(p.JSON())
	if err != nil || !reflect.DeepEqual(p, again) || again.Hash() != p.Hash() || len(p.Hash()) != 64 {
		t.Errorf("the JSON form comes back as %+v, %v", again, err)
	}
	run := p.WithRun("r1")
	if run.Hash() == p.Hash() || run.RunID != "r1" || p.RunID != "" || p.WithRun("r1").Hash() != run.Hash() {
		t.Error("the run is no part of the hash, or changes the plan")
	}
	if p.WithShards(0).Shards != 1 || p.Shards != 4 {
		t.Error("WithShards")
	}
}

func TestPresetsAndTheSimpleCase(t *testing.T) {
	for _, preset := range Presets() {
		p, err := Parse("p", []byte("preset: "+preset.Name))
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Schedule()
		if err != nil || s.Duration() != preset.Length || s.PeakRate() != preset.Rate || p.Name != preset.Name {
			t.Errorf("%s: %v, %v at most, %v", preset.Name, s.Duration(), s.PeakRate(), err)
		}
		p, err = FromFlags(Setting{"preset", []string{preset.Name}}, Setting{"rate", []string{"600/m"}}, Setting{"duration", []string{"1h"}})
		if err != nil {
			t.Fatal(err)
		}
		if s, err := p.Schedule(); err != nil || s.Duration() != time.Hour || s.PeakRate() != 10 {
			t.Errorf("%s with flags: %v, %v at most, %v", preset.Name, s.Duration(), s.PeakRate(), err)
		}
	}
	p, err := FromFlags()
	if err != nil || p.Name != "smoke" || p.Repeats != 0.01 || p.Engine != Direct || !p.FailOnMisblock || !p.KeepAlive {
		t.Errorf("without anything: %+v, %v", p, err)
	}
	p, err = FromFlags(Setting{"rate", []string{"500/s"}}, Setting{"duration", []string{"5m"}})
	if err != nil || !reflect.DeepEqual(p.Stages, []schedule.Stage{{Kind: schedule.Constant, Rate: 500, For: 5 * time.Minute}}) {
		t.Errorf("the simple case: %+v, %v", p, err)
	}
}

// parsed gives the settings of a command line.
func parsed(t *testing.T, args ...string) []Setting {
	t.Helper()
	set := pflag.NewFlagSet("load", pflag.ContinueOnError)
	AddFlags(set)
	if err := set.Parse(args); err != nil {
		t.Fatal(err)
	}
	return FromSet(set)
}

func TestFlagsSetEveryKey(t *testing.T) {
	flags := parsed(t, "--stage", "{name: up, ramp: [10/s, 1200/m], for: 3s}", "--stage", "{rate: 7200/h, for: 1d12h}", "--stage", "{steps: {from: 10, to: 40/s, step: 10, each: 30s}}",
		"--stage", "{steps: {from: 10, to: 40/s, count: 4, each: 30s}}", "--stage", "{spike: {base: 5, peak: 50, at: 1m, width: 10s}, for: 2m}", "--stage", "{spike: {base: 5, peak: 50, at: 1m, for: 10s}, for: 2m}",
		"--stage", "{sine: {mean: 20/s, amplitude: 10/s, period: 1h}, for: 2h}",
		"--seed", "42", "--modes", "none=1, nonce=3", "--bodies", "range=2,full=0.5", "--languages", "pt-BR=1", "--wallets", "none=1,11111111-1111-4111-8111-111111111111=2",
		"--repeats", "2%", "--track-files", "0.005", "--slo", "p99<300ms", "--slo", "errors<0.1% for stage up", "--abort-on", "errors>20% for 10s", "--fail-on-misblock=false",
		"--engine", "vegeta", "--transport", "nethttp", "--http", "2", "--connections", "64", "--max-in-flight", "1000", "--timeout", "5s", "--keep-alive=false",
		"--source-address", "127.0.0.2", "--dns-refresh", "1m")
	got, err := FromFlags(flags...)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Parse("plan.yaml", []byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	got.Name, got.Shards = want.Name, want.Shards // no flags for these
	if string(got.JSON()) != string(want.JSON()) {
		t.Errorf("flags %s\nfile  %s", got.JSON(), want.JSON())
	}
}

func TestFlagsReplaceWhatTheFileSays(t *testing.T) {
	stages := "stages: [{rate: 5, for: 5s}, {steps: {from: 1, to: 2, count: 2, each: 1s}}]\nseed: 3\nslo: ['p99<1s']"
	for _, c := range []struct {
		file string
		args []string
		want string // of the stages
	}{
		{stages, []string{"--rate", "7", "--duration", "2s"}, "7/s for 2s"},
		{stages, []string{"--stage", "{rate: 9, for: 1s}"}, "9/s for 1s"},
		{stages, []string{"--preset", "smoke"}, "20/s for 10s"},
		{"rate: 5\nduration: 5s\nseed: 3", []string{"--duration", "9s"}, "5/s for 9s"},
		{"rate: 5\nduration: 5s\nseed: 3", []string{"--rate", "6"}, "6/s for 5s"},
		{"preset: smoke\nseed: 3", []string{"--rate", "6"}, "6/s for 10s"},
	} {
		p, err := Parse("plan.yaml", []byte(c.file), parsed(t, c.args...)...)
		if err != nil || p.Stages[0].String() != c.want || len(p.Stages) != 1 || p.Seed != 3 {
			t.Errorf("%q with %v: %+v, %v", c.file, c.args, p, err)
		}
	}
	_, err := Parse("plan.yaml", []byte(stages), parsed(t, "--duration", "9s")...)
	if err == nil || !strings.Contains(err.Error(), "--duration: ") {
		t.Errorf("a duration beside stages: %v", err)
	}
}

func TestProblems(t *testing.T) {
	for name, c := range map[string]struct {
		yaml, key, place, words string
	}{
		"unknown key":             {"rate: 5\nduration: 5s\ndurations: 7", "durations", ":3:1: ", "did you mean duration?"},
		"key twice":               {"rate: 5\nrate: 6\nduration: 5s", "rate", ":2:1: ", "line 1 already"},
		"no duration":             {"rate: 5", "duration", ":1:7: ", "found nothing"},
		"rate of a kind":          {"rate: 5/d\nduration: 5s", "rate", ":1:7: ", `found "5/d"`},
		"negative rate":           {"rate: -5\nduration: 5s", "rate", ":1:7: ", "found -5"},
		"duration without unit":   {"rate: 5\nduration: 5", "duration", ":2:11: ", "add the unit: 5s"},
		"no duration at all":      {"rate: 5\nduration: 0s", "duration", ":2:11: ", "found 0s"},
		"rate beyond bounds":      {"rate: 1e9\nduration: 5s", "rate", ":1:7: ", "10000000/s"},
		"too many":                {"rate: 1000000\nduration: 300d", "rate", ":1:7: ", "at most 1000000000000 requests, found 2.592e+13"},
		"too long":                {"stages:\n- {rate: 1, for: 360d}\n- {rate: 1, for: 360d}", "stages", ":2:1: ", "at most 366 days, found 720 days"},
		"nothing to send":         {"rate: 0\nduration: 5s", "rate", ":1:7: ", "at least one request"},
		"stages and rate":         {"stages: [{rate: 1, for: 1s}]\nrate: 5", "rate", ":2:7: ", "either rate or stages"},
		"preset":                  {"preset: soap", "preset", ":1:9: ", "did you mean soak?"},
		"empty stage":             {"stages: [{for: 5s}]", "stages[0]", ":1:10: ", "none of these"},
		"two shapes":              {"stages: [{rate: 1, ramp: [1, 2], for: 5s}]", "stages[0]", ":1:10: ", "rate and ramp"},
		"stage without length":    {"stages:\n  - rate: 1", "stages[0].for", ":2:5: ", "add for: 5m"},
		"steps with length":       {"stages: [{steps: {from: 1, to: 2, count: 2, each: 5s}, for: 5s}]", "stages[0].for", ":1:61: ", "no length beside steps"},
		"steps without each":      {"stages: [{steps: {from: 1, to: 2, count: 2}}]", "stages[0].steps.each", ":1:18: ", "add each"},
		"steps without step":      {"stages: [{steps: {from: 1, to: 2, each: 1s}}]", "stages[0].steps", ":1:18: ", "step or count"},
		"ramp of three":           {"stages: [{ramp: [1, 2, 3], for: 5s}]", "stages[0].ramp", ":1:17: ", "a list of 3"},
		"ramp of text":            {"stages: [{ramp: [1, slow], for: 5s}]", "stages[0].ramp[1]", ":1:21: ", `found "slow"`},
		"spike outside":           {"stages: [{spike: {base: 1, peak: 2, at: 5s, width: 5s}, for: 6s}]", "stages[0].spike", ":1:18: ", "at and width together within for"},
		"sine below nothing":      {"stages: [{sine: {mean: 1, amplitude: 2, period: 5s}, for: 6s}]", "stages[0].sine.amplitude", ":1:38: ", "the mean"},
		"stage that is text":      {"stages: [rate]", "stages[0]", ":1:10: ", "a mapping"},
		"stages that are none":    {"stages: {rate: 1, for: 1s}", "stages", ":1:9: ", "a list"},
		"percent without sign":    {"repeats: 5", "repeats", ":1:10: ", "add the sign: 5%"},
		"too many repeats":        {"repeats: 60%", "repeats", ":1:10: ", "0% to 50%"},
		"mode":                    {"traffic: {modes: {nonces: 1}}", "traffic.modes.nonces", ":1:19: ", "one of none, nonce"},
		"weights of nothing":      {"traffic: {bodies: {range: 0}}", "traffic.bodies", ":1:19: ", "a weight above 0"},
		"weight that is text":     {"traffic: {bodies: {range: many}}", "traffic.bodies.range", ":1:27: ", `found "many"`},
		"threshold":               {"slo: [\"p99<\"]", "slo[0]", ":1:7: ", "a threshold such as"},
		"threshold of no stage":   {"slo: [\"p99<1s for stage up\"]", "slo[0]", ":1:7: ", "up"},
		"abort rule":              {"abort_on: [errors]", "abort_on[0]", ":1:12: ", "a rule such as"},
		"engine":                  {"engine: diesel", "engine", ":1:9: ", "one of direct, vegeta"},
		"transport":               {"transport: raw\nhttp: 2", "transport", ":1:12: ", "nethttp"},
		"http":                    {"http: 3", "http", ":1:7: ", "one of 1.1, 2"},
		"connections":             {"connections: -1", "connections", ":1:14: ", "from 0 to"},
		"seed":                    {"seed: 99999999999999999999", "seed", ":1:7: ", "a whole number"},
		"timeout":                 {"timeout: 0s", "timeout", ":1:10: ", "greater than 0"},
		"refresh":                 {"dns_refresh: 0s", "dns_refresh", ":1:14: ", "below 0"},
		"address":                 {"source_addresses: [localhost]", "source_addresses[0]", ":1:20: ", "an IP address"},
		"flag":                    {"keep_alive: perhaps", "keep_alive", ":1:13: ", "true or false"},
		"list":                    {"- rate", "", ": ", "a mapping with the keys"},
		"broken":                  {"rate: [", "", ":", "a mistake in it"},
		"nothing":                 {"", "", ": ", "an empty file"},
		"two documents":           {"rate: 1\n---\nrate: 2", "", ":", "a second one"},
		"no text":                 {"rate: \xff", "", ": ", "UTF-8"},
		"characters, not bytes":   {"name: \"ação\" # é\nsedd: 1", "sedd", ":2:1: ", "seed"},
		"alias without an anchor": {"rate: *x", "", ":", "a mistake"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("plan.yaml", []byte(c.yaml))
			var all *Problems
			if !errors.As(err, &all) {
				t.Fatalf("got %v", err)
			}
			first := all.All[0]
			if text := first.String(); first.Key != c.key || !strings.HasPrefix(text, "plan.yaml"+c.place) || !strings.Contains(text, c.words) {
				t.Errorf("expected %s at %s with %q, got\n%v", c.key, c.place, c.words, err)
			}
		})
	}
}

func TestEveryProblemIsShownAtItsPlace(t *testing.T) {
	_, err := Parse("plan.yaml", []byte("rate: fast\nduration: 5m\nrepeats: 1\nengine: {x: 1}\n"))
	const want = `plan.yaml:1:7: rate: expected a rate such as 500/s, 30000/m, 7200/h or 500, which is per second, found "fast"
     1 | rate: fast
       |       ^
plan.yaml:3:10: repeats: expected a share such as 1% or 0.01, found 1
     3 | repeats: 1
       |          ^
       hint: add the sign: 1%
plan.yaml:4:9: engine: expected text, found a mapping
     4 | engine: {x: 1}
       |         ^`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestProblemsOfFlags(t *testing.T) {
	_, err := FromFlags(parsed(t, "--rate", "9", "--duration", "1")...)
	var all *Problems
	if !errors.As(err, &all) || len(all.All) != 1 {
		t.Errorf("one mistake gives %v", err)
	}
	for want, args := range map[string][]string{
		`--rate: expected a rate such as`:                      {"--rate", "fast", "--duration", "1s"},
		`--stage: [0].ramp: expected two rates`:                {"--stage", "{ramp: [1], for: 1s}"},
		`--stage: expected a stage: {rate, for}`:               {"--stage", "{ramp"},
		`--modes: expected shares such as none=1,nonce=3`:      {"--modes", "nonce"},
		`--max-in-flight: expected a whole number from 0 to`:   {"--max-in-flight", "many"},
		`--rate: expected a rate from 0 to`:                    {"--rate", "1e9", "--duration", "1s"},
		`--duration: expected a duration with its unit`:        {"--rate", "9", "--duration", "1"},
		`--preset: expected one of the presets smoke, soak, s`: {"--preset", "all"},
	} {
		if _, err := FromFlags(parsed(t, args...)...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, expected %s", args, err, want)
		}
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.yaml")
	if _, err := Load(path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "--preset") {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, []byte("rate: 5\nduration: 5s\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := Load(path, parsed(t, "--seed", "-9")...); err != nil || p.Stages[0].Rate != 5 || p.Seed != -9 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := Parse("x", []byte(strings.Repeat("#", largest+1))); err == nil {
		t.Error("a huge file is a plan")
	}
}

func TestDecodeRefusesWhatIsNoPlan(t *testing.T) {
	p, err := FromFlags()
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	for name, value := range map[string]any{"schema": "gateassay/load-plan/v9", "extra": 1, "shards": 0, "engine": "", "stages": []any{}, "repeats": 2, "timeout_ns": -1} {
		if err := json.Unmarshal(p.JSON(), &fields); err != nil {
			t.Fatal(err)
		}
		fields[name] = value
		data, _ := json.Marshal(fields)
		delete(fields, "extra")
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
	p, err := FromFlags(parsed(t, "--preset", "spike", "--rate", "500/s")...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		load  deployment.LoadPermission
		words string
	}{
		{deployment.LoadPermission{MaxRate: 1000}, "load.allow: true"},
		{deployment.LoadPermission{Allow: true, MaxRate: 499}, "goes up to 500"},
		{deployment.LoadPermission{Allow: true, MaxRate: 500}, ""},
		{deployment.LoadPermission{Allow: true}, ""},
	} {
		err := p.Permitted(&deployment.File{Name: "staging", Load: c.load})
		if (err == nil) != (c.words == "") || err != nil && !strings.Contains(err.Error(), c.words) {
			t.Errorf("%+v: %v", c.load, err)
		}
	}
}

func TestGeneratorTakesTheFixtures(t *testing.T) {
	p, err := FromFlags(parsed(t, "--wallets", "other=1", "--bodies", "filtered=1")...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	d := &deployment.File{}
	if _, err := p.WithRun("r").Generator(d, s); err == nil || !strings.Contains(err.Error(), "fixtures.other_wallet_id") || !strings.Contains(err.Error(), "fixtures.client_id") {
		t.Errorf("without fixtures: %v", err)
	}
	d.Fixtures.ClientID, d.Fixtures.OtherWalletID = "c1", "22222222-2222-4222-8222-222222222222"
	if _, err := p.WithRun(NewRunID()).Generator(d, s); err != nil {
		t.Error(err)
	}
	if _, err := p.Generator(d, s); err == nil {
		t.Error("a plan without a run makes traffic")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(everything))
	f.Add([]byte("preset: &a soak\nname: *a\n? [x]\n: 1"))
	f.Add([]byte("stages: &s [*s, {rate: *s}]\ntraffic: {modes: {? {a: 1} : 2}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse("plan.yaml", data)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		again, err := Decode(p.JSON())
		if err != nil || again.Hash() != p.Hash() {
			t.Fatalf("%s does not come back: %v", p.JSON(), err)
		}
	})
}

// TestHostileFilesEndSoon: what would take for ever or overflow a stack elsewhere is an error here.
func TestHostileFilesEndSoon(t *testing.T) {
	for name, text := range map[string]string{
		"deep":    strings.Repeat("[", 500_000),
		"deeper":  strings.Repeat("{a: ", 250_000),
		"itself":  "stages: &s [*s, *s]",
		"laughs":  "stages: [&a [x,x,x,x,x,x,x,x,x], &b [*a,*a,*a,*a,*a,*a,*a,*a,*a], &c [*b,*b,*b,*b,*b,*b,*b,*b], &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]]",
		"many":    "stages: [" + strings.Repeat("{rate: 1, for: 1s},", 40_000) + "]",
		"unknown": strings.Repeat("x: 1\n", 150_000),
		"huge":    "rate: 1e999\nduration: 1s",
		"long":    "rate: 1\nduration: 99999999999999999999h",
		"steps":   "stages: [{steps: {from: 0, to: 10000000, step: 0.000001, each: 1s}}]",
	} {
		if _, err := Parse("plan.yaml", []byte(text)); err == nil || len(err.Error()) > 40_000 {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}
