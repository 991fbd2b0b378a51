package target

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cenkalti/backoff/v5"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
)

// Answer is what a request got, after everything that could be trouble rather than judgement was told apart.
type Answer struct {
	*client.Exchange                    // the last attempt
	Attempts         []*client.Exchange // all attempts, each with fresh identifiers
	// the request without the defect, sent when no attempt was clear: it was answered
	Control  *client.Exchange
	Creation *Creation // what the last attempt sent, of creations
	Only     string    // the partner that it takes to get this answer; empty: none, or it is not known
}

// String keeps what a request carries out of messages.
func (a Answer) String() string { return Describe(a.Exchange) }

// Clear reports whether an answer speaks about the request itself.
type Clear func(*client.Exchange) bool

// AboutField: a 401, a 403 and a 429 speak about the caller, a 5xx about the deployment; neither is the rejection of a
// bad field.
func AboutField(x *client.Exchange) bool {
	switch x.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, 0:
		return false
	}
	return x.Status < 500
}

// AboutCaller: as AboutField, but 401 and 403 are answers as well: identity, headers, whose object it is.
func AboutCaller(x *client.Exchange) bool {
	return x.Status != 0 && x.Status != http.StatusTooManyRequests && x.Status < 500
}

const (
	// attempts of one request before the control is asked whether the deployment is in order.
	attempts = 4
	// customary is how many requests have to break the deployment before this is taken for its way to answer.
	customary = 3
)

// Settle sends a request until its answer is clear. When none is, the control (the same request without the defect)
// tells a deployment that is out of order from one that cannot answer this very request: where the control is answered
// and the request once more is not, the unclear answer is the finding. A server error other than 502, 503 and 504 is no
// trouble that passes: the control is asked right after it. So it is when the budget of creations ends after one,
// because each creation that got no clear answer counts as made.
func (t *Target) Settle(ctx context.Context, clear Clear, once func() *client.Exchange,
	control func(context.Context) (*client.Exchange, bool),
) (Answer, error) {
	var a Answer
	var twin *client.Exchange
	pauses := &backoff.ExponentialBackOff{
		InitialInterval: 200 * time.Millisecond, Multiplier: 2, MaxInterval: time.Minute,
	}
	for last := false; ; {
		x := once()
		err := t.sent(ctx, x)
		spent := budgetEnded(x) && ctx.Err() == nil && control != nil && t.broken(a)
		switch {
		case spent && last:
			return a, nil
		case !spent:
			a.Exchange = x
			a.Attempts = append(a.Attempts, x)
			switch {
			case err != nil:
				return a, err
			case clear(x):
				t.Came(x, a.Attempts[:len(a.Attempts)-1])
				return a, nil
			case last && x.Status == http.StatusTooManyRequests:
				return a, spec.Unclear("throttled: %s", Describe(x))
			case last && x.Crashed() && t.Sporadic() && len(a.Attempts) < attempts: // this one may pass as well
			case last && t.Astray() != nil:
				return a, t.Astray()
			case last:
				if a.Status >= 500 {
					t.breaks.Add(1)
				}
				return a, nil
			}
		}
		if last {
			if !Wait(ctx, pauses.NextBackOff()) {
				return a, spec.Interrupted
			}
			continue
		}
		sure := spent || a.Exchange.Crashed()
		if !sure && !Wait(ctx, pauses.NextBackOff()) {
			return a, spec.Interrupted
		}
		all := spent || len(a.Attempts) == attempts
		if control != nil && (sure || all) {
			var ok bool
			if twin, ok = control(ctx); ok {
				a.Control, last = twin, true
				if spent || a.Operation == client.Create && t.broken(a) && t.customary() {
					return a, nil
				}
				continue
			}
		}
		switch {
		case ctx.Err() != nil:
			return a, spec.Interrupted
		case all:
			return a, unclear(a, twin)
		case sure && !Wait(ctx, pauses.NextBackOff()):
			return a, spec.Interrupted
		}
	}
}

// Wait reports whether the time passed without an interrupt.
func Wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

func unclear(a Answer, twin *client.Exchange) error {
	if twin == nil {
		return spec.Unclear("no clear answer after %d attempts: %s", len(a.Attempts), Describe(a.Exchange))
	}
	return spec.Unclear(
		"no clear answer after %d attempts (%s), and the same request without the defect got none either (%s)",
		len(a.Attempts), Describe(a.Exchange), Describe(twin))
}

// budgetEnded reports whether a creation was never sent because the run may make no more of them.
func budgetEnded(x *client.Exchange) bool { return x.Err != nil && x.Err.Kind == client.Budget }

