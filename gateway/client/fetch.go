package client

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
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
	fetchTimeout    = time.Minute // where export.file gives none
	longestThrottle = time.Minute // throttle waits that a fetch does not count against its timeout
	mostBaffled     = 10          // answers in a row without a state or an address, before the configuration is doubted
	mostErrors      = 3           // answers 500 in a row
)

// fetch is one retrieval that waits for its file.
type fetch struct {
	fileRequest
	FetchOptions

	states  []StateSeen
	start   time.Time
	asked   time.Duration // by the last Retry-After
	last    FetchError    // why the last poll gave no file
	baffled int
	errors  int
}

// FetchWith retrieves an export file as export.file of the deployment file says: it polls until the file is ready,
// follows redirects and the download address, and decompresses. The credential only ever goes to the origin of
// base_url. Every request is recorded under the operation File. It fails with a *FetchError.
func (c *Client) FetchWith(
	ctx context.Context, fileID string, cred *deployment.Credential, o FetchOptions,
) (ExportFile, error) {
	f := &fetch{FetchOptions: o, start: time.Now()}
	var got ExportFile
	var err *FetchError
	if f.fileRequest, err = c.fileRequest("fetch the file", fileID, cred); err == nil {
		f.intake = &intake{c: c, read: o.Read, most: o.Most}
		got, err = f.poll(WithRank(ctx, pollRank))
	}
	got.States, got.Took = f.states, time.Since(f.start)
	if err != nil {
		err.Detail = printable.Fit(c.redactor.Text(err.Detail), 500)
		return got, err
	}
	return got, nil
}

// poll asks for the file until it is there, or will never be.
func (f *fetch) poll(ctx context.Context) (ExportFile, *FetchError) {
	timeout, polls := cmp.Or(max(f.conf.Timeout, 0), fetchTimeout), f.c.ripening.join()
	late := func(within string) *FetchError {
		e := f.last
		e.Fault, e.Detail = cmp.Or(e.Fault, NotReady), fmt.Sprintf("no file within %s; last: %s", within, e.Detail)
		return &e
	}
	interrupted := func(why error) *FetchError {
		return &FetchError{Fault: Broken, Status: f.last.Status, Detail: "interrupted: " + why.Error()}
	}
	for {
		got, err := f.once(ctx)
		switch {
		case err != nil:
			return ExportFile{}, err
		case got != nil:
			polls.ready(time.Since(f.start))
			return *got, nil
		case ctx.Err() != nil:
			return ExportFile{}, interrupted(ctx.Err())
		}
		spent := time.Since(f.start) - min(f.excused, longestThrottle)
		left := timeout - spent
		if left <= 0 {
			return ExportFile{}, late(fmt.Sprintf("%s (export.file.timeout)", timeout))
		}
		if f.Absent != nil && f.last.Fault == NotReady && f.last.absent() {
			if patience := f.Absent(); patience > 0 && patience <= spent {
				return ExportFile{}, late(patience.String() + ", by which time the run's other files were ready")
			}
		}
		if !f.rest(ctx, polls, left) {
			return ExportFile{}, interrupted(errClosed)
		}
	}
}

// rest waits before the next poll, for left at most; false: the client was closed.
func (f *fetch) rest(ctx context.Context, polls *polling, left time.Duration) bool {
	for {
		wait, known := polls.pause(time.Since(f.start), f.last.Fault == NotReady && f.asked == 0)
		select {
		case <-time.After(min(max(wait, f.asked), left)):
			return true
		case <-known:
		case <-ctx.Done():
			return true // the poll says so
		case <-f.c.ctx.Done():
			return false
		}
	}
}

