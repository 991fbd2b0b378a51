package client

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/printable"
)

const (
	mostStrange = 5 // answers in a row that are 500, or do not fit the deployment file
	firstPoll   = 50 * time.Millisecond
	slowestPoll = 5 * time.Second
)

// FetchOptions say how much of a file is wanted, and for how long.
type FetchOptions struct {
	Most   int64                 // bytes of the file that are enough; 0: the whole file is wanted
	Read   func(io.Reader) error // reads the file, anew where it had to be asked for again; nil: nobody does
	Absent func() time.Duration  // how long a 404 or 204 is taken for a file that is early; nil or 0: always
}

// FetchFault says why a file could not be fetched.
type FetchFault string

// Faults of a retrieval.
const (
	NotConfigured FetchFault = "not configured"    // export.file is absent from the deployment file
	NotReady      FetchFault = "not ready in time" // export.file.timeout passed
	FailedState   FetchFault = "failed state"      // the state is one of export.file.state.failed
	Denied        FetchFault = "denied"            // a 4xx that does not go away
	Broken        FetchFault = "broken"            // 5xx or transport trouble that does not go away
	Unusable      FetchFault = "unusable answer"   // no state, no address, or an address that is not a URL
)

// FetchError explains a failed retrieval.
type FetchError struct {
	Fault  FetchFault
	Status int // last status, 0 without an answer
	Detail string
	Unread bool // the file came, but in a compression that is damaged or unknown, or longer than this run reads

	again bool          // it may be otherwise the next time
	wait  time.Duration // until then, by the answer
}

func (e *FetchError) Error() string { return string(e.Fault) + ": " + e.Detail }

// FetchWith retrieves an export file as export.file of the deployment file says: it polls until the file is ready,
// follows redirects and the download address, and decompresses. The credential only ever goes to the origin of
// base_url. Every request is recorded under the operation File. It fails with a *FetchError.
func (c *Client) FetchWith(
	ctx context.Context, fileID string, cred *deployment.Credential, o FetchOptions,
) (ExportFile, error) {
	r, err := c.retrieval("fetch the file", fileID, cred)
	if err == nil {
		largest := cmp.Or(max(c.opts.MaxBody, 0), max(int64(c.dep.Limits.MaxFile), 0)<<20, 1<<30) // after decompression
		r.file = &intake{read: o.Read, most: o.Most, limit: largest}
		err = r.poll(WithRank(ctx, pollRank), o.Absent)
	}
	if r.got.Took = time.Since(r.start); len(r.hops) > 0 {
		r.got.Request = r.hops[0]
	}
	if err == nil {
		return r.got, nil
	}
	err.Detail = printable.Fit(c.redactor.Text(err.Detail), 500)
	return r.got, err
}

// fetchTimeout is how long a file may take, and then how long reading it may.
func (c *Client) fetchTimeout() time.Duration {
	return cmp.Or(max(c.dep.Export.File.Timeout, 0), time.Minute)
}

// poll asks for the file until it is there, or will never be.
func (r *retrieval) poll(ctx context.Context, absent func() time.Duration) *FetchError {
	timeout, strange := r.c.fetchTimeout(), 0
	for first := true; ; first = false {
		err := r.look(ctx)
		switch {
		case err == nil:
			if !first { // otherwise it may have been there long before
				r.c.ripened(time.Since(r.start))
			}
			return nil
		case !err.again:
			return err
		case err.Fault == NotReady || transient(err.Status):
			strange = 0
		default:
			if strange++; strange == mostStrange {
				return err
			}
		}
		spent, limit, why := time.Since(r.start)-r.queued, timeout, "export.file.timeout"
		if absent != nil && slices.Contains([]int{http.StatusNotFound, http.StatusNoContent}, err.Status) {
			if patience := absent(); patience > 0 && patience < limit {
				limit, why = patience, "by which time the run's other files were ready"
			}
		}
		if spent >= limit {
			err.Detail = fmt.Sprintf("no file within %s (%s); last: %s", limit, why, err.Detail)
			return err
		}
		if !comes(ctx, r.c, time.After(min(max(err.wait, r.c.pollPause(time.Since(r.start))), timeout-spent))) {
			return &FetchError{Fault: Broken, Status: err.Status, Detail: "interrupted"}
		}
	}
}

// pollPause is how long to wait before the next poll of a file that was first asked for so long ago: until the time that
// a file has taken at least, then ever longer.
func (c *Client) pollPause(ago time.Duration) time.Duration {
	if least := time.Duration(c.leastWait.Load()); least > ago {
		return least - ago
	}
	return min(max(firstPoll, ago/3), slowestPoll)
}

// ripened notes how long a file took that was not there at once.
func (c *Client) ripened(took time.Duration) {
	if least := c.leastWait.Load(); least == 0 || int64(took) < least {
		c.leastWait.Store(int64(took))
	}
}

