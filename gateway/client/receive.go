package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/gateway/redact"
)

const (
	maxAnswer         = 1 << 20  // bytes of an answer that is not a file
	maxHeader         = 64 << 10 // bytes of the headers of an answer
	headOfFile        = 8 << 10  // bytes that stay of a file
	mostInformational = 20       // answers (1xx) before the answer
	manyBytes         = 64 << 10 // of an answer that counts as a large one
	largeInAll        = 32 << 20 // bytes of large answers that a run reads; further ones are left alone
)

// sizeError is an answer beyond a limit.
type sizeError struct{ why string }

func (e *sizeError) Error() string { return e.why }

// codingError is an answer that cannot be decompressed.
type codingError struct{ error }

// receive reads an answer up to the limit, decompressed. A file that is longer goes where the request wants it.
func (c *Client) receive(resp *http.Response, k *call, x *Exchange) error {
	defer resp.Body.Close()
	x.Status, x.Header = resp.StatusCode, resp.Header
	x.Recorded.Status, x.Recorded.ResponseProto, x.Recorded.ResponseHeader = resp.StatusCode, resp.Proto, resp.Header
	raw := &meter{in: resp.Body}
	defer func() { x.Size = raw.size }()
	content, err := decoded(raw, x)
	var body bytes.Buffer
	if err == nil {
		if n := resp.ContentLength; n > 0 { // in place: many are read at once
			body.Grow(int(min(n, maxAnswer+1)) + bytes.MinRead)
		}
		if _, err = body.ReadFrom(io.LimitReader(content, maxAnswer+1)); err != nil {
			err = damaged(err)
		}
	}
	x.Cut = body.Len() > maxAnswer
	x.Body = body.Bytes()[:min(body.Len(), maxAnswer):min(body.Len(), maxAnswer)]
	if x.Cut && err == nil && k.req.file != nil && x.Success() {
		// The answer is here, and what is left is to read it: requests that wait for theirs need not wait for that.
		c.leave(k)
		k.note(func(m *moments) { m.reading = true })
		k.timer.Reset(c.fetchTimeout())
		k.req.file.take(io.MultiReader(&body, content), x)
		x.Body, x.Cut = slices.Clone(x.Body[:headOfFile]), k.req.file.got.Cut
	}
	switch {
	case raw.broken != nil:
		return raw.broken
	case err != nil:
		return &codingError{err}
	}
	return c.readable(k, x)
}

// readable returns why an answer is too large to be judged; nil: it is not. Only what a rule may look at is held
// against the limits: what a reader of a file without permission gets may be the file.
func (c *Client) readable(k *call, x *Exchange) error {
	switch {
	case k.req.Operation == File:
		return nil
	case x.Cut:
		return &sizeError{fmt.Sprintf("is larger than %d MiB, and was not read to the end", maxAnswer>>20)}
	case !redact.Shallow(x.Body):
		return &sizeError{fmt.Sprintf("is JSON nested more than %d levels deep", redact.DeepestJSON)}
	case len(x.Body) < manyBytes:
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.large += len(x.Body); c.large > largeInAll {
		return &sizeError{fmt.Sprintf("is larger than %d KiB, and the run holds %d MiB of such answers", manyBytes>>10,
			largeInAll>>20)}
	}
	return nil
}
