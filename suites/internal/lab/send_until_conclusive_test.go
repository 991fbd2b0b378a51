package lab_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// unreached returns the lab of a run that sends nothing.
func unreached(t *testing.T) *lab.Lab {
	t.Helper()
	l, _, _ := controls(t, fixtures, nil)
	return l
}

// got returns an exchange with a status; 0: it has no answer.
func got(op client.Operation, status int) *client.Exchange {
	x := &client.Exchange{Operation: op, Status: status}
	if status == 0 {
		x.Err = &client.Trouble{Kind: client.TroubleReset}
	}
	return x
}

// script answers with one status after the other, and repeats the last.
func script(op client.Operation, statuses ...int) func() *client.Exchange {
	return func() *client.Exchange {
		x := got(op, statuses[0])
		statuses = statuses[min(1, len(statuses)-1):]
		return x
	}
}

// answered returns a control that counts its calls.
func answered(asked *int, ok bool) func(context.Context) (*client.Exchange, bool) {
	return func(context.Context) (*client.Exchange, bool) {
		*asked++
		if ok {
			return got(client.OperationCreate, http.StatusConflict), true
		}
		return got(client.OperationCreate, http.StatusServiceUnavailable), false
	}
}

// settled sends one export until its answer is clear.
func settled(t *testing.T, subject *lab.Lab, statuses ...int) (target.Answer, error) {
	t.Helper()
	return subject.SendUntilConclusive(t.Context(), answers.ConclusiveForField,
		script(client.OperationExport, statuses...), answered(new(int), true))
}

func TestSettle(t *testing.T) {
	const nobody = ", and the same request without the defect got none either (503 Service " +
		"Unavailable)"
	for name, c := range map[string]struct {
		script   []int // 0: no answer
		status   int   // of the judged answer
		attempts int
		asked    int    // calls of the control, which is answered unless the error says otherwise
		says     string // part of the error
	}{
		"a clear answer at once":             {[]int{422}, 422, 1, 0, ""},
		"a success is clear":                 {[]int{201}, 201, 1, 0, ""},
		"a redirect is clear":                {[]int{302}, 302, 1, 0, ""},
		"trouble that passes":                {[]int{503, 0, 400}, 400, 3, 0, ""},
		"a server error that passes":         {[]int{500, 201}, 201, 2, 1, ""},
		"a server error that stays":          {[]int{500}, 500, 3, 1, ""},
		"a server error after trouble":       {[]int{503, 501}, 501, 3, 1, ""},
		"trouble after a server error":       {[]int{500, 0, 201}, 201, 3, 1, ""},
		"trouble after throttling":           {[]int{429, 429, 429, 429, 0, 201}, 201, 6, 1, ""},
		"trouble that passes at the last":    {[]int{503, 503, 503, 422}, 422, 4, 0, ""},
		"only this request has no answer":    {[]int{0}, 0, 5, 1, ""},
		"only this request breaks it":        {[]int{503}, 503, 5, 1, ""},
		"403 to a field, the control served": {[]int{403}, 403, 5, 1, ""},
		"clear after the control":            {[]int{503, 503, 503, 503, 400}, 400, 5, 1, ""},
		"throttled until the end":            {[]int{429}, 429, 5, 1, "throttled: 429 Too Many Requests"},
		"nothing is answered": {
			[]int{503}, 503, 4, 1, "no clear answer after 4 attempts (503 Service Unavailable)" + nobody,
		},
		"nothing but server errors": {
			[]int{500},
			500, 4, 4,
			"no clear answer after 4 attempts (500 Internal Server Error)" + nobody,
		},
		"nothing is answered, and no control": {
			[]int{502}, 502, 4, 0, "no clear answer after 4 attempts: 502 Bad Gateway",
		},
	} {
		subject, asked := unreached(t), 0
		control := answered(&asked, !strings.HasSuffix(c.says, nobody))
		if strings.HasSuffix(name, "no control") {
			control = nil
		}
		synctest.Test(t, func(t *testing.T) { // with a fake clock
			a, err := subject.SendUntilConclusive(t.Context(), answers.ConclusiveForField,
				script(client.OperationExport, c.script...), control)
			if (err != nil) != (c.says != "") || err != nil && (err.Error() != c.says || !unsure(err)) {
				t.Errorf("%s: error %v, want %s", name, err, c.says)
			}
			if a.Status != c.status || len(a.Attempts) != c.attempts ||
				a.Attempts[len(a.Attempts)-1] != a.Exchange {
				t.Errorf("%s: %s after %d attempts, want %d after %d", name, a, len(a.Attempts), c.status,
					c.attempts)
			}
			if asked != c.asked || a.ControlAnswered != (asked > 0 && !strings.HasSuffix(c.says, nobody)) {
				t.Errorf("%s: the control was asked %d times, want %d", name, asked, c.asked)
			}
		})
	}
}

