package client

import "fmt"

const (
	mostInformational = 20       // answers (1xx) before the answer
	deepestJSON       = 100      // levels
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
		return &sizeError{fmt.Sprintf("is larger than %d MiB, and was not read to its end", maxAnswer>>20)}
	case !shallow(x.Body):
		return &sizeError{fmt.Sprintf("is JSON of more than %d levels", deepestJSON)}
	case len(x.Body) < manyBytes:
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.large += len(x.Body); c.large > largeInAll {
		return &sizeError{fmt.Sprintf("is larger than %d KiB, and the run holds %d MiB of such answers", manyBytes>>10, largeInAll>>20)}
	}
	return nil
}

// shallow reports JSON, or what was meant to be, that is not nested deeper than anything that a person wrote.
func shallow(b []byte) bool {
	depth, text := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\\' && text:
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			if depth++; depth > deepestJSON {
				return false
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return true
}
