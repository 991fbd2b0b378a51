package reproscript

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestAStepIsSentWithTheNext(t *testing.T) {
	t.Parallel()
	steps := []Step{to("/x", `{"a":1}`, nil), to("/x", `{"a":2}`, nil)}
	steps[0].WithNext = true
	met, arrived := make(chan bool, 6), make(chan bool)
	code, output, _ := run(t, Script{
		Rule: "a.rule", Level: "must", Steps: steps, Expectation: ExpectSameStatus{},
	}, func(w http.ResponseWriter, _ *http.Request) { // each answers once the other has arrived
		select {
		case arrived <- true:
			met <- true
		case <-arrived:
			met <- true
		case <-time.After(20 * time.Second):
		}
	})
	if code != 0 || len(met) != 6 || strings.Count(output, ". sends /x: 200") != 6 {
		t.Errorf("%d, %d of 6 requests met another\n%s", code, len(met), output)
	}
}

// One curl sends the requests of a race, so that they arrive close together. Where curl is too old
// for that, each has its own.
func TestOneCurlSendsARace(t *testing.T) {
	real, err := exec.LookPath("curl")
	testmust.Succeed(t, err)
	for _, c := range []struct {
		name, refused string
		want          int // processes that send, in three tries
	}{{"new", "--none", 3}, {"old", "--parallel", 24}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			sent := filepath.Join(dir, "sent")
			wrapper := filepath.Join(dir, "curl")
			testmust.WriteFile(t, wrapper, fmt.Sprintf(`#!/bin/bash
for a; do [ "$a" != %s ] || exit 2; done
[[ " $* " == *' --version '* ]] || echo 1 >>%q
exec %q "$@"
`, c.refused, sent, real))
			testmust.Succeed(t, os.Chmod(wrapper, 0o700))
			t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
			var accepted atomic.Int32
			step := to("/x", `{}`, nil)
			step.Times = 8
			code, output, all := run(t, Script{Steps: []Step{step}, Expectation: ExpectAtMostOne{}},
				func(w http.ResponseWriter, _ *http.Request) {
					if accepted.Add(1)%8 != 1 {
						w.WriteHeader(409)
					}
				})
			calls, _ := os.ReadFile(sent)
			if n := strings.Count(string(calls), "1"); code != 0 || len(all) != 24 || n != c.want {
				t.Errorf("%d, %d requests by %d processes, expected %d\n%s",
					code, len(all), n, c.want, output)
			}
		})
	}
}
