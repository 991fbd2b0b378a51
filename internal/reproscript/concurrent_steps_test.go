package reproscript

import (
	"net/http"
	"strings"
	"testing"
	"time"
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
