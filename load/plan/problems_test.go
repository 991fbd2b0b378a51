package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/strictyaml"
)

func TestProblems(t *testing.T) {
	for name, c := range map[string]struct {
		yaml, key, place, words string
	}{
		"unknown key": {
			"rate: 5\nduration: 5s\ndurations: 7", "", ":3:1: ",
			`unknown key "durations"; did you mean duration?`,
		},
		"key twice":             {"rate: 5\nrate: 6\nduration: 5s", "rate", ":2:1: ", "line 1 already"},
		"no duration":           {"rate: 5", "duration", ":1:1: ", "required beside rate"},
		"rate of a kind":        {"rate: 5/d\nduration: 5s", "rate", ":1:7: ", `found "5/d"`},
		"negative rate":         {"rate: -5\nduration: 5s", "rate", ":1:7: ", "found -5"},
		"duration without unit": {"rate: 5\nduration: 5", "duration", ":2:11: ", "add the unit: 5s"},
		"no duration at all":    {"rate: 5\nduration: 0s", "duration", ":2:11: ", "found 0s"},
		"rate too high":         {"rate: 1e9\nduration: 5s", "rate", ":1:7: ", "10000000/s"},
		"too many": {
			"rate: 1000000\nduration: 300d", "rate", ":1:7: ",
			"at most 1000000000000 requests, found 2.592e+13",
		},
		"too long": {
			"stages:\n- {rate: 1, for: 360d}\n- {rate: 1, for: 360d}", "stages", ":2:1: ",
			"at most 366 days, found 720 days",
		},
		"nothing to send": {"rate: 0\nduration: 5s", "rate", ":1:7: ", "at least one request"},
		"stages and rate": {"stages: [{rate: 1, for: 1s}]\nrate: 5", "rate", ":2:7: ", "either rate or stages"},
		"preset":          {"preset: soap", "preset", ":1:9: ", "did you mean soak?"},
		"empty stage":     {"stages: [{for: 5s}]", "stages[0]", ":1:10: ", "none of these"},
		"two shapes":      {"stages: [{rate: 1, ramp: [1, 2], for: 5s}]", "stages[0]", ":1:10: ", "rate and ramp"},
		"endless stage":   {"stages:\n  - rate: 1", "stages[0].for", ":2:5: ", "add for: 5m"},
		"steps with length": {
			"stages: [{steps: {from: 1, to: 2, count: 2, each: 5s}, for: 5s}]", "stages[0].for",
			":1:61: ", "no length beside steps",
		},
		"steps without each": {
			"stages: [{steps: {from: 1, to: 2, count: 2}}]",
			"stages[0].steps.each", ":1:18: ", "add each",
		},
		"steps without step": {
			"stages: [{steps: {from: 1, to: 2, each: 1s}}]",
			"stages[0].steps", ":1:18: ", "step or count",
		},
		"ramp of three": {"stages: [{ramp: [1, 2, 3], for: 5s}]", "stages[0].ramp", ":1:17: ", "a list of 3"},
		"ramp of text":  {"stages: [{ramp: [1, slow], for: 5s}]", "stages[0].ramp[1]", ":1:21: ", `found "slow"`},
		"spike outside": {
			"stages: [{spike: {base: 1, peak: 2, at: 5s, width: 5s}, for: 6s}]",
			"stages[0].spike", ":1:18: ", "at and width together within for",
		},
		"sine below nothing": {
			"stages: [{sine: {mean: 1, amplitude: 2, period: 5s}, for: 6s}]",
			"stages[0].sine.amplitude", ":1:38: ", "the mean",
		},
		"stage that is text": {"stages: [rate]", "stages[0]", ":1:10: ", "a mapping"},
		"no stages":          {"stages: {rate: 1, for: 1s}", "stages", ":1:9: ", "a list"},
		"no percent":         {"repeats: 5", "repeats", ":1:10: ", "add the sign: 5%"},
		"too many repeats":   {"repeats: 60%", "repeats", ":1:10: ", "0% to 50%"},
		"mode as its header": {
			"traffic: {modes: {x-transaction-uuid&nonce: 1}}",
			"traffic.modes.x-transaction-uuid&nonce", ":1:19: ", "called transaction_nonce",
		},
		"mode mistyped":   {"traffic: {modes: {noncc: 1}}", "traffic.modes.noncc", ":1:19: ", "did you mean nonce?"},
		"mode":            {"traffic: {modes: {nonces: 1}}", "traffic.modes.nonces", ":1:19: ", "one of none, nonce"},
		"no weights":      {"traffic: {bodies: {range: 0}}", "traffic.bodies", ":1:19: ", "a weight above 0"},
		"weight as text":  {"traffic: {bodies: {range: many}}", "traffic.bodies.range", ":1:27: ", `found "many"`},
		"threshold":       {"slo: [\"p99<\"]", "slo[0]", ":1:7: ", "a threshold such as"},
		"absent stage":    {"slo: [\"p99<1s for stage up\"]", "slo[0]", ":1:7: ", "up"},
		"abort rule":      {"abort_on: [errors]", "abort_on[0]", ":1:12: ", "a rule such as"},
		"engine":          {"engine: diesel", "engine", ":1:9: ", "one of vegeta, direct"},
		"transport":       {"transport: raw", "", ":1:1: ", `unknown key "transport"`},
		"direct HTTP/2":   {"engine: direct\nhttp: 2", "engine", ":1:9: ", "vegeta"},
		"closed, of":      {"closed: true\nduration: 1s", "connections", "", "connections"},
		"closed, for":     {"closed: true\nconnections: 3", "duration", "", "duration: 5m"},
		"closed stages":   {"closed: true\nconnections: 3\npreset: spike", "preset", "", "ceiling"},
		"http":            {"http: 3", "http", ":1:7: ", "one of auto, 1.1, 2"},
		"connections":     {"connections: -1", "connections", ":1:14: ", "from 0 to"},
		"tab":             {"rate: 5\n\tduration: 5s", "", ":2:1: ", "YAML error: tab used for indentation"},
		"negative seed":   {"seed: -1", "seed", ":1:7: ", "a whole number of at least 0, found -1"},
		"rate of text":    {"rate: .nan\nduration: 5s", "rate", ":1:7: ", "found .nan"},
		"rate, endless":   {"rate: .inf\nduration: 5s", "rate", ":1:7: ", "found .inf"},
		"empty threshold": {"slo: ['']", "slo[0]", ":1:7: ", "found nothing"},
		"variable unset":  {"name: ${NO_SUCH_NAME_ANYWHERE}", "name", ":1:7: ", "NO_SUCH_NAME_ANYWHERE is not set"},
		"seed":            {"seed: 99999999999999999999", "seed", ":1:7: ", "a whole number"},
		"timeout":         {"timeout: 0s", "timeout", ":1:10: ", "greater than 0"},
		"refresh":         {"dns_refresh: 0s", "dns_refresh", ":1:14: ", "below 0"},
		"address":         {"source_addresses: [localhost]", "source_addresses[0]", ":1:20: ", "an IP address"},
		"flag":            {"keep_alive: perhaps", "keep_alive", ":1:13: ", "true or false"},
		"list":            {"- rate", "", ":1:1: ", "a mapping with the keys"},
		"broken":          {"rate: [", "", ":", "YAML error: did not find"},
		"nothing":         {"", "", ": ", "an empty one"},
		"two documents":   {"rate: 1\n---\nrate: 2", "", ":", "a second one"},
		"no text":         {"rate: \xff", "", ":1:7: ", "UTF-8"},
		"characters, not bytes": {
			"name: \"ação\" # é\nsedd: 1", "", ":2:1: ",
			`unknown key "sedd"; did you mean seed?`,
		},
		"alias without an anchor": {"rate: *x", "", ":", "YAML error: unknown anchor"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("plan.yaml", []byte(c.yaml))
			var all *strictyaml.Problems
			if !errors.As(err, &all) {
				t.Fatalf("got %v", err)
			}
			first := all.All[0]
			if text := first.String(); first.Key != c.key ||
				!strings.HasPrefix(text, "plan.yaml"+c.place) || !strings.Contains(text, c.words) {
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
	var all *strictyaml.Problems
	if !errors.As(err, &all) || len(all.All) != 1 {
		t.Errorf("one mistake gives %v", err)
	}
	for want, args := range map[string][]string{
		`--rate: expected a rate such as`:         {"--rate", "fast", "--duration", "1s"},
		`--stage: [0].ramp: expected a list of 2`: {"--stage", "{ramp: [1], for: 1s}"},
		`--stage: expected a stage: {rate, for}`:  {"--stage", "{ramp"},
		`--slo: expected a threshold such as p99<300ms, found`: {
			"--rate", "9", "--duration",
			"1s", "--slo", "p50<1s", "--slo", "p51",
		},
		`--modes: expected shares such as none=1,nonce=3`:      {"--modes", "nonce"},
		`--max-in-flight: expected a whole number from 0 to`:   {"--max-in-flight", "many"},
		`--rate: expected a rate from 0 to`:                    {"--rate", "1e9", "--duration", "1s"},
		`--duration: expected a duration with its unit`:        {"--rate", "9", "--duration", "1"},
		`--rate: expected a rate such as 500/s, 30000/m, 7200`: {"--rate", "nan", "--duration", "1s"},
		`--rate: expected a rate such as 500/s, 30000/m, 72`:   {"--rate", "inf", "--duration", "1s"},
		`--rate: expected a value, found nothing`:              {"--rate", "", "--duration", "1s"},
		`--slo: expected a value, found nothing`:               {"--slo", ""},
		`--seed: expected a whole number of at least 0, found`: {"--seed", "-1"},
		`--preset: expected one of the presets smoke, soak, s`: {"--preset", "all"},
	} {
		if _, err := FromFlags(parsed(t, args...)...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, expected %s", args, err, want)
		}
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