// once asks for the file. err: it will never come; neither a file nor an error: ask again.
func (f *fetch) once(ctx context.Context) (*ExportFile, *FetchError) {
	x, at := f.follow(ctx, f.request, f.at, true)
	if usable, failure := f.usable(x); !usable {
		return nil, failure
	}
	named := at.String() != f.at.String()
	if f.intake.x == x {
		return f.file(x, at, named)
	}
	plain, long, err := decode(x)
	early := x.Status == http.StatusAccepted || x.Status == http.StatusNoContent
	switch {
	case err != nil:
		return nil, &FetchError{Unusable, x.Status, err.Error()}
	case !long && looksJSON(plain) && !(early && f.conf.State == nil && f.conf.URL == ""):
		return f.status(ctx, x, at, plain)
	case early:
		return nil, f.notYet(x, answered(x))
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
			return nil, &FetchError{FailedState, x.Status, fmt.Sprintf("the file's state is %q", state)}
		case found && !slices.Contains(s.Ready, state):
			f.baffled = 0
			return nil, f.notYet(x, fmt.Sprintf("the file's state is %q", state))
		case !found && !hasURL:
			return nil, f.doubt(x, fmt.Sprintf("the answer has nothing at export.file.state.pointer (%s)", s.Pointer))
		case f.conf.URL == "":
			return nil, f.doubt(x, "the file is ready, but the answer is JSON, and export.file.url does not say "+
				"where in it the download address is")
		}
	} else if f.conf.URL == "" {
		return f.file(x, at, false)
	}
	if strings.TrimSpace(text) == "" {
		why := fmt.Sprintf("the answer has no address at export.file.url (%s)", f.conf.URL)
		if f.conf.State == nil {
			return nil, f.notYet(x, why)
		}
		return nil, f.doubt(x, "the file is ready, but "+why)
	}
	target := reference(at, text)
	if target == nil {
		return nil, &FetchError{Unusable, x.Status, "the download address is not an http or https URL: " +
			printable.Fit(text, 100)}
	}
	x, at = f.open(ctx, target, text)
	if usable, failure := f.usable(x); !usable {
		return nil, failure
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

// notYet notes why there is no file so far. It is not a failure.
func (f *fetch) notYet(x *Exchange, why string) *FetchError {
	f.last = FetchError{NotReady, x.Status, why}
	f.asked = min(max(retryAfter(x.Header, time.Now()), 0), longestPause)
	return nil
}

// doubt is notYet for an answer that does not fit the configuration; it stays that for some polls only.
func (f *fetch) doubt(x *Exchange, why string) *FetchError {
	_ = f.notYet(x, why)
	f.last.Fault = Unusable
	if f.baffled++; f.baffled < mostBaffled {
		return nil
	}
	e := f.last
	return &e
}

// usable reports whether the answer is a 2xx. Otherwise it returns that it is final, or notes why to ask again.
func (f *fetch) usable(x *Exchange) (usable bool, failure *FetchError) {
	f.asked = 0
	if x.Status != http.StatusInternalServerError {
		f.errors = 0
	}
	if x.Success() {
		return true, nil
	}
	final := false
	if x.Err != nil {
		f.last = FetchError{Broken, 0, x.Err.Error()}
		final = slices.Contains([]TroubleKind{Canceled, Unsent, Exhausted, BadTLS}, x.Err.Kind)
	} else {
		_ = f.notYet(x, answered(x))
	}
	switch {
	case x.Err != nil, x.Status == http.StatusNotFound, x.Status == http.StatusConflict,
		x.Status == http.StatusTooEarly:
	case x.Status == http.StatusTooManyRequests:
		f.asked = min(f.asked, f.wait) // less where others get past
		f.excused += f.asked
		if asked := retryAfter(x.Header, time.Now()); asked > longestPause {
			f.last.Fault, final = Broken, true
			f.last.Detail += fmt.Sprintf(" and asks to wait %s, longer than the one minute that a run waits",
				asked.Round(time.Second))
		}
	case x.Status >= 500:
		f.last.Fault = Broken
		if !x.Transient() {
			f.errors++
			final = f.errors >= mostErrors
		}
	default:
		f.last.Fault, final = Unusable, true
		if x.Refusal() {
			f.last.Fault = Denied
		}
	}
	if !final {
		return false, nil
	}
	e := f.last
	return false, &e
}

// file takes the file out of the answer that carries it, unless it was taken while it arrived.
func (f *fetch) file(x *Exchange, at *url.URL, named bool) (*ExportFile, *FetchError) {
	if f.intake.x != x {
		_ = f.intake.take(bytes.NewReader(x.Body), x) // nothing breaks
	}
	if f.intake.err != nil {
		return nil, f.intake.err
	}
	got := f.intake.got
	_, params, _ := mime.ParseMediaType(x.Header.Get("Content-Disposition"))
	if name := params["filename"]; name != "" {
		got.Name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	} else if base := path.Base(at.Path); named && base != "/" && base != "." {
		got.Name = base
	}
	return &got, nil
}
