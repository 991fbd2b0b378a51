package spec

import (
	"errors"
	"fmt"
	"strings"
)

// ErrTransient marks trouble that says nothing about the rule: no answer, 503, throttling. The observation starts anew.
var ErrTransient = errors.New("the deployment was out of order")

// ErrInconclusive marks an observation that cannot be made on this deployment now.
var ErrInconclusive = errors.New("inconclusive")

// Interrupted ends observations when the run is interrupted.
var Interrupted = errors.New("the run was interrupted")

// NeedError says that the deployment file lacks something, or that the data or the deployment cannot show the rule.
type NeedError struct {
	Key string // deployment file key to add; empty when no key helps
	Why string
}

func (e *NeedError) Error() string {
	if e.Key == "" {
		return e.Why
	}
	if e.Why == "" {
		return "add " + e.Key + " to the deployment file"
	}
	return e.Why + " (" + e.Key + ")"
}

// Unmet makes a NeedError for a key and a reason, either of which may be empty.
func Unmet(key, why string, args ...any) error {
	return &NeedError{Key: key, Why: fmt.Sprintf(why, args...)}
}

// Unclear makes an inconclusive reason.
func Unclear(why string, args ...any) error {
	return fmt.Errorf("%w: "+why, append([]any{ErrInconclusive}, args...)...)
}

// ExplainedError is why nothing can be said about a rule: a defect that other rules show explains what was seen.
type ExplainedError struct {
	Defect string
	Why    string
}

func (e *ExplainedError) Error() string { return e.Why }

// Unwrap makes it an inconclusive reason.
func (e *ExplainedError) Unwrap() error { return ErrInconclusive }

// Explained makes an ExplainedError.
func Explained(defect, why string, args ...any) error {
	return &ExplainedError{Defect: defect, Why: fmt.Sprintf(why, args...)}
}

// Transient makes a reason to start the observation anew.
func Transient(why string, args ...any) error {
	return fmt.Errorf("%w: "+why, append([]any{ErrTransient}, args...)...)
}

// Why is a reason in words: without the mark of what is inconclusive, wherever in it another reason begins.
func Why(err error) string {
	mark := ErrInconclusive.Error() + ": "
	return strings.ReplaceAll(strings.TrimPrefix(err.Error(), mark), ": "+mark, ": ")
}
