package judge

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
)

// Failure is why a request got no answer.
type Failure uint8

// The kinds of failure.
const (
	NoFailure    Failure = iota
	TimedOut             // the time for one request ran out
	Refused              // nobody listens
	Unreachable          // no route
	NameUnknown          // the name does not resolve
	TLSFailed            // the handshake or the certificate
	Reset                // the peer reset the connection
	Closed               // the peer closed the connection before or within its answer
	NoPorts              // this machine has no free local port left
	NoFiles              // this process has no file descriptor left
	BadProtocol          // what came is not HTTP: see ErrProtocol
	Canceled             // the run ended first
	OtherFailure         // anything else
	NumFailures  = iota
)

var failures = [NumFailures]struct{ name, words string }{
	TimedOut: {"timeout", "timeout"}, Refused: {"refused", "connection refused"},
	Unreachable: {"unreachable", "no route to the deployment"},
	NameUnknown: {"dns", "name not resolved"},
	TLSFailed:   {"tls", "TLS handshake failed"}, Reset: {"reset", "connection reset"},
	Closed:  {"closed", "connection closed before the answer was complete"},
	NoPorts: {"no_ports", "no local port left"}, NoFiles: {"no_files", "no file descriptor left"},
	BadProtocol: {"protocol", "not HTTP"}, Canceled: {"canceled", "canceled"},
	OtherFailure: {"other", "no answer"},
}

// String returns the name of the failure in records, such as "reset"; empty for NoFailure.
func (f Failure) String() string { return failures[min(f, OtherFailure)].name }

// FailureWords says why there was no answer, by the name of the failure in records.
func FailureWords(name string) string {
	for _, f := range failures {
		if f.name == name {
			return f.words
		}
	}
	return strings.ReplaceAll(name, "_", " ")
}

// ErrProtocol is for transports to wrap when an answer breaks HTTP.
var ErrProtocol = errors.New("the answer cannot be read as HTTP")

// FailureOf classifies the error of a transport.
func FailureOf(err error) Failure {
	if err == nil {
		return NoFailure
	}
	var (
		timeout  net.Error
		dns      *net.DNSError
		alert    tls.AlertError
		record   tls.RecordHeaderError
		verify   *tls.CertificateVerificationError
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return NoFiles
	case errors.Is(err, syscall.EADDRNOTAVAIL), errors.Is(err, syscall.EADDRINUSE),
		errors.Is(err, syscall.EAGAIN):
		return NoPorts
	case errors.Is(err, ErrProtocol):
		return BadProtocol
	case errors.Is(err, syscall.ECONNREFUSED):
		return Refused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.Is(err, syscall.ECONNABORTED):
		return Reset
	case errors.As(err, &dns):
		return NameUnknown
	case errors.As(err, &alert), errors.As(err, &record), errors.As(err, &verify),
		errors.As(err, &unknown), errors.As(err, &hostname), errors.As(err, &invalid):
		return TLSFailed
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.Is(err, syscall.ETIMEDOUT), errors.As(err, &timeout) && timeout.Timeout():
		return TimedOut
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return Unreachable
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, io.ErrClosedPipe):
		return Closed
	}
	return OtherFailure
}