// broken reports whether attempts are enough to blame a deployment once the control is answered, although no more can
// be sent: a server error, or where the deployment is known to answer so, trouble that did not pass.
func (t *Target) broken(a Answer) bool {
	if t.Sporadic() {
		return false
	}
	for _, x := range a.Attempts {
		if x.Crashed() {
			return true
		}
	}
	return len(a.Attempts) > 1 && a.Status >= 500 && t.customary()
}

// customary reports whether a deployment was seen to break again and again: what another attempt would get is known,
// and each may leave a record behind.
func (t *Target) customary() bool { return t.breaks.Load() >= customary }

// sent says why an exchange cannot be judged whatever the rule: interrupted, or held back by our own limits.
func (t *Target) sent(ctx context.Context, x *client.Exchange) error {
	if ctx.Err() != nil {
		return spec.Interrupted
	}
	if x.Err != nil && x.Err.Kind == client.Spent {
		return spec.Unclear("%s", x.Err.Error())
	}
	if budgetEnded(x) {
		return spec.Unmet("limits.max_creates", "the run may create no more representatives%s", t.unclearCreations())
	}
	return nil
}

// unclearCreations says how much of the budget went to requests that may have made a record.
func (t *Target) unclearCreations() string {
	limit, created := t.Deployment.Limits.MaxCreates, t.Client.Stats().Created
	if created >= limit {
		return ""
	}
	return fmt.Sprintf(": it made %d, and each of %d answers without a clear rejection counts as one", created,
		limit-created)
}

// Usable turns an exchange that says nothing about the request into a reason to start the observation anew.
func (t *Target) Usable(ctx context.Context, x *client.Exchange) error {
	if err := t.sent(ctx, x); err != nil {
		return err
	}
	if t.Stray(x) {
		return spec.Transient("%s", Describe(x))
	}
	return nil
}

// WebPage is the reason to judge nothing by a 2xx that comes from no API: a site's front page, or what a proxy wants
// its users to read. It is nil for other answers.
func WebPage(x *client.Exchange) error {
	kind, _, _ := mime.ParseMediaType(x.Header.Get("Content-Type"))
	if !x.Success() || kind != "text/html" && kind != "application/xhtml+xml" {
		return nil
	}
	return spec.Unclear(
		"a web page came in answer (%s, %s): check base_url, and whether a proxy or a login page is in between",
		Describe(x), kind)
}

// Describe says in a few words what a request got.
func Describe(x *client.Exchange) string {
	switch {
	case x == nil:
		return "nothing was sent"
	case x.Err != nil:
		return x.Err.Error()
	case x.Status == 0:
		return "no answer"
	}
	return fmt.Sprintf("%d %s", x.Status, http.StatusText(x.Status))
}

// mostQuoted is how many characters of an answer are quoted.
const mostQuoted = 200

// Quoted is what Describe says and, in one redacted line, the deployment's own words.
func Quoted(x *client.Exchange) string {
	text := Describe(x)
	if x == nil || x.Err != nil || x.Status == 0 {
		return text
	}
	if words := words(x); words != "" {
		text += ": " + words
	}
	return text
}

// particulars are what an answer says about single fields or headers, the first few of them.
func particulars(parts map[string]any) string {
	const most = 3
	var said []string
	for _, name := range []string{"details", "errors", "fields", "issues", "violations"} {
		list, _ := parts[name].([]any)
		for _, one := range list[:min(len(list), most)] {
			about, _ := one.(map[string]any)
			first := func(names ...string) string {
				for _, name := range names {
					if s, ok := about[name].(string); ok && s != "" {
						return s
					}
				}
				return ""
			}
			what, why := first("field", "name", "path", "parameter", "pointer", "header"),
				first("message", "issue", "detail", "reason", "description")
			if text, plain := one.(string); plain {
				why = text
			}
			if text := strings.Trim(what+": "+why, ": "); text != "" {
				said = append(said, text)
			}
		}
	}
	return strings.Join(said, "; ")
}

// HoldsError reports whether an answer is a JSON object with an error in it.
func HoldsError(x *client.Exchange) bool {
	var parts map[string]any
	return json.Unmarshal(x.Body, &parts) == nil && parts["error"] != nil
}

// words is the message of an answer, else its text; nothing of a web page.
func words(x *client.Exchange) string {
	body := x.Recorded.ResponseBody
	var parts map[string]any
	text := ""
	if json.Unmarshal(body, &parts) == nil {
		if inner, ok := parts["error"].(map[string]any); ok {
			parts = inner
		}
		for _, name := range []string{"message", "detail", "error_description", "error", "title", "code"} {
			if s, ok := parts[name].(string); ok && s != "" {
				text = s
				break
			}
		}
		if more := particulars(parts); more != "" {
			text = strings.TrimSpace(text + " " + more)
		}
	}
	if text == "" && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) && utf8.Valid(body) {
		text = string(body)
	}
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > mostQuoted {
		text = string(runes[:mostQuoted]) + "…"
	}
	return text
}
