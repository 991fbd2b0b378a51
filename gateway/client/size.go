package client

import (
	"fmt"

	"github.com/gateassay/gateassay/gateway/redact"
)

const (
	mostInformational = 20       // answers (1xx) before the answer
	manyBytes         = 64 << 10 // of an answer that counts as a large one
	largeInAll        = 32 << 20 // bytes of large answers that a run reads; further ones are left alone
)

// sizeError is an answer beyond a limit.
type sizeError struct{ why string }

func (e *sizeError) Error() string { return e.why }

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
