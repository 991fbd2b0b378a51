package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/internal/contentcoding"
	"github.com/gateassay/gateassay/internal/redact"
)

// These limits are low because a run holds the answers to more than a thousand requests.
const (
	maxAnswerBytes    = 128 << 10 // bytes of an answer that is not a file
	maxHeaderBytes    = 32 << 10  // bytes of an answer's headers, including those of 1xx answers
	recordedFileBytes = 8 << 10   // bytes that are kept of a file
)

// unreadableError reports an answer that is beyond a limit or cannot be decompressed.
type unreadableError struct {
	error
	kind TroubleKind
}

// readAnswer reads and decompresses an answer up to the limit. It passes a longer file to the
// request's reader.
func (c *Client) readAnswer(resp *http.Response, k *pendingRequest, x *Exchange) error {
	defer resp.Body.Close()
	x.Status, x.Header = resp.StatusCode, resp.Header
	x.Recorded.Status, x.Recorded.ResponseProto = resp.StatusCode, resp.Proto
	x.Recorded.ResponseHeader = resp.Header
	raw := &countingReader{in: resp.Body}
	defer func() { x.Size = raw.size }()
	content, err := contentcoding.Decode(raw, x.Header.Get("Content-Encoding"))
	if err == nil {
		if x.Body, err = io.ReadAll(io.LimitReader(content, maxAnswerBytes+1)); err != nil {
			err = contentcoding.DamagedError(err)
		}
	}
	if x.cut = len(x.Body) > maxAnswerBytes; x.cut && err == nil && k.request.file != nil &&
		x.IsSuccess() {
		// The answer has arrived. Reading it must not hold up other requests.
		c.releaseSlot(k)
		k.pool.remove(k.conn)
		k.reading = true
		k.timer.Reset(c.fetchTimeout())
		k.request.file.readAnswer(io.MultiReader(bytes.NewReader(x.Body), content), x)
		x.Body, x.cut = slices.Clone(x.Body[:recordedFileBytes]), k.request.file.got.Cut
	}
	x.Body = x.Body[:min(len(x.Body), maxAnswerBytes)]
	switch {
	case raw.broken != nil:
		return raw.broken
	case err != nil:
		return &unreadableError{err, TroubleDecompression}
	// a long answer to an unauthorized fetch may be the file
	case k.request.Operation == OperationFile:
		return nil
	case x.cut:
		return &unreadableError{fmt.Errorf("is larger than %d KiB, and was not read to the end",
			maxAnswerBytes>>10), TroubleTooLarge}
	case !redact.IsShallowJSON(x.Body):
		return &unreadableError{
			fmt.Errorf("is JSON nested more than %d levels deep", redact.MaxJSONDepth), TroubleTooLarge,
		}
	}
	return nil
}
