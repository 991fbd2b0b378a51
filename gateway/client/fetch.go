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
	"github.com/gateassay/gateassay/gateway/printable"
)

const (
	longestQueue = time.Minute // waits at the gate that a fetch does not count against its timeout
	mostStrange  = 5           // answers in a row that are 500, or do not fit the deployment file
	firstPoll    = 50 * time.Millisecond
	slowestPoll  = 5 * time.Second
)

// fetch is one retrieval that waits for its file.
type fetch struct {
	route
	FetchOptions

	states  []StateSeen
	start   time.Time
	asked   time.Duration // to wait, by the last answer
	last    FetchError    // why the last poll gave no file
	strange int           // answers in a row
}

// FetchWith retrieves an export file as export.file of the deployment file says: it polls until the file is ready,
// follows redirects and the download address, and decompresses. The credential only ever goes to the origin of
// base_url. Every request is recorded under the operation File. It fails with a *FetchError.
func (c *Client) FetchWith(
	ctx context.Context, fileID string, cred *deployment.Credential, o FetchOptions,
) (ExportFile, error) {
	f := &fetch{FetchOptions: o, start: time.Now()}
	var got *ExportFile
	var err *FetchError
	if f.route, err = c.route("fetch the file", fileID, cred); err == nil {
		f.intake = &intake{c: c, read: o.Read, most: o.Most}
		if o.Read == nil {
			f.intake.read = func(r io.Reader) error { _, err := io.Copy(io.Discard, r); return err }
		}
		got, err = f.poll(WithRank(ctx, pollRank))
	}
	if err != nil {
		err.Detail = printable.Fit(c.redactor.Text(err.Detail), 500)
		return ExportFile{States: f.states, Took: time.Since(f.start)}, err
	}
	got.States, got.Took = f.states, time.Since(f.start)
	return *got, nil
}

// fetchTimeout is how long a file may take, and then how long reading it may.
func (c *Client) fetchTimeout() time.Duration {
	return cmp.Or(max(c.dep.Export.File.Timeout, 0), time.Minute)
}

