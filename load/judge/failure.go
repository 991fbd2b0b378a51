package judge

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
)

// A Failure is a reason why a request got no answer.
type Failure uint8

// Failures.
const (
	FailureNone          Failure = iota
	FailureTimeout               // the timeout of the request passed
	FailureRefused               // nobody listens
	FailureUnreachable           // no route
	FailureDNS                   // the name does not resolve
	FailureTLS                   // handshake or certificate failed
	FailureReset                 // the peer reset the connection
	FailureClosed                // the peer closed the connection before or within its answer
	FailureNoPorts               // this machine has no free local port left
	FailureNoDescriptors         // this process has no file descriptor left
	FailureProtocol              // the answer is not HTTP or too long, see ErrProtocol
	FailureCanceled              // the run ended first
	FailureOther                 // anything else
	NumFailures          = iota
)

var failureTable = [NumFailures]struct{ name, words string }{
	FailureTimeout: {"timeout", "timeout"}, FailureRefused: {"refused", "connection refused"},
	FailureUnreachable: {"unreachable", "no route to the deployment"},
	FailureDNS:         {"dns", "name not resolved"},
	FailureTLS:         {"tls", "TLS handshake failed"}, FailureReset: {"reset", "connection reset"},
	FailureClosed:        {"closed", "connection closed before the answer was complete"},
	FailureNoPorts:       {"no_ports", "no local port left"},
	FailureNoDescriptors: {"no_files", "no file descriptor left"},
	FailureProtocol:      {"protocol", "answer not HTTP or too long"},
	FailureCanceled:      {"canceled", "canceled"},
	FailureOther:         {"other", "no answer"},
}

// String returns the name of the failure in records, such as "reset"; empty for FailureNone.
func (f Failure) String() string { return failureTable[min(f, FailureOther)].name }

// DescribeFailure says why there was no answer, by the name of the failure in records.
func DescribeFailure(name string) string {
	for _, f := range failureTable {
		if f.name == name {
			return f.words
		}
	}
	return strings.ReplaceAll(name, "_", " ")
}

// ErrProtocol says that an answer is not HTTP or too long. Transports wrap it.
var ErrProtocol = errors.New("the answer cannot be read as HTTP")

// FailureOf classifies the error of a transport.
func FailureOf(err error) Failure {
	if err == nil {
		return FailureNone
	}
	var (
		timeout net.Error
		dns     *net.DNSError
		alert   tls.AlertError
		record  tls.RecordHeaderError
		verify  *tls.CertificateVerificationError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return FailureCanceled
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return FailureNoDescriptors
	case errors.Is(err, syscall.EADDRNOTAVAIL), errors.Is(err, syscall.EADDRINUSE),
		errors.Is(err, syscall.EAGAIN):
		return FailureNoPorts
	case errors.Is(err, ErrProtocol):
		return FailureProtocol
	case errors.Is(err, syscall.ECONNREFUSED):
		return FailureRefused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.Is(err, syscall.ECONNABORTED):
		return FailureReset
	case errors.As(err, &dns):
		return FailureDNS
	case errors.As(err, &alert), errors.As(err, &record), errors.As(err, &verify):
		return FailureTLS
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.Is(err, syscall.ETIMEDOUT), errors.As(err, &timeout) && timeout.Timeout():
		return FailureTimeout
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return FailureUnreachable
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, io.ErrClosedPipe):
		return FailureClosed
	}
	return FailureOther
}
