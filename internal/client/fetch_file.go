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
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/printable"
)

const (
	maxUnexpectedPolls = 5 // consecutive answers that are 500 or do not fit the deployment file
	minPollPause       = 50 * time.Millisecond
	maxPollPause       = 5 * time.Second
	longWait           = 2 * time.Second // see pollPause
)

// FetchOptions configure how much of a file is fetched, and for how long.
type FetchOptions struct {
	// stop after this many bytes of the file; 0: read it all
	MaxBytes int64
	// reads the file, again after each retry; nil: the file is discarded
	Read func(io.Reader) error
	// how long the file may have to wait for those of other exports; where this is longer than
	// export.file.timeout, it replaces it
	QueueTime time.Duration
	// how long 404 and 204 mean that the file is not ready yet, at least QueueTime; nil or 0: until
	// the file's time is over
	NotFoundTimeout func() time.Duration
}

// FetchFile retrieves an export file as export.file of the deployment file says. It polls until
// the file is ready, follows redirects and the download address, and decompresses. It sends the
// credential only to the origin of base_url. Every request is recorded as OperationFile. The
// error is a *FetchError.
func (c *Client) FetchFile(
	ctx context.Context, fileID string, cred *deployment.Credential, o FetchOptions,
) (ExportFile, error) {
	r, err := c.newFileRetrieval("fetch the file", fileID, cred)
	// decompressed bytes
	largest := cmp.Or(max(c.opts.MaxBody, 0), max(int64(c.deployment.Limits.MaxFile), 0)<<20, 1<<30)
	r.file = &fileReader{read: o.Read, most: o.MaxBytes, limit: largest}
	if err == nil {
		err = r.pollUntilReady(WithPriority(ctx, pollPriority), o)
	}
	got := r.file.got
	if got.Took = time.Since(r.start); len(r.hops) > 0 {
		got.Request = r.hops[0]
	}
	if err == nil {
		return got, nil
	}
	err.Detail = printable.TruncateToWidth(c.redactor.Text(err.Detail), 500)
	return got, err
}

// fetchTimeout returns how long a file may take to become ready, and how long reading it may take.
func (c *Client) fetchTimeout() time.Duration {
	return cmp.Or(max(c.deployment.Export.File.Timeout, 0), time.Minute)
}

// pollUntilReady polls for the file until it is read or has failed.
func (r *fileRetrieval) pollUntilReady(ctx context.Context, o FetchOptions) *FetchError {
	unexpected, longest := 0, max(r.c.fetchTimeout(), o.QueueTime)
	for first := true; ; first = false {
		err := r.pollOnce(ctx)
		switch {
		case err == nil:
			if !first { // otherwise it may have been ready long before
				r.c.recordReadyTime(time.Since(r.start))
			}
			return nil
		case !err.again:
			return err
		case err.Failure == FetchNotReady || isTransientStatus(err.Status):
			unexpected = 0
		default:
			if unexpected++; unexpected == maxUnexpectedPolls {
				return err
			}
		}
		waited := time.Since(r.start) - r.queued
		if limit, setBy := r.deadline(o, err.Status); waited >= limit {
			err.Waited = fmt.Sprintf("%s (%s)", limit, setBy)
			return err
		}
		pause := min(max(err.wait, r.c.pollPause(time.Since(r.start))), longest-waited)
		r.c.awaited.Add(1)
		goesOn := waitFor(ctx, r.c, time.After(pause))
		r.c.awaited.Add(-1)
		if !goesOn {
			return &FetchError{Failure: FetchBroken, Status: err.Status, Detail: "interrupted"}
		}
	}
}

// deadline returns how long the file may take after an answer with a status, and what says so.
func (r *fileRetrieval) deadline(o FetchOptions, status int) (limit time.Duration, setBy string) {
	limit, setBy = r.c.fetchTimeout(), "export.file.timeout"
	if o.QueueTime > limit {
		limit, setBy = o.QueueTime, "the time that earlier exports may take"
	}
	if o.NotFoundTimeout == nil || status != http.StatusNotFound && status != http.StatusNoContent {
		return limit, setBy
	}
	if ready := o.NotFoundTimeout(); ready > 0 && max(ready, o.QueueTime) < limit {
		return max(ready, o.QueueTime), "when other files of the run were ready"
	}
	return limit, setBy
}

// pollPause returns how long to wait before the next poll; ago is the time since the first. It
// waits until the shortest time that a file has taken, then ever longer. A long time may have been
// learnt from a file in a queue, so half of it is tried first.
func (c *Client) pollPause(ago time.Duration) time.Duration {
	least := time.Duration(c.leastWait.Load())
	switch half := least / 2; {
	case least > longWait && half > ago:
		return half - ago
	case least > ago:
		return least - ago
	}
	return min(max(minPollPause, ago/3), maxPollPause)
}

// recordReadyTime records how long a file took that was not ready at once.
func (c *Client) recordReadyTime(took time.Duration) {
	if least := c.leastWait.Load(); least == 0 || int64(took) < least {
		c.leastWait.Store(int64(took))
	}
}

// pollOnce polls for the file once, and reads it if it is ready.
func (r *fileRetrieval) pollOnce(ctx context.Context) *FetchError {
	x, at := r.followRedirects(ctx, r.request, r.at, true)
	early := x.Status == http.StatusAccepted || x.Status == http.StatusNoContent
	switch {
	case !x.IsSuccess():
		return fetchErrorOfStatus(x)
	case r.file.taken == x:
	case isJSONContainer(x.Body) && (r.conf.State != nil || r.conf.URL != ""):
		target, err := r.readState(x, at)
		if err != nil {
			return err
		}
		if x, at = r.openDownload(ctx, target); !x.IsSuccess() {
			return fetchErrorOfStatus(x)
		}
	case early:
		return newFetchError(x, FetchNotReady, describeNonFileAnswer(x)).markRetryable(x)
	}
	return r.readFile(x, at)
}