// Each attempt of a creation may leave a record. Once a deployment is known to fail consistently, one
// answer is enough, and two of an export are.
func TestSettleSpendsNoCreationsOnWhatIsKnown(t *testing.T) {
	for op, last := range map[client.Operation]int{
		client.OperationCreate: 1, client.OperationExport: 2,
	} {
		subject := unreached(t)
		synctest.Test(t, func(t *testing.T) {
			for i, attempts := range []int{3, 3, 3, last} {
				a, err := subject.SendUntilConclusive(t.Context(), answers.ConclusiveForField,
					script(op, 500), answered(new(int), true))
				if err != nil || a.Status != 500 || !a.ControlAnswered || len(a.Attempts) != attempts {
					t.Errorf("%s %d: %v, %s after %d attempts", op, i+1, err, a, len(a.Attempts))
				}
			}
		})
	}
}

func TestACreationThatIsNeverSentIsNotJudged(t *testing.T) {
	spent := &client.Exchange{
		Operation: client.OperationCreate,
		Err:       &client.Trouble{Kind: client.TroubleMaxCreates},
	}
	a, err := unreached(t).SendUntilConclusive(t.Context(), answers.ConclusiveForField,
		func() *client.Exchange { return spent }, nil)
	if need := spec.NotVerifiedReason(err); need == nil || need.Key != "limits.max_creates" ||
		len(a.Attempts) != 1 {
		t.Errorf("%v after %d attempts", err, len(a.Attempts))
	}
}

// An interrupt ends the attempts at any point, and a clear answer that comes with it is not
// judged.
func TestSettleIsInterrupted(t *testing.T) {
	for _, at := range []int{1, 3, 5} { // the fifth comes after the control
		for _, status := range []int{http.StatusServiceUnavailable, http.StatusBadRequest} {
			subject, asked, sent := unreached(t), 0, 0
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				defer interrupt()
				a, err := subject.SendUntilConclusive(ctx, answers.ConclusiveForField, func() *client.Exchange {
					if sent++; sent == at {
						interrupt()
						return got(client.OperationExport, status)
					}
					return got(client.OperationExport, http.StatusServiceUnavailable)
				}, answered(&asked, true))
				if !errors.Is(err, spec.ErrInterrupted) || len(a.Attempts) != at || asked != at/5 {
					t.Errorf("at %d: %v after %d attempts, control asked %d times", at, err, len(a.Attempts),
						asked)
				}
			})
		}
	}
}

func TestWhatIsClear(t *testing.T) {
	for status, want := range map[int][2]bool{ // for a field, for the caller
		0: {false, false}, 200: {true, true}, 302: {true, true}, 400: {true, true}, 401: {false, true},
		403: {false, true},
		404: {true, true}, 422: {true, true}, 429: {false, false}, 499: {true, true}, 500: {false, false},
		503: {false, false},
	} {
		x := got(client.OperationExport, status)
		testmust.Equal(t, [2]bool{answers.ConclusiveForField(x), answers.ConclusiveForCaller(x)},
			want, status)
	}
}

func TestUsable(t *testing.T) {
	subject := unreached(t)
	for status, anew := range map[int]bool{
		0: true, 429: true, 502: true, 503: true, 504: true, 200: false, 302: false, 401: false,
		409: false, 500: false,
	} {
		err := subject.TransientError(t.Context(), got(client.OperationExport, status))
		if errors.Is(err, spec.ErrTransient) != anew || !anew && err != nil {
			t.Errorf("%d: %v", status, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := subject.TransientError(ctx, got(client.OperationExport, 200))
	if !errors.Is(err, spec.ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
}

// A lasting server error is a finding at the third attempt, until the deployment is seen to have
// errors that disappear on retry.
func TestServerErrorsThatPass(t *testing.T) {
	subject := unreached(t)
	synctest.Test(t, func(t *testing.T) {
		for i, c := range []struct {
			statuses         []int
			status, attempts int
		}{
			{[]int{500}, 500, 3},
			{[]int{500, 400}, 400, 2},
			{[]int{500, 500, 400}, 400, 3},
			{[]int{500}, 500, 5},
		} {
			a, err := settled(t, subject, c.statuses...)
			if err != nil || a.Status != c.status || len(a.Attempts) != c.attempts {
				t.Errorf("%d: %v, %d attempts, %v", i, a, len(a.Attempts), err)
			}
		}
	})
	if answered, gone := subject.PassingErrors(client.OperationExport); answered != 2 ||
		len(gone) != 3 || !subject.IsTransient(got(client.OperationExport, 500)) {
		t.Errorf("%d answers, %d server errors that passed", answered, len(gone))
	}
}

// Attempts that may all have been lost by chance are no finding: the next one may be answered,
// and where too many are lost, the result is inconclusive.
func TestAttemptsThatWereLostByAccident(t *testing.T) {
	for _, c := range []struct {
		lost     []int // what every fifth request gets before its answer
		attempts int   // of a request that is never answered
		unsure   bool
	}{
		{nil, 5, false},
		{[]int{503}, 7, false},
		{[]int{503, 503, 503}, 8, true},
	} {
		subject := unreached(t)
		synctest.Test(t, func(t *testing.T) {
			for i := range 200 {
				statuses := []int{http.StatusBadRequest}
				if i%5 == 0 {
					statuses = append(c.lost, statuses...)
				}
				testmust.Get(settled(t, subject, statuses...))(t)
			}
			a, err := settled(t, subject, 503)
			if unsure(err) != c.unsure || len(a.Attempts) != c.attempts {
				t.Errorf("%v: %d attempts, %v", c.lost, len(a.Attempts), err)
			}
		})
	}
}
