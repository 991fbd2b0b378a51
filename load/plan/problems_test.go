package plan

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
)

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
