package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/valyala/fasthttp"

	"github.com/gateassay/gateassay/load/judge"
)

// Errors are made so that judge.FailureOf finds their kind.
var (
	errCut     = fmt.Errorf("broken off, as the run is ending: %w", context.Canceled)
	errTimeout = fmt.Errorf("no complete answer within the timeout: %w", os.ErrDeadlineExceeded)
	errClosed  = fmt.Errorf("the peer closed the connection before its answer was whole: %w",
		io.ErrUnexpectedEOF)
)

func closed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, fasthttp.ErrConnectionClosed)
}

// malformed is an answer that cannot be read as HTTP within the limits.
func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", judge.ErrProtocol, fmt.Sprintf(format, args...))
}

// handshakeError sets a failed handshake apart from a failed connection.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return "the TLS handshake failed: " + e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

// As lets every failed handshake count as a failure of TLS, whatever ended it.
func (e *handshakeError) As(target any) bool {
	record, ok := target.(*tls.RecordHeaderError)
	if ok {
		record.Msg = e.Error()
	}
	return ok
}

// fromNetHTTP gives errors of net/http, some of which exist in words only, the kind they are of.
func fromNetHTTP(err error) error {
	if judge.FailureOf(err) != judge.OtherFailure {
		return err
	}
	text := err.Error()
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case has("server closed"), has("connection lost"), has("GOAWAY"):
		return fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	case has("malformed"), has("bad Content-Length"), has("transfer encoding"), has("chunk"),
		has("headers exceeded"),
		has("header list too large"), has("PROTOCOL_ERROR"), has("http2"), has("HTTP/"):
		return fmt.Errorf("%w: %w", judge.ErrProtocol, err)
	case has("tls:"):
		return &handshakeError{err}
	}
	return err
}
