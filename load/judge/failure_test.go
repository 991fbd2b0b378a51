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
)

func TestFailures(t *testing.T) {
	names := map[string]bool{}
	for f := range Failure(NumFailures) {
		names[f.String()] = true
	}
	if len(names) != NumFailures {
		t.Errorf("failures share names: %v", names)
	}
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
		if got := FailureOf(c.err); got != c.want {
			t.Errorf("%v is %q, expected %q", c.err, got, c.want)
		}
	}
	v := New(nil).JudgeFailure(os.ErrDeadlineExceeded)
	if v.Class != ClassTimeout || v.Failure != FailureTimeout {
		t.Errorf("a timeout is %+v", v)
	}
	v = New(nil).JudgeFailure(io.EOF)
	if v.Class != ClassTransportError || v.Failure != FailureClosed {
		t.Errorf("an end is %+v", v)
	}
}
