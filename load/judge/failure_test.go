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
		{nil, NoFailure},
		{wrapped(syscall.ECONNREFUSED), Refused},
		{wrapped(syscall.ECONNRESET), Reset},
		{wrapped(syscall.EPIPE), Reset},
		{wrapped(syscall.EADDRNOTAVAIL), NoPorts},
		{wrapped(syscall.EMFILE), NoFiles},
		{wrapped(syscall.EHOSTUNREACH), Unreachable},
		{wrapped(syscall.ETIMEDOUT), TimedOut},
		{context.Canceled, Canceled},
		{late.Err(), TimedOut},
		{os.ErrDeadlineExceeded, TimedOut},
		{io.ErrUnexpectedEOF, Closed},
		{fmt.Errorf("%w: 1 MiB of headers", ErrProtocol), BadProtocol},
		{&net.DNSError{Err: "no such host", IsNotFound: true}, NameUnknown},
		{tls.AlertError(42), TLSFailed},
		{errors.New("something else"), OtherFailure},
	} {
		if got := FailureOf(c.err); got != c.want {
			t.Errorf("%v is %q, expected %q", c.err, got, c.want)
		}
	}
	v := New(0).Failed(os.ErrDeadlineExceeded)
	if v.Class != Timeout || v.Failure != TimedOut {
		t.Errorf("a timeout is %+v", v)
	}
	if v := New(0).Failed(io.EOF); v.Class != TransportError || v.Failure != Closed {
		t.Errorf("an end is %+v", v)
	}
}
