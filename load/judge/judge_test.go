package judge

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestClasses(t *testing.T) {
	nowhere := `{"error":{"code":"replayed"}}`
	noState := `{"file_id":"a","file_state":null,"created_at":"2025-03-01T12:00:00Z"}`
	for i, m := range rules.ReplayModes() {
		for _, c := range []struct {
			known, status int
			body          string
			expect        Expectation
			want          Class
			rule          string
		}{
			{0, 200, sound, ExpectPass, ClassAccepted, ""},
			{0, 202, sound, ExpectEither, ClassAccepted, ""},
			{0, 201, sound, ExpectBlock, ClassMissedBlock, "replay." + m.Name + ".same"},
			{0, 201, noState, ExpectBlock, ClassMissedBlock, "replay." + m.Name + ".same"},
			{0, 200, nowhere, ExpectBlock, ClassMalformed, "replay.blocked_is_4xx"},
			{0, 302, "", ExpectBlock, ClassMalformed, "replay.blocked_is_4xx"},
			{0, 200, nowhere, ExpectPass, ClassMalformed, "export.response.file_id"},
			{0, 200, noState, ExpectPass, ClassMalformed, "export.response.file_state"},
			{0, 204, "", ExpectPass, ClassMalformed, "export.response.json"},
			{0, 409, nowhere, ExpectBlock, ClassBlocked, ""},
			{0, 409, nowhere, ExpectEither, ClassBlocked, ""},
			{0, 409, nowhere, ExpectPass, ClassFalseBlock, "replay." + m.Name + ".first"},
			{409, 409, nowhere, ExpectPass, ClassFalseBlock, "replay." + m.Name + ".first"},
			{409, 422, nowhere, ExpectPass, ClassClientError, ""},
			{429, 429, nowhere, ExpectBlock, ClassBlocked, ""},
			{429, 429, nowhere, ExpectPass, ClassThrottled, ""},
			{403, 403, nowhere, ExpectPass, ClassClientError, ""},
			{0, 429, "", ExpectPass, ClassThrottled, ""},
			{0, 403, "", ExpectPass, ClassClientError, ""},
			{0, 503, "", ExpectBlock, ClassServerError, ""},
		} {
			known := make([]int, i+1) // unknown in other modes
			known[i] = c.known
			got := New(known).JudgeAnswer(Answer{Status: c.status, Body: []byte(c.body)}, c.expect, i)
			if got != (Judgement{Class: c.want, Rule: c.rule}) {
				t.Errorf("%s, %d expected to %v, blocks are %d: %+v, expected %v %s", m.Name, c.status,
					c.expect, c.known, got, c.want, c.rule)
			}
		}
	}
	names := map[string]bool{}
	for c := range Class(NumClasses) {
		names[c.String()] = true
	}
	testmust.Equal(t, len(names), NumClasses, names)
	testmust.Equal(t, Class(200).String(), "unknown")
}

// Among the recent answers, an export that is given the file ID of another is unusable.
func TestAFileIDGivenAgainViolatesARule(t *testing.T) {
	j := New(nil)
	answer := func(id int, expect Expectation) Judgement {
		return j.JudgeAnswer(Answer{Status: 201, Body: fmt.Appendf(nil,
			`{"file_id":"%d","file_state":{},"created_at":"2025-03-01T12:00:00Z"}`, id)}, expect, 0)
	}
	for id := range 3 * maxRecentIDs {
		if got := answer(id, ExpectPass); got.Class != ClassAccepted {
			t.Fatalf("%d: %+v", id, got)
		}
	}
	again := Judgement{Class: ClassMalformed, Rule: "export.response.distinct_ids"}
	testmust.Equal(t, answer(3*maxRecentIDs-1, ExpectPass), again)
	testmust.Equal(t, answer(2*maxRecentIDs+1, ExpectPass), again, "of the generation before")
	testmust.Equal(t, answer(3*maxRecentIDs-2, ExpectEither).Class, ClassAccepted)
	testmust.Equal(t, answer(3*maxRecentIDs-2, ExpectBlock).Class, ClassMissedBlock)
	testmust.Equal(t, answer(0, ExpectPass).Class, ClassAccepted, "forgotten")
}

// A repeat that is blocked stays blocked, so an answer that invites another attempt is no block.
func TestARefusalWithRetryAfterIsThrottling(t *testing.T) {
	for status, want := range map[int]Class{
		400: ClassThrottled, 409: ClassThrottled, 429: ClassThrottled, 403: ClassClientError,
		503: ClassServerError,
	} {
		for _, expect := range []Expectation{ExpectPass, ExpectBlock, ExpectEither} {
			got := New([]int{409}).JudgeAnswer(Answer{Status: status, RetryAfter: true}, expect, 0)
			testmust.Equal(t, got, Judgement{Class: want}, status, expect)
		}
	}
}

