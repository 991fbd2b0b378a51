package target_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// settled runs the procedure for one request, whose attempts get these statuses, the last of them for ever.
func settled(t *testing.T, subject *target.Target, statuses ...int) (target.Answer, error) {
	t.Helper()
	asked := 0
	return subject.Settle(t.Context(), target.AboutField, func() *client.Exchange {
		status := statuses[0]
		statuses = statuses[min(1, len(statuses)-1):]
		return &client.Exchange{Operation: client.Export, Status: status}
	}, func(ctx context.Context) (*client.Exchange, bool) { return answered(&asked, true)(ctx) })
}

// A server error that stayed is a finding at once, until the deployment is seen to have some that pass.
func TestServerErrorsThatPass(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1")
	synctest.Test(t, func(t *testing.T) {
		for i, c := range []struct {
			statuses []int
			status   int
			attempts int
		}{
			{[]int{500}, 500, 2},
			{[]int{500, 400}, 400, 2},
			{[]int{500, 500, 400}, 400, 3},
			{[]int{500}, 500, 4},
		} {
			a, err := settled(t, subject, c.statuses...)
			if err != nil || a.Status != c.status || len(a.Attempts) != c.attempts {
				t.Errorf("%d: %v, %d attempts, %v", i, a, len(a.Attempts), err)
			}
		}
	})
	if answers, gone := subject.Answered(client.Export); answers != 2 || len(gone) != 3 || !subject.Sporadic() {
		t.Errorf("%d answers, %d server errors that passed", answers, len(gone))
	}
}

// Where every fifth request has to be sent again, one that never got an answer may only have been unlucky.
func TestARequestAmongManyThatWentAstray(t *testing.T) {
	for name, c := range map[string]struct {
		before []int // statuses of each fifth request
		unsure bool
	}{
		"steady":   {[]int{400}, false},
		"unsteady": {[]int{503, 400}, true},
	} {
		subject := aim(t, "http://127.0.0.1:1")
		synctest.Test(t, func(t *testing.T) {
			for i := range 25 {
				statuses := []int{http.StatusBadRequest}
				if i%5 == 0 {
					statuses = c.before
				}
				if _, err := settled(t, subject, statuses...); err != nil {
					t.Fatal(err)
				}
			}
			a, err := settled(t, subject, 503)
			if errors.Is(err, spec.ErrInconclusive) != c.unsure || len(a.Attempts) != 5 {
				t.Errorf("%s: %d attempts, %v", name, len(a.Attempts), err)
			}
		})
	}
}

// Attempts that may all have been lost by accident are no finding: the next one may come.
func TestAttemptsThatWereLostByAccident(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1")
	if subject.Accident(1) {
		t.Error("an accident in a run in which nothing was lost")
	}
	synctest.Test(t, func(t *testing.T) {
		for i := range 200 {
			statuses := []int{http.StatusBadRequest}
			if i%10 == 5 {
				statuses = []int{503, 400}
			}
			if _, err := settled(t, subject, statuses...); err != nil {
				t.Fatal(err)
			}
		}
		if !subject.Accident(4) || subject.Accident(6) {
			t.Errorf("4 attempts: %v, 6 attempts: %v", subject.Accident(4), subject.Accident(6))
		}
		if a, err := settled(t, subject, 503, 503, 503, 503, 503, 400); err != nil || a.Status != 400 {
			t.Errorf("%v, %v", a, err)
		}
	})
}
