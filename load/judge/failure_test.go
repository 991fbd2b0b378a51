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

	"github.com/gateassay/gateassay/internal/testmust"
)

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