// poll asks for the file until it is there, or will never be.
func (f *fetch) poll(ctx context.Context) (*ExportFile, *FetchError) {
	timeout := f.c.fetchTimeout()
	late := func(within string) (*ExportFile, *FetchError) {
		f.last.Fault, f.last.Detail = cmp.Or(f.last.Fault, NotReady), fmt.Sprintf("no file within %s; last: %s", within, f.last.Detail)
		return nil, &f.last
	}
	for polls := 0; ; polls++ {
		got, err := f.look(ctx)
		if got != nil && polls > 0 { // otherwise it may have been there long before
			f.c.ripened(time.Since(f.start))
		}
		if got != nil || err != nil {
			return got, err
		}
		spent := time.Since(f.start) - min(f.queued, longestQueue)
		if spent >= timeout {
			return late(fmt.Sprintf("%s (export.file.timeout)", timeout))
		}
		if f.Absent != nil && f.last.Fault == NotReady && f.last.absent() {
			if patience := f.Absent(); patience > 0 && patience <= spent {
				return late(patience.String() + ", by which time the run's other files were ready")
			}
		}
		if !f.c.rest(ctx, min(max(f.asked, f.c.pollPause(time.Since(f.start))), timeout-spent)) {
			return nil, &FetchError{Fault: Broken, Status: f.last.Status, Detail: "interrupted"}
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

// look asks for the file. err: it will never come; neither a file nor an error: ask again.
func (f *fetch) look(ctx context.Context) (*ExportFile, *FetchError) {
	x, at := f.follow(ctx, f.request, f.at, true)
	if !x.Success() {
		return nil, f.refused(x)
	}
	named := at.String() != f.at.String()
	if f.intake.x == x {
		return f.file(x, at, named)
	}
	plain, long, err := decode(x)
	early := x.Status == http.StatusAccepted || x.Status == http.StatusNoContent
	switch {
	case err != nil:
		return nil, &FetchError{Fault: Unusable, Status: x.Status, Detail: err.Error(), Unread: true}
	case !long && looksJSON(plain) && !(early && f.conf.State == nil && f.conf.URL == ""):
		return f.status(ctx, x, at, plain)
	case early:
		return nil, f.again(x, NotReady, answered(x))
	}
	return f.file(x, at, named)
}

// status reads a JSON answer: the state of the file, and its address once it is ready.
func (f *fetch) status(ctx context.Context, x *Exchange, at *url.URL, plain []byte) (*ExportFile, *FetchError) {
	doc := parseJSON(plain)
	text, hasURL := f.address(doc)
	if s := f.conf.State; s != nil {
		v, found := Lookup(doc, s.Pointer)
		state := stateText(v)
		if found && !slices.ContainsFunc(f.states, func(s StateSeen) bool { return s.Value == state }) {
			f.states = append(f.states, StateSeen{Value: state, After: time.Since(f.start)})
		}
		switch {
		case found && slices.Contains(s.Failed, state):
			return nil, &FetchError{Fault: FailedState, Status: x.Status, Detail: fmt.Sprintf("the file's state is %q", state)}
		case found && !slices.Contains(s.Ready, state):
			return nil, f.again(x, NotReady, fmt.Sprintf("the file's state is %q", state))
		case !found && !hasURL:
			return nil, f.again(x, Unusable, fmt.Sprintf("the answer has nothing at export.file.state.pointer (%s)", s.Pointer))
		case f.conf.URL == "":
			return nil, f.again(x, Unusable, "the file is ready, but the answer is JSON, and export.file.url does not say "+
				"where in it the download address is")
		}
	} else if f.conf.URL == "" {
		return f.file(x, at, false)
	}
	if strings.TrimSpace(text) == "" {
		why := fmt.Sprintf("the answer has no address at export.file.url (%s)", f.conf.URL)
		if f.conf.State == nil {
			return nil, f.again(x, NotReady, why)
		}
		return nil, f.again(x, Unusable, "the file is ready, but "+why)
	}
	target := reference(at, text)
	if target == nil {
		return nil, &FetchError{Fault: Unusable, Status: x.Status, Detail: "the download address is not an http or https URL: " +
			printable.Fit(text, 100)}
	}
	if x, at = f.open(ctx, target); !x.Success() {
		return nil, f.refused(x)
	}
	return f.file(x, at, true)
}

// answered is what came instead of a file. It names the address of a download, which an answer gave.
func answered(x *Exchange) string {
	if x.Label == download {
		return fmt.Sprintf("the answer from %s was %d", x.Recorded.URL, x.Status)
	}
	return fmt.Sprintf("the answer was %d", x.Status)
}

// again notes why there is no file so far. It is final where an answer that does not fit has come too often.
func (f *fetch) again(x *Exchange, fault FetchFault, why string) *FetchError {
	f.last = FetchError{Fault: fault, Status: x.Status, Detail: why}
	f.asked = min(max(retryAfter(x.Header, time.Now()), 0), longestPause)
	if x.Transient() { // so that one that was refused does not hold up what waits for its file
		f.asked = min(f.asked, slowestPoll)
	}
	if fault == NotReady || x.Transient() {
		f.strange = 0
		return nil
	}
	if f.strange++; f.strange < mostStrange {
		return nil
	}
	return &f.last
}

// refused says what an answer that is no 2xx means: ask again (nil), or give up.
func (f *fetch) refused(x *Exchange) *FetchError {
	switch {
	case x.Err != nil:
		f.last, f.asked = FetchError{Fault: Broken, Detail: x.Err.Error()}, 0
		if slices.Contains([]TroubleKind{Canceled, Unsent, Exhausted, BadTLS}, x.Err.Kind) {
			return &f.last
		}
		return nil
	case slices.Contains([]int{http.StatusNotFound, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests}, x.Status):
		return f.again(x, NotReady, answered(x))
	case x.Status >= 500:
		return f.again(x, Broken, answered(x))
	case x.Refusal():
		return &FetchError{Fault: Denied, Status: x.Status, Detail: answered(x)}
	}
	return &FetchError{Fault: Unusable, Status: x.Status, Detail: answered(x)}
}

// file takes the file out of the answer that carries it, unless it was taken while it arrived.
func (f *fetch) file(x *Exchange, at *url.URL, named bool) (*ExportFile, *FetchError) {
	if f.intake.x != x {
		_ = f.intake.take(bytes.NewReader(x.Body), x) // nothing breaks
	}
	got := f.intake.got
	if named {
		got.From = at
	}
	_, params, _ := mime.ParseMediaType(x.Header.Get("Content-Disposition"))
	if name := params["filename"]; name != "" {
		got.Name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	} else if base := path.Base(at.Path); named && base != "/" && base != "." {
		got.Name = base
	}
	if f.intake.err != nil {
		return nil, f.intake.err
	}
	return &got, nil
}
