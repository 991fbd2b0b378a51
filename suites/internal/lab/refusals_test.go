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

// An export that is refused beside others is accepted in the end, and an invalid one gets its own
// refusal.
func TestExportsRefusedBesideOthers(t *testing.T) {
	var exports atomic.Int64
	for name, refuses := range map[string]func(n int64) bool{
		"every third":   func(n int64) bool { return n%3 == 0 },
		"four in a row": func(n int64) bool { return n > 1 && n < 6 },
	} {
		t.Run(name, func(t *testing.T) {
			exports.Store(0)
			l, _, _ := controls(t, fixtures, func(s sent) (int, string) {
				switch {
				case refuses(exports.Add(1)):
					return 409, "{}"
				case s.text("sort") == "bad":
					return 400, "{}"
				}
				return 200, `{"file_id":"` + target.NewUUID() + `"}`
			})
			for _, p := range []lab.Probe{
				{Description: "nothing special", Valid: true},
				{Description: "a bad sort", Edit: func(r *target.Request) { r.SetField("sort", "bad") }},
			} {
				p.Operation = client.OperationExport
				a, err := l.ObserveProbe(p).Get(t.Context())
				if err != nil || a.IsSuccess() != p.Valid || a.Status == 409 {
					t.Errorf("%s: %s, %v", p.Description, a, err)
				}
			}
		})
	}
}

// A valid creation that is refused is no finding where others are refused alike by then, or where it
// is accepted when it is sent again.
func TestValidRequestsThatAreRefused(t *testing.T) {
	var creations atomic.Int64
	isOdd := func(s sent) bool { return s.text("email") == "odd@example.com" }
	for name, c := range map[string]struct {
		accepts func(n int64, s sent) bool // the nth creation
		want    string
		passing int // refusals that disappeared
	}{
		"a value is":                {func(_ int64, s sent) bool { return !isOdd(s) }, "refused", 0},
		"all are after the first":   {func(n int64, _ sent) bool { return n == 1 }, "unsure", 0},
		"all are after the second":  {func(n int64, _ sent) bool { return n <= 2 }, "unsure", 0},
		"every third is":            {func(n int64, _ sent) bool { return n%3 != 0 }, "accepted", 1},
		"a value is, after a while": {func(n int64, s sent) bool { return n < 3 || !isOdd(s) }, "refused", 0},
	} {
		t.Run(name, func(t *testing.T) {
			creations.Store(0)
			l, _, _ := controls(t, fixtures, func(s sent) (int, string) {
				if c.accepts(creations.Add(1), s) {
					return 201, created
				}
				return 422, "{}"
			})
			plain := l.ObserveProbe(lab.Probe{
				Operation: client.OperationCreate, Description: "nothing special", Valid: true,
			})
			_, _ = plain.Get(t.Context())
			odd := l.ObserveProbe(lab.Probe{
				Operation: client.OperationCreate, Description: "an odd email", Valid: true,
				Edit: func(r *target.Request) { r.SetField("email", "odd@example.com") },
			})
			a, err := odd.Get(t.Context())
			_, gone := l.PassingErrors(client.OperationCreate)
			found := "refused"
			switch {
			case unsure(err):
				found = "unsure"
			case a.IsSuccess():
				found = "accepted"
			}
			if found != c.want || len(gone) != c.passing {
				t.Errorf("%s, %v, %d refusals that disappeared", found, err, len(gone))
			}
		})
	}
}
