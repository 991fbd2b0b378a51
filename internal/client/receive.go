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
	maxAnswer  = 128 << 10 // bytes of an answer that is not a file
	maxHeader  = 32 << 10  // bytes of the headers of an answer and of those before it (1xx)
	headOfFile = 8 << 10   // bytes that stay of a file
)

// unreadable is an answer beyond a limit, or one that cannot be decompressed.
type unreadable struct {
	error
	kind TroubleKind
}

// receive reads an answer up to the limit, decompressed. A file that is longer goes where the request wants it.
func (c *Client) receive(resp *http.Response, k *call, x *Exchange) error {
	defer resp.Body.Close()
	x.Status, x.Header = resp.StatusCode, resp.Header
	x.Recorded.Status, x.Recorded.ResponseProto, x.Recorded.ResponseHeader = resp.StatusCode, resp.Proto, resp.Header
	raw := &meter{in: resp.Body}
	defer func() { x.Size = raw.size }()
	content, err := decoded(raw, x)
	if err == nil {
		if x.Body, err = io.ReadAll(io.LimitReader(content, maxAnswer+1)); err != nil {
			err = damaged(err)
		}
	}
	if x.cut = len(x.Body) > maxAnswer; x.cut && err == nil && k.req.file != nil && x.Success() {
		// The answer is here, and what is left is to read it: requests that wait for theirs need not wait for that.
		c.leave(k)
		k.pool.leave(k.conn)
		k.reading = true
		k.timer.Reset(c.fetchTimeout())
		k.req.file.take(io.MultiReader(bytes.NewReader(x.Body), content), x)
		x.Body, x.cut = slices.Clone(x.Body[:headOfFile]), k.req.file.got.Cut
	}
	x.Body = x.Body[:min(len(x.Body), maxAnswer)]
	switch {
	case raw.broken != nil:
		return raw.broken
	case err != nil:
		return &unreadable{err, Coded}
	case k.req.Operation == File: // what a reader of a file without permission gets may be the file
		return nil
	case x.cut:
		return &unreadable{fmt.Errorf("is larger than %d KiB, and was not read to the end", maxAnswer>>10), TooLarge}
	case !redact.Shallow(x.Body):
		return &unreadable{fmt.Errorf("is JSON nested more than %d levels deep", redact.DeepestJSON), TooLarge}
	}
	return nil
}