// look asks for the file once, and reads it where it is there.
func (r *retrieval) look(ctx context.Context) *FetchError {
	x, at := r.follow(ctx, r.request, r.at, true)
	early := x.Status == http.StatusAccepted || x.Status == http.StatusNoContent
	switch {
	case !x.Success():
		return refused(x)
	case r.file.taken == x:
	case looksJSON(x.Body) && (r.conf.State != nil || r.conf.URL != ""):
		target, err := r.stated(x, at)
		if err != nil {
			return err
		}
		if x, at = r.open(ctx, target); !x.Success() {
			return refused(x)
		}
	case early:
		return because(x, NotReady, answered(x)).retry(x)
	}
	return r.read(x, at)
}

// stated is where the file is by an answer in JSON, once that says that it is there.
func (r *retrieval) stated(x *Exchange, at *url.URL) (*url.URL, *FetchError) {
	doc, text, given := r.named(x)
	absent := NotReady // what an answer without an address means
	if s := r.conf.State; s != nil {
		v, found := Lookup(doc, s.Pointer)
		state := stateText(v)
		if found && !slices.ContainsFunc(r.got.States, func(s StateSeen) bool { return s.Value == state }) {
			r.got.States = append(r.got.States, StateSeen{Value: state, After: time.Since(r.start)})
		}
		absent = Unusable
		switch is := fmt.Sprintf("the file's state is %q", state); {
		case found && slices.Contains(s.Failed, state):
			return nil, because(x, FailedState, is)
		case found && !slices.Contains(s.Ready, state):
			return nil, because(x, NotReady, is).retry(x)
		case !found && !given:
			return nil, because(x, Unusable, fmt.Sprintf("the answer has nothing at export.file.state.pointer (%s)", s.Pointer)).retry(x)
		case r.conf.URL == "":
			return nil, because(x, Unusable, "the file is ready, but the answer is JSON, and export.file.url does not say "+
				"where in it the download address is").retry(x)
		}
	}
	if strings.TrimSpace(text) == "" {
		return nil, because(x, absent, fmt.Sprintf("the answer has no address at export.file.url (%s)", r.conf.URL)).retry(x)
	}
	target := reference(at, text)
	if target == nil {
		return nil, because(x, Unusable, "the download address is not an http or https URL: "+printable.Fit(text, 100))
	}
	return target, nil
}

// because is why an answer gives no file.
func because(x *Exchange, fault FetchFault, why string) *FetchError {
	return &FetchError{Fault: fault, Status: x.Status, Detail: why}
}

// retry marks what may be otherwise the next time. An answer says when, within bounds: one that was refused is not to
// hold up what waits for its file.
func (e *FetchError) retry(x *Exchange) *FetchError {
	longest := longestPause
	if x.Transient() {
		longest = slowestPoll
	}
	e.again, e.wait = true, min(max(retryAfter(x.Header, time.Now()), 0), longest)
	return e
}

// answered is what came instead of a file. It names the address of a download, which an answer gave.
func answered(x *Exchange) string {
	if x.Label == download {
		return fmt.Sprintf("the answer from %s was %d", x.Recorded.URL, x.Status)
	}
	return fmt.Sprintf("the answer was %d", x.Status)
}

// refused says what an answer that is no 2xx means.
func refused(x *Exchange) *FetchError {
	switch why := answered(x); {
	case x.Err != nil && x.Err.Kind == Coded:
		return &FetchError{Fault: Unusable, Status: x.Recorded.Status, Detail: x.Err.Detail, Unread: true}
	case x.Err != nil:
		err := because(x, Broken, x.Err.Error())
		if slices.Contains([]TroubleKind{Canceled, Unsent, Exhausted, BadTLS}, x.Err.Kind) {
			return err
		}
		return err.retry(x)
	case slices.Contains([]int{http.StatusNotFound, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests}, x.Status):
		return because(x, NotReady, why).retry(x)
	case x.Status >= 500:
		return because(x, Broken, why).retry(x)
	case x.Refusal():
		return because(x, Denied, why)
	default:
		return because(x, Unusable, why)
	}
}

// read takes the file out of the answer that carries it, unless it was taken while it arrived.
func (r *retrieval) read(x *Exchange, at *url.URL) *FetchError {
	if r.file.taken != x {
		r.file.take(bytes.NewReader(x.Body), x)
	}
	states := r.got.States
	r.got, r.got.States = r.file.got, states
	_, params, _ := mime.ParseMediaType(x.Header.Get("Content-Disposition"))
	if name := params["filename"]; name != "" {
		r.got.Name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	} else if base := path.Base(at.Path); at != r.at && base != "/" && base != "." {
		r.got.Name = base
	}
	if err := r.file.err; err != nil {
		return &FetchError{Fault: Unusable, Status: x.Status, Detail: err.Error(), Unread: true}
	}
	return nil
}
