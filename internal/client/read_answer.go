package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/internal/redact"
)

// A run holds the answers to more than a thousand requests.
const (
	maxAnswerBytes    = 128 << 10 // bytes of an answer that is not a file
	maxHeaderBytes    = 32 << 10  // bytes of the headers of an answer and of those before it (1xx)
	recordedFileBytes = 8 << 10   // bytes that stay of a file
)

// unreadableError is an answer beyond a limit, or one that cannot be decompressed.
type unreadableError struct {
	error
	kind TroubleKind
}

// readAnswer reads an answer up to the limit, decompressed. A file that is longer goes where the
// request wants it.
func (c *Client) readAnswer(resp *http.Response, k *pendingRequest, x *Exchange) error {
	defer resp.Body.Close()
	x.Status, x.Header = resp.StatusCode, resp.Header
	x.Recorded.Status, x.Recorded.ResponseProto = resp.StatusCode, resp.Proto
	x.Recorded.ResponseHeader = resp.Header
	raw := &countingReader{in: resp.Body}
	defer func() { x.Size = raw.size }()
	content, err := decodeContent(raw, x)
	if err == nil {
		if x.Body, err = io.ReadAll(io.LimitReader(content, maxAnswerBytes+1)); err != nil {
			err = damagedError(err)
		}
	}
	if x.cut = len(x.Body) > maxAnswerBytes; x.cut && err == nil && k.request.file != nil &&
		x.IsSuccess() {
		// The answer is here, and what is left is to read it: requests that wait for theirs need not wait
		// for that.
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
	// what a reader of a file without permission gets may be the file
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
