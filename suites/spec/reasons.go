package spec

import (
	"cmp"
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

	blockedBy []string
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

// Refs are IDs of rules, or patterns of several, as an argument of a reason: rules whose failure is why another cannot be
// judged.
type Refs []string

// Ref names such rules.
func Ref(rules ...string) Refs { return rules }

func (r Refs) String() string { return strings.Join(r, " and ") }

// refs are the rules that the arguments of a reason name.
func refs(args []any) (rules []string) {
	for _, a := range args {
		if r, is := a.(Refs); is {
			rules = append(rules, r...)
		}
	}
	return rules
}

// Unmet makes a NeedError for a key and a reason, either of which may be empty.
func Unmet(key, why string, args ...any) error {
	return &NeedError{Key: key, Why: fmt.Sprintf(why, args...), blockedBy: refs(args)}
}

// UnclearError is an inconclusive reason.
type UnclearError struct {
	error
	limit     string   // of the deployment file that was reached; empty: none
	cause     string   // a defect that other rules show and that explains what was seen; empty: none is known
	blockedBy []string // rules
}

// Unwrap gives what the error wraps: ErrInconclusive among others.
func (e *UnclearError) Unwrap() error { return e.error }

// Unclear makes an inconclusive reason.
func Unclear(why string, args ...any) error {
	return &UnclearError{error: fmt.Errorf("%w: "+why, append([]any{ErrInconclusive}, args...)...), blockedBy: refs(args)}
}

// Exhausted makes an inconclusive reason: a limit of the deployment file was reached.
func Exhausted(limit, why string, args ...any) error {
	return &UnclearError{error: fmt.Errorf("%w: "+why, append([]any{ErrInconclusive}, args...)...), limit: limit}
}

// Explained makes an inconclusive reason: a defect that other rules show explains what was seen.
func Explained(defect, why string, args ...any) error {
	return &UnclearError{
		error: fmt.Errorf("%w: "+why, append([]any{ErrInconclusive}, args...)...), cause: defect, blockedBy: refs(args),
	}
}

// causes are the defect that explains why something cannot be judged, and the rules because of which it cannot.
func causes(err error) (cause string, blockedBy []string) {
	var need *NeedError
	if errors.As(err, &need) {
		return "", need.blockedBy
	}
	for e := (*UnclearError)(nil); errors.As(err, &e); err = e.error {
		cause, blockedBy = cmp.Or(cause, e.cause), append(blockedBy, e.blockedBy...)
	}
	return cause, blockedBy
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
