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
	errClosed  = fmt.Errorf("the peer closed the connection before its answer was whole: %w", io.ErrUnexpectedEOF)
)

func closed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, fasthttp.ErrConnectionClosed)
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
	for _, w := range [...]struct {
		part string
		as   error
	}{
		{"server closed", io.ErrUnexpectedEOF},
		{"connection lost", io.ErrUnexpectedEOF},
		{"GOAWAY", io.ErrUnexpectedEOF},
		{"malformed", judge.ErrProtocol},
		{"bad Content-Length", judge.ErrProtocol},
		{"transfer encoding", judge.ErrProtocol},
		{"chunk", judge.ErrProtocol},
		{"headers exceeded", judge.ErrProtocol},
		{"header list too large", judge.ErrProtocol},
		{"PROTOCOL_ERROR", judge.ErrProtocol},
		{"http2", judge.ErrProtocol},
		{"HTTP/2", judge.ErrProtocol},
		{"HTTP/1", judge.ErrProtocol},
	} {
		if strings.Contains(text, w.part) {
			return fmt.Errorf("%w: %w", w.as, err)
		}
	}
	if strings.Contains(text, "tls:") {
		return &handshakeError{err}
	}
	return err
}
