package transport

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
)

// Decompress undoes the Content-Encoding of a body. None was requested, but any is allowed (RFC
// 9110, section 12.5.3). judge.FailureOf knows the error.
func Decompress(body []byte, coding string) ([]byte, error) {
	switch strings.ToLower(coding) {
	case "", "identity":
		return body, nil
	case "gzip", "x-gzip":
		if !bytes.HasPrefix(body, []byte("\x1f\x8b")) { // a proxy left the header of what it unpacked
			return body, nil
		}
	default:
		return nil, malformedError("its Content-Encoding is %.40q, none was requested, and only gzip "+
			"is supported", coding)
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(z, MaxBodyBytes+1))
	}
	if err != nil {
		return nil, malformedError("its body is damaged gzip data")
	}
	return body, unreadableError(200, len(body))
}
