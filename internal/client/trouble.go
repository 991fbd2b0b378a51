package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/redact"
)

var errTimeout = errors.New("no complete answer in time")

// troubleOf describes why an answer is missing or incomplete, based on the transport's error.
func (c *Client) troubleOf(
	ctx context.Context, err error, k *pendingRequest, x *Exchange,
) *Trouble {
	var came *unreadableError
	t := &Trouble{Kind: troubleKind(ctx, err), Detail: removeLocalPort(err)}
	_ = errors.As(err, &t.Proxy)
	switch {
	case t.Kind == TroubleTimeout && errors.Is(context.Cause(ctx), errTimeout):
		t.Detail = fmt.Sprintf("no complete answer within %s (%s)",
			cmp.Or(c.opts.TimeoutKey, "limits.timeout"), c.opts.Timeout)
		if k.reading {
			t.Detail = fmt.Sprintf("the file was not read within export.file.timeout (%s)", c.fetchTimeout())
		}
	case errors.As(err, &came):
		t.Kind = came.kind
	case strings.Contains(t.Detail, "headers exceeded"):
		t.Detail = fmt.Sprintf(
			"the headers of the answer are larger than %d KiB, informational answers (1xx) included",
			maxHeaderBytes>>10)
	case t.Kind == TroubleTooLarge:
		t.Detail = "its chunks have overlong lines or too much overhead: " + t.Detail
	case t.Kind == TroubleCanceled:
		t.Detail = "the run ended while the request was under way"
	case t.Kind == TroubleReset && k.reused && x.FirstByte == 0:
		t.Detail = "on a connection kept open from an earlier request, before any answer: " + t.Detail
	}
	if t.Kind == TroubleNotHTTP || t.Kind == TroubleReset {
		t.Detail = redact.RemoveQuotations(t.Detail)
	}
	switch {
	case x.Status == 0 || t.Kind == TroubleDecompression:
	case t.Kind == TroubleTooLarge:
		t.Detail = fmt.Sprintf("the answer %d %s", x.Status, t.Detail)
	default:
		t.Detail = fmt.Sprintf("the answer %d broke off after %d bytes of its body: %s", x.Status, x.Size,
			t.Detail)
	}
	t.Detail = printable.TruncateToWidth(c.redactor.Text(t.Detail), 300)
	return t
}

// removeLocalPort removes the local address from an error, because it differs for each
// connection.
func removeLocalPort(err error) string {
	text := err.Error()
	var op *net.OpError
	if errors.As(err, &op) && op.Source != nil && op.Addr != nil {
		text = strings.ReplaceAll(text, op.Source.String()+"->"+op.Addr.String(), op.Addr.String())
	}
	return text
}

func troubleKind(ctx context.Context, err error) TroubleKind {
	var timeout net.Error
	says := func(parts ...string) bool {
		return slices.ContainsFunc(parts,
			func(part string) bool { return strings.Contains(err.Error(), part) })
	}
	switch {
	case says("headers exceeded", "header line too long", "too much non-data"):
		return TroubleTooLarge
	case errors.Is(context.Cause(ctx), errTimeout), errors.Is(ctx.Err(), context.DeadlineExceeded):
		return TroubleTimeout
	case ctx.Err() != nil:
		return TroubleCanceled
	case errors.As(err, new(*ProxyError)):
		return TroubleProxy
	case errors.As(err, new(*net.DNSError)):
		return TroubleDNS
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.EHOSTUNREACH),
		errors.Is(err, syscall.ENETUNREACH):
		return TroubleRefused
	case says("tls: ", "x509: ", "gave HTTP response to HTTPS client"):
		return TroubleTLS
	case errors.As(err, &timeout) && timeout.Timeout():
		return TroubleTimeout
	case says("invalid header field", "invalid method"):
		return TroubleUnsendable
	case says("malformed", "invalid byte in chunk", "chunk length", "chunked line", "CR in chunked",
		"multiple Content-Length", "bad Content-Length", "unsupported transfer encoding",
		"too many 1xx", "PROTOCOL_ERROR", "COMPRESSION_ERROR", "FRAME_SIZE_ERROR",
		"invalid Content-Length", "frame with unknown", "http2: frame too large"):
		return TroubleNotHTTP
	}
	return TroubleReset
}
