package plan

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
)

// parsed returns the settings of a command line.
func parsed(t *testing.T, args ...string) []FlagSetting {
	t.Helper()
	set := pflag.NewFlagSet("load", pflag.ContinueOnError)
	AddFlags(set)
	testmust.Succeed(t, set.Parse(args))
	return FlagSettings(set)
}

func TestFlagsSetEveryKey(t *testing.T) {
	flags := parsed(t, "--stage", "{name: up, ramp: [10/s, 1200/m], for: 3s}", "--stage",
		"{rate: 7200/h, for: 1d12h}", "--seed", "42", "--modes", "none=1, nonce=3", "--repeats", "2%",
		"--track-files", "0.005", "--slo", "p99<300ms", "--slo", "errors<0.1% for stage up",
		"--abort-on", "errors>20% for 10s", "--fail-on-misblock=false", "--engine", "vegeta", "--http",
		"2", "--connections", "64", "--max-in-flight", "1000", "--timeout", "5s", "--keep-alive=false")
	got := testmust.Get(FromFlags(flags...))(t)
	want := testmust.Get(Parse("plan.yaml", []byte(everything)))(t)
	got.Name, got.Shards = want.Name, want.Shards // no flags for these
	if string(got.JSON()) != string(want.JSON()) {
		t.Errorf("flags %s\nfile  %s", got.JSON(), want.JSON())
	}
}

func TestFlagsReplaceWhatTheFileSays(t *testing.T) {
	stages := "stages: [{rate: 5, for: 5s}, {ramp: [1, 2], for: 1s}]\nseed: 3\nslo: ['p99<1s']"
	for _, c := range []struct {
		file string
		args []string
		want string // of the stages
	}{
		{stages, []string{"--rate", "7", "--duration", "2s"}, "7/s for 2s"},
		{stages, []string{"--stage", "{rate: 9, for: 1s}"}, "9/s for 1s"},
		{stages, []string{"--rate", "90/500ms", "--duration", "2s"}, "180/s for 2s"},
		{stages, []string{"--rate", "3000/1m", "--duration", "2s"}, "50/s for 2s"},
		{stages, []string{"--rate", "2000000/1s", "--duration", "2s"}, "2,000,000/s for 2s"},
		{stages, []string{"--preset", "smoke"}, "20/s for 10s"},
		{"rate: 5\nduration: 5s\nseed: 3", []string{"--duration", "9s"}, "5/s for 9s"},
		{"rate: 5\nduration: 5s\nseed: 3", []string{"--rate", "6"}, "6/s for 5s"},
		{"preset: smoke\nseed: 3", []string{"--rate", "6"}, "6/s for 10s"},
	} {
		p := testmust.Get(Parse("plan.yaml", []byte(c.file), parsed(t, c.args...)...))(t)
		if s, err := p.Schedule(); err != nil || s.Describe() != c.want || p.Seed != 3 {
			t.Errorf("%q with %v: %+v, %v", c.file, c.args, p, err)
		}
	}
	_, err := Parse("plan.yaml", []byte(stages), parsed(t, "--duration", "9s")...)
	testmust.FailWith(t, err, "--duration: ", "a duration beside stages")
}

// TestProblems checks the lines of mistakes.txt: a plan, and the place, the key and a part of the
// first problem in it. A place - stands for the file as a whole.
func TestProblems(t *testing.T) {
	signs := strings.NewReplacer("⏎", "\n", "⌧", "\xff", "∅", "")
	for line := range strings.Lines(string(testmust.Get(os.ReadFile("testdata/mistakes.txt"))(t))) {
		text, found, _ := strings.Cut(strings.TrimSpace(line), " → ")
		where, words, _ := strings.Cut(found, ": ")
		place, key, _ := strings.Cut(where, " ")
		begins := "plan.yaml:" + strings.TrimPrefix(place+": ", "-: ")
		_, err := Parse("plan.yaml", []byte(signs.Replace(text)))
		var all *strictyaml.Problems
		if !errors.As(err, &all) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		first := all.All[0]
		if shown := first.String(); first.Key != strings.TrimPrefix(key, "-") ||
			!strings.Contains(shown, words) || !strings.HasPrefix(shown, begins) {
			t.Errorf("%s: expected %s at %s with %q, got\n%v", text, key, place, words, err)
		}
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
