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
	"github.com/gateassay/gateassay/suites/internal/answers"
)

// Obstacle is what makes every verdict about a deployment impossible. Its texts are redacted.
type Obstacle struct {
	Cause    string // what is wrong
	Answer   string // the answer of the deployment, or why there is none
	NextStep string // what to do about it
}

func (o *Obstacle) Error() string { return o.Cause + " (" + o.Answer + ")" }

// Lines returns three lines for people: the cause, the deployment's answer, the next step.
func (o *Obstacle) Lines() string {
	return strings.Join(append([]string{o.Cause + ": nothing can be tested."}, o.DetailLines()...),
		"\n") + "\n"
}

// DetailLines returns the lines below the cause: the deployment's answer and the next step.
func (o *Obstacle) DetailLines() []string {
	lines := []string{strings.ToUpper(o.Answer[:1]) + o.Answer[1:], "Next: " + o.NextStep + "."}
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return lines
}

// DetectObstacle looks for an obstacle in controls, the last answers to valid requests with the main
// credential: at most one for each operation, the export first. It returns nil unless all answers
// have the same blocking cause.
func DetectObstacle(dep *deployment.File, controls []*client.Exchange) *Obstacle {
	if len(controls) == 0 || slices.Contains(controls, nil) {
		return nil
	}
	x := controls[0]
	why := commonDiagnosis(controls)
	// With one operation only, rules judge these causes. A 404 to a creation may be about the
	// shareholder.
	open := slices.Contains([]string{causeRedirected, causeForbidden, causeFailing}, why.cause) ||
		why.cause == causeNothingServed && x.Operation != client.OperationExport
	if why.cause == "" || open && len(controls) == 1 {
		return nil
	}
	o := obstacleFrom(
		strings.NewReplacer("BASE", dep.BaseURL, "HERE", x.Recorded.URL).Replace(why.cause), why.advice,
		x)
	if main := dep.Credentials.Main(); isUnauthorized(x) {
		o.Cause = main.SettingKey() + " was refused"
		if when := describeExpiry(main); when != "" {
			o.Cause, o.NextStep = main.SettingKey()+" "+when, "take a fresh token"
		}
	}
	return o
}

// commonDiagnosis returns the diagnosis that all answers share; the zero value if they differ. The
// same 400 body for both operations cannot be about either of them.
func commonDiagnosis(controls []*client.Exchange) diagnosis {
	first, same := diagnose(controls[0]), true
	for _, x := range controls[1:] {
		if diagnose(x).cause != first.cause {
			return diagnosis{}
		}
		words := controls[0].Recorded.ResponseBody
		same = x.Status == http.StatusBadRequest && len(words) > 0 &&
			bytes.Equal(words, x.Recorded.ResponseBody)
	}
	if len(controls) > 1 && same && controls[0].Status == http.StatusBadRequest {
		return diagnosis{causeFiltered, adviceFiltered}
	}
	return first
}

// CredentialObstacle returns the obstacle for an error of client.ObtainCredentials.
func CredentialObstacle(err error) *Obstacle {
	do := "check the command or token_url that issues it, by hand if need be"
	why := err.Error()
	if failed, ok := errors.AsType[*client.CredentialError](err); ok && failed.Proxy != nil {
		why, do = failed.Key+": "+failed.Reason, failed.Proxy.NextStep()
	}
	return &Obstacle{"A credential could not be obtained", "no credential: " + why, do}
}

// RefusedExportObstacle returns the obstacle for a valid export that was not accepted.
func RefusedExportObstacle(x *client.Exchange) *Obstacle {
	return obstacleFrom("A valid export was not accepted", diagnose(x).advice, x)
}

// obstacleFrom returns the obstacle that an answer shows, with the deployment's text or why there
// is none.
func obstacleFrom(cause, next string, x *client.Exchange) *Obstacle {
	x = asAnswered(x)
	o := &Obstacle{cause, "it answered " + answers.DescribeWithMessage(x), next}
	if x.Err != nil {
		o.Answer = "no answer: " + describeTrouble(x.Err)
	}
	// The query of the address may contain secrets.
	if to, err := url.Parse(x.Recorded.ResponseHeader.Get("Location")); err == nil && to.Host != "" {
		o.Answer += ", to " + (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}).String()
	}
	if after := x.Recorded.ResponseHeader.Get("Retry-After"); after != "" {
		o.Answer += ", with Retry-After " + after
	}
	return o
}

// describeExpiry returns when a token expired according to its own claim; empty: it has not, or
// has no such claim.
func describeExpiry(c *deployment.Credential) string {
	if at, says := token.Expiry(c.Value); says && at.Before(time.Now()) {
		return "expired on " + at.Format("2006-01-02 15:04 MST")
	}
	return ""
}
