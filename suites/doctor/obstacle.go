package doctor

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/target"
)

// Obstacle is the one thing that makes every verdict about a deployment impossible. Its texts are redacted.
type Obstacle struct {
	Cause  string // what is wrong
	Answer string // the deployment's own words, or why there are none
	Next   string // what to do about it
}

func (o *Obstacle) Error() string { return o.Cause + " (" + o.Answer + ")" }

// Lines are the three lines that a person reads: the cause, the deployment's answer, the next step.
func (o *Obstacle) Lines() string {
	return strings.Join(append([]string{o.Cause + ": nothing can be tested."}, o.Below()...), "\n") + "\n"
}

// Below are the lines below the cause: the deployment's answer, the next step.
func (o *Obstacle) Below() []string {
	lines := []string{strings.ToUpper(o.Answer[:1]) + o.Answer[1:], "Next: " + o.Next + "."}
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return lines
}

// Obstruct looks for an obstacle in the last answers to valid requests with the main credential, at most one an
// operation, the export first: all of them came to the same. It returns nil where that leaves something to judge.
func Obstruct(dep *deployment.File, answers []*client.Exchange) *Obstacle {
	if len(answers) == 0 || slices.Contains(answers, nil) {
		return nil
	}
	x := answers[0]
	why := common(answers)
	// With one operation alone, these are what rules judge; a creation's 404 may be about the shareholder.
	open := slices.Contains([]string{elsewhere, forbidden, outOfOrder}, why.cause) || why.cause == nothing && x.Operation != client.Export
	if why.cause == "" || open && len(answers) == 1 {
		return nil
	}
	o := about(strings.NewReplacer("BASE", dep.BaseURL, "HERE", x.Recorded.URL).Replace(why.cause), why.advice, x)
	if main := dep.Credentials.Main(); Unauthorized(x) {
		o.Cause = main.Key() + " was refused"
		if when := ended(main); when != "" {
			o.Cause, o.Next = main.Key()+" "+when, "take a fresh token"
		}
	}
	return o
}

// common is what all answers come to; nothing where they differ. A 400 with the same words to the requests of both
// operations can be about neither.
func common(answers []*client.Exchange) outcome {
	first, same := outcomeOf(answers[0]), true
	for _, x := range answers[1:] {
		if outcomeOf(x).cause != first.cause {
			return outcome{}
		}
		words := answers[0].Recorded.ResponseBody
		same = x.Status == http.StatusBadRequest && len(words) > 0 && bytes.Equal(words, x.Recorded.ResponseBody)
	}
	if len(answers) > 1 && same && answers[0].Status == http.StatusBadRequest {
		return outcome{unshaped, unshapedAdvice}
	}
	return first
}

// Unsigned is the obstacle of a credential that could not be obtained, with the error of client.SignIn.
func Unsigned(err error) *Obstacle {
	do := "check the command or token_url that issues it, by hand if need be"
	why := err.Error()
	if failed, ok := errors.AsType[*client.CredentialError](err); ok && failed.Proxy != nil {
		why, do = failed.Key+": "+failed.Reason, failed.Proxy.Next()
	}
	return &Obstacle{"A credential could not be obtained", "no credential: " + why, do}
}

// Refused is the obstacle of one valid export that was not accepted.
func Refused(x *client.Exchange) *Obstacle {
	return about("A valid export was not accepted", outcomeOf(x).advice, x)
}

// about is the obstacle that an answer shows, in the deployment's own words or why there are none.
func about(cause, next string, x *client.Exchange) *Obstacle {
	x = answered(x)
	o := &Obstacle{cause, "it answered " + target.DescribeWithMessage(x), next}
	if x.Err != nil {
		o.Answer = "no answer: " + unanswered(x.Err)
	}
	// What else is in an address to go to may be a secret.
	if to, err := url.Parse(x.Recorded.ResponseHeader.Get("Location")); err == nil && to.Host != "" {
		o.Answer += ", to " + (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}).String()
	}
	if after := x.Recorded.ResponseHeader.Get("Retry-After"); after != "" {
		o.Answer += ", with Retry-After " + after
	}
	return o
}

// ended says when a token expired by its own claim; empty where it has not, or does not say so.
func ended(c *deployment.Credential) string {
	if at, says := token.Expiry(c.Value); says && at.Before(time.Now()) {
		return "expired on " + at.Format("2006-01-02 15:04 MST")
	}
	return ""
}
