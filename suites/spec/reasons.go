package spec

import (
	"errors"
	"fmt"
)

// ErrTransient marks errors that say nothing about the rule: no answer, 503, throttling. The
// observation starts again.
var ErrTransient = errors.New("the deployment was unavailable")

// ErrInterrupted ends observations when the run is interrupted.
var ErrInterrupted = errors.New("the run was interrupted")

// Reason is the error of a rule that cannot be judged: a precondition is missing, or the
// deployment gave no usable answer.
type Reason struct {
	Inconclusive bool
	// key of the deployment file to add or, if Text is set, to correct; empty: no key helps
	Key  string
	Text string
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

// NotVerifiedf returns a Reason for a missing precondition: a key, which may be empty, or what is
// wrong with its value.
func NotVerifiedf(key, why string, args ...any) error {
	return &Reason{Key: key, Text: fmt.Sprintf(why, args...)}
}

// NotVerifiedReason returns the Reason in err if a precondition is missing; nil otherwise.
func NotVerifiedReason(err error) *Reason {
	if r, is := errors.AsType[*Reason](err); is && !r.Inconclusive {
		return r
	}
	return nil
}

// Inconclusivef returns an inconclusive Reason.
func Inconclusivef(why string, args ...any) error {
	return &Reason{Inconclusive: true, Text: fmt.Sprintf(why, args...)}
}

// Transientf returns an error that wraps ErrTransient: the observation starts again.
func Transientf(why string, args ...any) error {
	return fmt.Errorf("%w: "+why, append([]any{ErrTransient}, args...)...)
}
