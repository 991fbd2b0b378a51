package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/curl"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/printable"
)

// download labels the request for an address that an answer gave.
const download = "download the file"

const (
	fetchTimeout    = time.Minute // where export.file gives none
	longestThrottle = time.Minute // throttle waits that a fetch does not count against its timeout
	mostRedirects   = 10
	mostBaffled     = 10 // answers in a row without a state or an address, before the configuration is doubted
	mostErrors      = 3  // answers 500 in a row
)

// fetch is one retrieval under way.
type fetch struct {
	c      *Client
	conf   *deployment.Retrieval
	fileID string
	cred   *deployment.Credential
	FetchOptions

	altered *curl.Alteration // what makes cred; nil: it is as it was issued
	intake  *intake
	states  []StateSeen
	start   time.Time
	excused time.Duration // waited at the gate
	asked   time.Duration // by the last Retry-After
	wait    time.Duration // that the gate makes of it, after a throttled answer
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
	f := &fetch{c: c, conf: c.dep.Export.File, fileID: fileID, cred: cred, FetchOptions: o, start: time.Now()}
	f.intake = &intake{c: c, read: o.Read, most: o.Most}
	if f.conf == nil {
		return ExportFile{}, fault(NotConfigured, nil, "export.file is not in the deployment file: "+
			"add how a finished file is fetched")
	}
	ctx = WithRank(ctx, pollRank)
	timeout := cmp.Or(max(f.conf.Timeout, 0), fetchTimeout)
	polls := c.ripening.join()
	for {
		got, err := f.poll(ctx)
		switch {
		case err != nil:
			return f.failed(err)
		case got != nil:
			got.States, got.Took = f.states, time.Since(f.start)
			polls.ready(got.Took)
			return *got, nil
		case ctx.Err() != nil:
			return f.interrupted(ctx.Err())
		}
		spent := time.Since(f.start) - min(f.excused, longestThrottle)
		left := timeout - spent
		if left <= 0 {
			return f.late(fmt.Sprintf("%s (export.file.timeout)", timeout))
		}
		if patience := f.patience(); patience > 0 && patience <= spent {
			return f.late(patience.String() + ", by which time the run's other files were ready")
		}
		if !f.rest(ctx, polls, left) {
			return f.interrupted(errClosed)
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

// fault is the error of a retrieval that ends with an answer; nil: there was none.
func fault(f FetchFault, x *Exchange, format string, args ...any) *FetchError {
	e := &FetchError{Fault: f, Detail: fmt.Sprintf(format, args...)}
	if x != nil {
		e.Status = x.Status
	}
	return e
}

func (f *fetch) interrupted(why error) (ExportFile, error) {
	return f.failed(&FetchError{Fault: Broken, Status: f.last.Status, Detail: "interrupted: " + why.Error()})
}

// late is the error for a retrieval that ran out of time: transport trouble and 5xx are named as such.
func (f *fetch) late(within string) (ExportFile, error) {
	e := f.last
	if e.Fault == "" {
		e.Fault = NotReady
	}
	e.Detail = fmt.Sprintf("no file within %s; last: %s", within, e.Detail)
	return f.failed(&e)
}

// patience is how long a file may be nowhere; 0: as long as any may take.
func (f *fetch) patience() time.Duration {
	if f.Absent == nil || f.last.Fault != NotReady || !f.last.absent() {
		return 0
	}
	return f.Absent()
}

func (f *fetch) failed(e *FetchError) (ExportFile, error) {
	e.Detail = printable.Fit(f.c.redactor.Text(e.Detail), 500)
	return ExportFile{States: f.states, Took: time.Since(f.start)}, e
}

// request fills in method and address of the configured retrieval.
func (f *fetch) request(r *Request) (*url.URL, error) {
	method, path, found := strings.Cut(strings.TrimSpace(f.conf.Request), " ")
	if !found {
		method, path = http.MethodGet, method
	}
	r.Method = strings.ToUpper(method)
	switch f.fileID {
	case "", ".", "..":
		return nil, fmt.Errorf("the file_id %q cannot be used in a path", f.fileID)
	}
	before, query, hasQuery := strings.Cut(strings.TrimSpace(path), "?")
	path = strings.ReplaceAll(before, "{file_id}", url.PathEscape(f.fileID))
	if hasQuery {
		path += "?" + strings.ReplaceAll(query, "{file_id}", url.QueryEscape(f.fileID))
	}
	return f.c.locate(path, nil)
}

// headers are the configured ones, with fresh identifiers, and the credential.
func (f *fetch) headers(ctx context.Context, r *Request, authorized bool) (http.Header, error) {
	h := http.Header{}
	r.Fresh = nil
	for name, v := range f.conf.Headers {
		if strings.Contains(v, "{uuid}") {
			v = strings.ReplaceAll(v, "{uuid}", uuid.NewString())
			r.Fresh = append(r.Fresh, name)
		}
		h[name] = []string{v}
	}
	if authorized && f.cred != nil {
		return h, f.c.authorize(ctx, h, f.cred)
	}
	return h, nil
}

// single sends one request of the retrieval. Without own, neither the credential nor a configured header goes along.
func (f *fetch) single(ctx context.Context, r *Request, u *url.URL, own, authorized bool) *Exchange {
	header := http.Header{}
	if own {
		var err error
		if header, err = f.headers(ctx, r, authorized); err != nil {
			return f.c.unsent(r, 1, Unsent, err.Error())
		}
	}
	x, wait := f.c.single(ctx, f.c.prepareAt(r, u, header))
	f.wait = wait
	return x
}

// poll asks for the file once. err: it will never come; neither a file nor an error: ask again.
func (f *fetch) poll(ctx context.Context) (*ExportFile, *FetchError) {
	r := &Request{Label: "fetch the file", Operation: File, intake: f.intake}
	u, err := f.request(r)
	if err != nil {
		return nil, fault(Unusable, nil, "%s", err)
	}
	x, at := f.follow(ctx, r, u, true)
	if usable, failure := f.usable(x); !usable {
		return nil, failure
	}
	if f.intake.x == x {
		return f.file(x, at, at.String() != u.String())
	}
	plain, long, err := decode(x)
	early := x.Status == http.StatusAccepted || x.Status == http.StatusNoContent
	switch {
	case err != nil:
		return nil, fault(Unusable, x, "%s", err)
	case !long && looksJSON(plain) && !(early && f.conf.State == nil && f.conf.URL == ""):
		return f.status(ctx, x, at, plain)
	case early:
		return nil, f.notYet(x, answered(x))
	}
	return f.file(x, at, at.String() != u.String())
}

// status reads a JSON answer: the state of the file, and its address once it is ready.
func (f *fetch) status(ctx context.Context, x *Exchange, at *url.URL, plain []byte) (*ExportFile, *FetchError) {
	doc := parseJSON(plain)
	address, hasURL := Lookup(doc, f.conf.URL)
	hasURL = hasURL && f.conf.URL != ""
	if s := f.conf.State; s != nil {
		v, found := Lookup(doc, s.Pointer)
		state := stateText(v)
		if found {
			f.saw(state)
		}
		switch {
		case found && slices.Contains(s.Failed, state):
			return nil, fault(FailedState, x, "the file's state is %q", state)
		case found && !slices.Contains(s.Ready, state):
			f.baffled = 0
			return nil, f.notYet(x, fmt.Sprintf("the file's state is %q", state))
		case !found && !hasURL:
			return nil, f.doubt(x, "the answer has nothing at export.file.state.pointer (%s)", s.Pointer)
		case f.conf.URL == "":
			return nil, f.doubt(x, "the file is ready, but the answer is JSON, and export.file.url does not say "+
				"where in it the download address is")
		}
	} else if f.conf.URL == "" {
		return f.file(x, at, false)
	}
	text, _ := address.(string)
	if strings.TrimSpace(text) == "" {
		why := fmt.Sprintf("the answer has no address at export.file.url (%s)", f.conf.URL)
		if f.conf.State == nil {
			return nil, f.notYet(x, why)
		}
		return nil, f.doubt(x, "the file is ready, but %s", why)
	}
	target := reference(at, text)
	if target == nil {
		return nil, fault(Unusable, x, "the download address is not an http or https URL: %s", printable.Fit(text, 100))
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

func (f *fetch) saw(state string) {
	if !slices.ContainsFunc(f.states, func(s StateSeen) bool { return s.Value == state }) {
		f.states = append(f.states, StateSeen{Value: state, After: time.Since(f.start)})
	}
}

// notYet notes why there is no file so far. It is not a failure.
func (f *fetch) notYet(x *Exchange, why string) *FetchError {
	f.last = FetchError{Fault: NotReady, Status: x.Status, Detail: why}
	f.asked = min(max(retryAfter(x.Header, time.Now()), 0), longestPause)
	return nil
}

// doubt is notYet for an answer that does not fit the configuration; it stays that for some polls only.
func (f *fetch) doubt(x *Exchange, format string, args ...any) *FetchError {
	e := fault(Unusable, x, format, args...)
	_ = f.notYet(x, e.Detail)
	f.last.Fault = Unusable
	if f.baffled++; f.baffled < mostBaffled {
		return nil
	}
	return e
}

// usable reports whether the answer is a 2xx. Otherwise it returns that it is final, or notes why to ask again.
func (f *fetch) usable(x *Exchange) (usable bool, failure *FetchError) {
	f.asked = 0
	if x.Status != http.StatusInternalServerError {
		f.errors = 0
	}
	final := false
	switch {
	case x.Err != nil:
		f.last = FetchError{Fault: Broken, Status: 0, Detail: x.Err.Error()}
		final = slices.Contains([]TroubleKind{Canceled, Unsent, Exhausted, BadTLS}, x.Err.Kind)
	case x.Success():
		return true, nil
	case x.Status == http.StatusTooManyRequests:
		_ = f.notYet(x, answered(x))
		f.asked = min(f.asked, f.wait) // less where others get past
		f.excused += f.asked
		if asked := retryAfter(x.Header, time.Now()); asked > longestPause {
			f.last.Fault, final = Broken, true
			f.last.Detail += fmt.Sprintf(" and asks to wait %s, longer than the one minute that a run waits",
				asked.Round(time.Second))
		}
	case x.Status == http.StatusNotFound, x.Status == http.StatusConflict, x.Status == http.StatusTooEarly:
		_ = f.notYet(x, answered(x))
	case x.Status >= 500:
		_ = f.notYet(x, answered(x))
		f.last.Fault = Broken
		if !x.Transient() {
			f.errors++
			final = f.errors >= mostErrors
		}
	default:
		f.last = *fault(Unusable, x, "%s", answered(x))
		if final = true; x.Refusal() {
			f.last.Fault = Denied
		}
	}
	if final {
		e := f.last
		return false, &e
	}
	return false, nil
}
