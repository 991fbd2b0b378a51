package spec

import (
	"errors"
	"fmt"
)

// ErrTransient marks trouble that says nothing about the rule: no answer, 503, throttling. The observation starts anew.
var ErrTransient = errors.New("the deployment was out of order")

// Interrupted ends observations when the run is interrupted.
var Interrupted = errors.New("the run was interrupted")

// Reason is why a rule cannot be judged: something that it needs is lacking, or the deployment gave no usable answer.
type Reason struct {
	Inconclusive bool
	Key          string // of the deployment file: to be added or, where Why says what is wrong, corrected; empty: none helps
	Why          string // in words
}

func (r *Reason) Error() string {
	switch {
	case r.Inconclusive || r.Key == "":
		return r.Why
	case r.Why == "":
		return "add " + r.Key + " to the deployment file"
	}
	return r.Why + " (" + r.Key + ")"
}

// Unmet makes the reason that something is lacking: a key, which may be empty, or what is wrong with what is given.
func Unmet(key, why string, args ...any) error {
	return &Reason{Key: key, Why: fmt.Sprintf(why, args...)}
}

// Need is what is lacking, where that is the reason that an error carries; nil: it is not.
func Need(err error) *Reason {
	if r, is := errors.AsType[*Reason](err); is && !r.Inconclusive {
		return r
	}
	return nil
}

// Unclear makes an inconclusive reason.
func Unclear(why string, args ...any) error {
	return &Reason{Inconclusive: true, Why: fmt.Sprintf(why, args...)}
}

// Transient makes a reason to start the observation anew.
func Transient(why string, args ...any) error {
	return fmt.Errorf("%w: "+why, append([]any{ErrTransient}, args...)...)
}
