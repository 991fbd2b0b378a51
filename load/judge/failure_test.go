package judge

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"
	"time"
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
		return fmt.Errorf("sending: %w", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", err)})
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
	v := New(Options{}).Failed(os.ErrDeadlineExceeded)
	if v.Class != Timeout || v.Failure != TimedOut {
		t.Errorf("a timeout is %+v", v)
	}
	if v := New(Options{}).Failed(io.EOF); v.Class != TransportError || v.Failure != Closed {
		t.Errorf("an end is %+v", v)
	}
}

func get(client *http.Client, url string) error {
	answer, err := client.Get(url)
	if err == nil {
		answer.Body.Close()
	}
	return err
}

// TestFailuresOfRealConnections looks at errors as net/http gives them.
func TestFailuresOfRealConnections(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = nil
	secure.StartTLS()
	defer secure.Close()
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer slow.Close()
	defer close(release)
	gone := httptest.NewServer(nil)
	gone.Close()
	client := &http.Client{Timeout: 50 * time.Millisecond, Transport: &http.Transport{DisableKeepAlives: true}}
	for url, want := range map[string]Failure{slow.URL: TimedOut, gone.URL: Refused} {
		err := get(client, url)
		if got := FailureOf(err); got != want {
			t.Errorf("%v is %q, expected %q", err, got, want)
		}
	}
	patient := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	err := get(patient, secure.URL) // its certificate is not trusted
	if got := FailureOf(err); got != TLSFailed {
		t.Errorf("%v is %q", err, got)
	}
}
