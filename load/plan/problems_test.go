package plan

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/strictyaml"
)

// mistakes lists plans with the place, the key and a part of the first problem found in each. A
// place * stands for any place, and - for the file as a whole.
const mistakes = `
rate: 5⏎duration: 5s⏎durations: 7 → 3:1 -: unknown key "durations"; did you mean duration?
rate: 5 → 1:1 duration: required with rate
rate: 5/d⏎duration: 5s → 1:7 rate: found "5/d"
rate: 5⏎duration: 5 → 2:11 duration: with its unit, such as 90s
rate: 1e9⏎duration: 5s → 1:7 rate: 10000000/s
rate: 1000000⏎duration: 300d → 1:7 rate: at most 1000000000000 requests, found 2.592e+13
stages: [{rate: 1, for: 1s}]⏎rate: 5 → 2:7 rate: either rate or stages
preset: soap → 1:9 preset: did you mean soak?
stages: [{for: 5s}] → 1:10 stages[0]: none of these
stages:⏎  - rate: 1 → 2:5 stages[0].for: add for: 5m
stages: [{ramp: [1, 2, 3], for: 5s}] → 1:17 stages[0].ramp: a list of 3
repeats: 5 → 1:10 repeats: a share such as 1%
repeats: 60% → 1:10 repeats: 0% to 50%
traffic: {modes: {x-transaction-uuid&nonce: 1}}
    → 1:45 traffic.modes.x-transaction-uuid&nonce: did you mean transaction_nonce
traffic: {modes: {noncc: 1}} → 1:26 traffic.modes.noncc: did you mean nonce?
traffic: {modes: {none: 0}} → 1:18 traffic.modes: a weight above 0
slo: ["p99<1s for stage up"] → 1:7 slo[0]: up
abort_on: [errors] → 1:12 abort_on[0]: a rule such as
engine: diesel → 1:9 engine: one of vegeta, direct
engine: direct⏎http: 2 → 1:9 engine: vegeta
connections: -1 → 1:14 connections: from 0 to
seed: -1 → 1:7 seed: a whole number from 0, found -1
timeout: 0s → 1:10 timeout: greater than 0
keep_alive: perhaps → 1:13 keep_alive: true or false
∅ → - -: an empty one
rate: ⌧ → - -: UTF-8
name: "ação" # é⏎sedd: 1 → 2:1 -: unknown key "sedd"; did you mean seed?
`

func TestProblems(t *testing.T) {
	signs := strings.NewReplacer("⏎", "\n", "⇥", "\t", "⌧", "\xff", "∅", "")
	for line := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(mistakes, "\n    →",
		" →")), "\n") {
		text, found, _ := strings.Cut(line, " → ")
		where, words, _ := strings.Cut(found, ": ")
		place, key, _ := strings.Cut(where, " ")
		begins := map[string]string{"*": ":", "-": ": "}[place]
		t.Run(text, func(t *testing.T) {
			_, err := Parse("plan.yaml", []byte(signs.Replace(text)))
			var all *strictyaml.Problems
			if !errors.As(err, &all) {
				t.Fatalf("got %v", err)
			}
			first := all.All[0]
			if shown := first.String(); first.Key != strings.TrimPrefix(key, "-") ||
				!strings.Contains(shown, words) ||
				!strings.HasPrefix(shown, "plan.yaml"+cmp.Or(begins, ":"+place+": ")) {
				t.Errorf("expected %s at %s with %q, got\n%v", key, place, words, err)
			}
		})
	}
}

func TestProblemsOfFlags(t *testing.T) {
	_, err := FromFlags(parsed(t, "--rate", "9", "--duration", "1")...)
	var all *strictyaml.Problems
	if !errors.As(err, &all) || len(all.All) != 1 {
		t.Errorf("one mistake gives %v", err)
	}
	for want, args := range map[string][]string{
		`--rate: expected a rate such as 500/s, 50/1s, 3000/1`: {"--rate", "nan", "--duration", "1s"},
		`--rate: expected a rate such as 500/s, 50/1s, 3000/`:  {"--rate", "1/0s", "--duration", "1s"},
		`--rate: expected a rate such as 500/s, 50/1s, 3`:      {"--rate", "", "--duration", "1s"},
		`--slo: expected text, found ""`:                       {"--slo", ""},
		`--modes: expected shares such as none=1,nonce=3, f`:   {"--modes", "none"},
		`--seed: expected a whole number from 0, found`:        {"--seed", "-1"},
		`--preset: expected one of the presets smoke, soak, s`: {"--preset", "all"},
	} {
		if _, err := FromFlags(parsed(t, args...)...); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
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
