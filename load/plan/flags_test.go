package plan

import (
	"testing"

	"github.com/spf13/pflag"

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
