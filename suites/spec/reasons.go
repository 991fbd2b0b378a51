package spec

import (
	"errors"
	"fmt"
	"strings"
)

// ErrTransient marks trouble that says nothing about the rule: no answer, 503, throttling. The observation starts anew.
var ErrTransient = errors.New("the deployment was out of order")

// ErrInconclusive is any Reason that is inconclusive.
var ErrInconclusive = errors.New("inconclusive")

// Interrupted ends observations when the run is interrupted.
var Interrupted = errors.New("the run was interrupted")

// Reason is why a rule cannot be judged: something that it needs is lacking, or the deployment gave no usable answer.
type Reason struct {
	Inconclusive bool
	Key          string   // of the deployment file: to be added or, where Why says what is wrong, corrected; empty: none helps
	Why          string   // in words
	Cause        string   // a defect that other rules show and that explains what was seen; empty: none is known
	BlockedBy    []string // rules whose failure is why, or patterns of several
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

// Is tells inconclusive reasons by ErrInconclusive.
func (r *Reason) Is(err error) bool { return err == ErrInconclusive && r.Inconclusive }

// Refs are IDs of rules, or patterns of several, as an argument of a reason: those whose failure is why.
type Refs []string

// Ref names such rules.
func Ref(rules ...string) Refs { return rules }

func (r Refs) String() string { return strings.Join(r, " and ") }

func because(why string, args []any) *Reason {
	r := &Reason{Why: fmt.Sprintf(why, args...)}
	for _, a := range args {
		if rules, is := a.(Refs); is {
			r.BlockedBy = append(r.BlockedBy, rules...)
		}
	}
	return r
}

// Unmet makes the reason that something is lacking: a key, which may be empty, or what is wrong with what is given.
func Unmet(key, why string, args ...any) error {
	r := because(why, args)
	r.Key = key
	return r
}

// Need is what is lacking, where that is the reason that an error carries; nil: it is not.
func Need(err error) *Reason {
	var r *Reason
	if !errors.As(err, &r) || r.Inconclusive {
		return nil
	}
	return r
}

// Unclear makes an inconclusive reason.
func Unclear(why string, args ...any) error { return Explained("", why, args...) }

// Explained makes an inconclusive reason: a defect that other rules show explains what was seen.
func Explained(defect, why string, args ...any) error {
	r := because(why, args)
	r.Inconclusive, r.Cause = true, defect
	return r
}

// Transient makes a reason to start the observation anew.
func Transient(why string, args ...any) error {
	return fmt.Errorf("%w: "+why, append([]any{ErrTransient}, args...)...)
}
