package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
)

var addressOf = regexp.MustCompile(`base_url: "?([^\s"]+)`)

// Nor do the commands that ask a deployment before a run give away a credential that it repeats.
func TestNoCredentialIsToldByWhatAsksBeforeARun(t *testing.T) {
	names := slices.Sorted(maps.Keys(canaryPlaces))
	places := maps.Clone(canaryPlaces)
	if testing.Short() {
		places = map[string]func(*echo){"all": func(e *echo) { canaryPlaces[names[e.n%int64(len(names))]](e) }}
	}
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			deployment, secrets := canary(t, place)
			text := string(must.Get(os.ReadFile(deployment))(t))
			out := filepath.Join(t.TempDir(), "init.yaml")
			d := newDecoder(secrets)
			for _, args := range [][]string{
				{"doctor", "-d", deployment},
				{"deployment", "init", "--url", addressOf.FindStringSubmatch(text)[1], "--token-env", "CANARY", "--out", out},
			} {
				c := exec.Command("gateassay", args...)
				c.Env = append(os.Environ(), "CANARY="+secrets[0])
				said, err := c.CombinedOutput()
				if got := code(t, err); got == 4 || len(said) < 100 {
					t.Errorf("%v: %v: %s", args, err, said)
				}
				if written, err := os.ReadFile(out); err == nil {
					said = append(said, written...)
				}
				for _, text := range texts(said) {
					if found := d.find(text, 1); found != "" {
						t.Errorf("%s told %q: %.300q", strings.Join(args[:2], " "), found, text)
						break
					}
				}
			}
		})
	}
}