func TestAcceptedAnswersAllocateNextToNothing(t *testing.T) {
	j, accepted := New(nil), Answer{Status: 201, Body: []byte(sound)}
	block := Answer{Status: 409, Body: []byte(`{"error":{"code":"replayed"}}`)}
	if n := testing.AllocsPerRun(1000, func() {
		if j.JudgeAnswer(accepted, ExpectEither, 1).Class != ClassAccepted ||
			j.JudgeAnswer(block, ExpectBlock, 1).Class != ClassBlocked {
			panic("judged wrongly")
		}
	}); n > 2 {
		t.Errorf("%v allocations", n)
	}
}

// Exactly one of two requests sent at once may be accepted, in any order of the answers.
func TestOneOfAPairPasses(t *testing.T) {
	j, n := New([]int{409}), int64(0)
	for _, c := range []struct {
		first, second Class
		status        int
		want          Class
		rule          string
	}{
		{ClassAccepted, ClassBlocked, 409, ClassBlocked, ""},
		{ClassBlocked, ClassAccepted, 201, ClassAccepted, ""},
		{ClassAccepted, ClassAccepted, 201, ClassMissedBlock, "replay.race.none"},
		{ClassBlocked, ClassBlocked, 409, ClassFalseBlock, "replay.none.first"},
		{ClassBlocked, ClassBlocked, 400, ClassClientError, ""},
		{ClassServerError, ClassAccepted, 201, ClassAccepted, ""},
		{ClassTimeout, ClassBlocked, 409, ClassBlocked, ""},
	} {
		testmust.Equal(t, j.JudgePair(n, Judgement{Class: c.first}, 0, ExpectEither, 0).Class,
			c.first, "the first by itself")
		if got := j.JudgePair(n, Judgement{Class: c.second}, c.status, ExpectEither,
			0); got != (Judgement{Class: c.want, Rule: c.rule}) {
			t.Errorf("%v and %v: %+v", c.first, c.second, got)
		}
		j.JudgePair(n, Judgement{Class: ClassMissedBlock}, 201, ExpectEither, 0)
		if got := j.JudgePair(n,
			Judgement{Class: ClassBlocked}, 409, ExpectBlock, 0); got.Class != ClassBlocked {
			t.Errorf("a repeat that had to be blocked: %+v", got)
		}
		n += 2
	}
	testmust.Equal(t, len(j.pairs), 0, "pairs are open")
}

func TestFailures(t *testing.T) {
	names := map[string]bool{}
	for f := range Failure(NumFailures) {
		names[f.String()] = true
	}
	testmust.Equal(t, len(names), NumFailures, "failures share names")
	wrapped := func(err error) error {
		return fmt.Errorf("sending: %w", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect",
			err)})
	}
	late, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	for _, c := range []struct {
		err  error
		want Failure
	}{
		{nil, FailureNone},
		{wrapped(syscall.ECONNREFUSED), FailureRefused},
		{wrapped(syscall.ECONNRESET), FailureReset},
		{wrapped(syscall.EPIPE), FailureReset},
		{wrapped(syscall.EADDRNOTAVAIL), FailureNoPorts},
		{wrapped(syscall.EMFILE), FailureNoDescriptors},
		{wrapped(syscall.EHOSTUNREACH), FailureUnreachable},
		{wrapped(syscall.ETIMEDOUT), FailureTimeout},
		{context.Canceled, FailureCanceled},
		{late.Err(), FailureTimeout},
		{os.ErrDeadlineExceeded, FailureTimeout},
		{io.ErrUnexpectedEOF, FailureClosed},
		{fmt.Errorf("%w: 1 MiB of headers", ErrProtocol), FailureProtocol},
		{&net.DNSError{Err: "no such host", IsNotFound: true}, FailureDNS},
		{tls.AlertError(42), FailureTLS},
		{errors.New("something else"), FailureOther},
	} {
		testmust.Equal(t, FailureOf(c.err), c.want, c.err)
	}
	v := New(nil).JudgeFailure(os.ErrDeadlineExceeded)
	testmust.Equal(t, v.Class, ClassTimeout)
	testmust.Equal(t, v.Failure, FailureTimeout)
	v = New(nil).JudgeFailure(io.EOF)
	testmust.Equal(t, v.Class, ClassTransportError)
	testmust.Equal(t, v.Failure, FailureClosed)
}
