package transport

import (
	"bytes"
	"io"

	"github.com/gateassay/gateassay/internal/contentcoding"
)

// Decompress undoes the Content-Encoding of a body. judge.FailureOf knows the error.
func Decompress(body []byte, coding string) ([]byte, error) {
	if coding == "" {
		return body, nil
	}
	content, err := contentcoding.Decode(bytes.NewReader(body), coding)
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(content, MaxBodyBytes+1))
	}
	if err != nil {
		return nil, malformedError("%v", err)
	}
	return body, unreadableError(200, len(body))
}
