package spec

import (
	"errors"
	"fmt"
)

// ErrTransient marks trouble that says nothing about the rule: no answer, 503, throttling. The
// observation starts anew.
var ErrTransient = errors.New("the deployment was out of order")

// ErrInterrupted ends observations when the run is interrupted.
var ErrInterrupted = errors.New("the run was interrupted")

// Reason is why a rule cannot be judged: something that it needs is lacking, or the deployment gave
// no usable answer.
type Reason struct {
	Inconclusive bool
	// of the deployment file: to be added or, where Text says what is wrong, corrected; empty: none
	// helps
	Key  string
	Text string // in words
}

func (r *Reason) Error() string {
	switch {
	case r.Inconclusive || r.Key == "":
		return r.Text
	case r.Text == "":
		return "add " + r.Key + " to the deployment file"
	}
	return r.Text + " (" + r.Key + ")"
}

// NotVerifiedf makes the reason that something is lacking: a key, which may be empty, or what is
// wrong with what is given.
func NotVerifiedf(key, why string, args ...any) error {
	return &Reason{Key: key, Text: fmt.Sprintf(why, args...)}
}

// NotVerifiedReason is what is lacking, where that is the reason that an error carries; nil: it is
// not.
func NotVerifiedReason(err error) *Reason {
	if r, is := errors.AsType[*Reason](err); is && !r.Inconclusive {
		return r
	}
	return nil
}

// Inconclusivef makes an inconclusive reason.
func Inconclusivef(why string, args ...any) error {
	return &Reason{Inconclusive: true, Text: fmt.Sprintf(why, args...)}
}

// Transientf makes a reason to start the observation anew.
func Transientf(why string, args ...any) error {
	return fmt.Errorf("%w: "+why, append([]any{ErrTransient}, args...)...)
}
