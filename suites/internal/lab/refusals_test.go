package lab_test

import (
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/target"
)

// A refusal shows nothing where valid creations are refused like it by then.
func TestRefusalsOfEverythingShowNothing(t *testing.T) {
	isBad := func(s sent) bool { return s.text("email") == "bad" }
	after := func(first int, status int) func(sent) (int, string) {
		var creations atomic.Int64
		return func(sent) (int, string) {
			if creations.Add(1) > int64(first) {
				return status, "{}"
			}
			return 201, created
		}
	}
	onlyBad := func(status int) func(sent) (int, string) {
		return func(s sent) (int, string) {
			if isBad(s) {
				return status, "{}"
			}
			return 201, created
		}
	}
	for name, c := range map[string]struct {
		answer func(sent) (int, string)
		unsure bool
	}{
		"each creation after the first repeats it": {after(1, 409), true},
		"no more are allowed":                      {after(1, 422), true},
		"what is bad conflicts":                    {onlyBad(409), false},
		"what is bad is refused":                   {onlyBad(422), false},
		"no more are allowed after the valid ones": {after(2, 422), false},
	} {
		t.Run(name, func(t *testing.T) {
			l, _, _ := controls(t, fixtures, c.answer)
			valid := l.ObserveProbe(lab.Probe{
				Operation: client.OperationCreate, Description: "nothing special", Valid: true,
			})
			_, _ = valid.Get(t.Context())
			invalid := l.ObserveProbe(lab.Probe{
				Operation: client.OperationCreate, Description: "a bad email",
				Edit: func(r *target.Request) { r.SetField("email", "bad") },
			})
			_, err := invalid.Get(t.Context())
			testmust.Equal(t, unsure(err), c.unsure, err)
		})
	}
}