// noDataPattern matches states of an export that found nothing, which may have no file.
var noDataPattern = regexp.MustCompile(
	`(?i)^((no|zero)[_ -]?(data|rows?|results?|quotes?|records?|content)|empty|nothing([_ -]?found)?)$`)

// readState returns the download address from a JSON answer that says that the file is ready.
func (r *fileRetrieval) readState(x *Exchange, at *url.URL) (*url.URL, *FetchError) {
	doc, text, given := r.findDownloadAddress(x)
	absent := FetchNotReady // meaning of an answer without an address
	if s := r.conf.State; s != nil {
		v, found := exactjson.LookupPointer(doc, s.Pointer)
		state := fileStateText(v)
		if found && !slices.ContainsFunc(r.file.got.States,
			func(s ObservedState) bool { return s.Value == state }) {
			r.file.got.States = append(r.file.got.States,
				ObservedState{Value: state, After: time.Since(r.start)})
		}
		absent = FetchUnusableAnswer
		switch is := fmt.Sprintf("the file's state is %q", state); {
		case found && !slices.Contains(s.Ready, state) && noDataPattern.MatchString(state):
			return nil, newFetchError(x, FetchNoData, is)
		case found && slices.Contains(s.Failed, state):
			return nil, newFetchError(x, FetchFailedState, is)
		case found && !slices.Contains(s.Ready, state):
			return nil, newFetchError(x, FetchNotReady, is).markRetryable(x)
		case !found && !given:
			return nil, newFetchError(x, FetchUnusableAnswer,
				fmt.Sprintf("the answer has nothing at export.file.state.pointer (%s)",
					s.Pointer)).markRetryable(x)
		case r.conf.URL == "":
			return nil, newFetchError(x, FetchUnusableAnswer,
				"the file is ready, but the answer is JSON, and export.file.url does not say "+
					"where in it the download address is").markRetryable(x)
		}
	}
	if strings.TrimSpace(text) == "" {
		return nil, newFetchError(x, absent,
			fmt.Sprintf("the answer has no address at export.file.url (%s)", r.conf.URL)).markRetryable(x)
	}
	target := resolveURL(at, text)
	if target == nil {
		return nil, newFetchError(x, FetchUnusableAnswer,
			"the download address is not an http or https URL: "+printable.TruncateToWidth(text, 100))
	}
	return target, nil
}

// newFetchError returns the error of an answer that gives no file.
func newFetchError(x *Exchange, fault FetchFailure, why string) *FetchError {
	return &FetchError{Failure: fault, Status: x.Status, Detail: why}
}

// markRetryable marks an error after which a retry may succeed. The answer's Retry-After is
// bounded, so that it does not hold up work that waits for the file.
func (e *FetchError) markRetryable(x *Exchange) *FetchError {
	longest := maxThrottlePause
	if x.IsTransient() {
		longest = maxPollPause
	}
	e.again, e.wait = true, min(max(retryAfter(x.Header, time.Now()), 0), longest)
	return e
}

// describeNonFileAnswer describes an answer that is not the file. It names the address of a
// download, because that came from the deployment.
func describeNonFileAnswer(x *Exchange) string {
	if x.Label == downloadLabel {
		return fmt.Sprintf("the answer from %s was %d", x.Recorded.URL, x.Status)
	}
	return fmt.Sprintf("the answer was %d", x.Status)
}

// fetchErrorOfStatus returns the error of an answer that is not a 2xx.
func fetchErrorOfStatus(x *Exchange) *FetchError {
	switch why := describeNonFileAnswer(x); {
	case x.Err != nil && x.Err.Kind == TroubleDecompression:
		return &FetchError{
			Failure: FetchUnusableAnswer, Status: x.Recorded.Status, Detail: x.Err.Detail, Unread: true,
		}
	case x.Err != nil:
		err := newFetchError(x, FetchBroken, x.Err.Error())
		if slices.Contains(
			[]TroubleKind{TroubleCanceled, TroubleUnsendable, TroubleThrottled, TroubleTLS}, x.Err.Kind) {
			return err
		}
		return err.markRetryable(x)
	case slices.Contains([]int{
		http.StatusNotFound, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests,
	}, x.Status):
		return newFetchError(x, FetchNotReady, why).markRetryable(x)
	case x.Status >= 500:
		return newFetchError(x, FetchBroken, why).markRetryable(x)
	case x.IsClientError():
		return newFetchError(x, FetchDenied, why)
	default:
		return newFetchError(x, FetchUnusableAnswer, why)
	}
}

// readFile reads the file from its answer, unless it was already read as it arrived.
func (r *fileRetrieval) readFile(x *Exchange, at *url.URL) *FetchError {
	if r.file.taken != x {
		r.file.readAnswer(bytes.NewReader(x.Body), x)
	}
	if at != r.at {
		r.file.got.Download = at
	}
	_, params, _ := mime.ParseMediaType(x.Header.Get("Content-Disposition"))
	if name := params["filename"]; name != "" {
		r.file.got.Name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	} else if base := path.Base(at.Path); at != r.at && base != "/" && base != "." {
		r.file.got.Name = base
	}
	if err := r.file.err; err != nil {
		return &FetchError{
			Failure: FetchUnusableAnswer, Status: x.Status, Detail: err.Error(), Unread: true,
		}
	}
	return nil
}
