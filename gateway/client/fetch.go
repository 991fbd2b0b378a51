package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/deployment"
)

const (
	firstPoll       = 50 * time.Millisecond
	slowestPoll     = time.Second
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

	intake  *intake
	states  []StateSeen
	start   time.Time
	excused time.Duration // waited at the gate
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
	f := &fetch{c: c, conf: c.dep.Export.File, fileID: fileID, cred: cred, FetchOptions: o, start: time.Now()}
	f.intake = &intake{c: c, read: o.Read, most: o.Most}
	if f.conf == nil {
		return ExportFile{}, fault(NotConfigured, nil, "export.file is not in the deployment file: "+
			"add how a finished file is fetched")
	}
	ctx = WithRank(ctx, pollRank)
	timeout := f.conf.Timeout
	if timeout <= 0 {
		timeout = fetchTimeout
	}
	pause := firstPoll
	for {
		got, done, err := f.poll(ctx)
		switch {
		case err != nil:
			return f.failed(err)
		case done:
			got.States, got.Took = f.states, time.Since(f.start)
			return got, nil
		case ctx.Err() != nil:
			return f.interrupted(ctx.Err())
		}
		wait := max(pause, f.asked)
		spent := time.Since(f.start) - min(f.excused, longestThrottle)
		left := timeout - spent
		if left <= 0 {
			return f.late(fmt.Sprintf("%s (export.file.timeout)", timeout))
		}
		if patience := f.patience(); patience > 0 && patience <= spent {
			return f.late(patience.String() + ", by when the others of the run were there")
		}
		select {
		case <-time.After(min(wait, left)):
		case <-ctx.Done():
		case <-c.ctx.Done():
			return f.interrupted(errClosed)
		}
		pause = min(pause*3/2, slowestPoll)
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
	e.Detail = shorten(f.c.redactor.Text(e.Detail), 500)
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
		return nil, fmt.Errorf("the file_id %q cannot be put into a path", f.fileID)
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
	x, _ := f.c.single(ctx, f.c.prepareAt(r, u, header))
	return x
}

// poll asks for the file once. done: there it is; err: it will never come; neither: ask again.
func (f *fetch) poll(ctx context.Context) (got ExportFile, done bool, err *FetchError) {
	r := &Request{Label: "fetch the file", Operation: File, intake: f.intake}
	u, locateErr := f.request(r)
	if locateErr != nil {
		return got, false, fault(Unusable, nil, "%s", locateErr)
	}
	x, at := f.follow(ctx, r, u, true)
	if !f.usable(x, &err) {
		return got, false, err
	}
	if f.intake.x == x {
		return f.file(x, at, at.String() != u.String())
	}
	plain, long, decodeErr := decode(x)
	if decodeErr != nil {
		return got, false, fault(Unusable, x, "%s", decodeErr)
	}
	if long || !looksJSON(plain) {
		if x.Status == http.StatusAccepted || x.Status == http.StatusNoContent {
			f.notYet(x, fmt.Sprintf("the answer was %d", x.Status))
			return got, false, nil
		}
		return f.file(x, at, at.String() != u.String())
	}
	return f.status(ctx, x, at, plain)
}

// status reads a JSON answer: the state of the file, and its address once it is ready.
func (f *fetch) status(
	ctx context.Context, x *Exchange, at *url.URL, plain []byte,
) (got ExportFile, done bool, err *FetchError) {
	doc := parseJSON(plain)
	ready := f.conf.State == nil
	if s := f.conf.State; s != nil {
		v, found := Lookup(doc, s.Pointer)
		if found {
			state := stateText(v)
			f.saw(state)
			switch {
			case slices.Contains(s.Failed, state):
				return got, false, fault(FailedState, x, "the file's state is %q", state)
			case !slices.Contains(s.Ready, state):
				f.baffled = 0
				f.notYet(x, fmt.Sprintf("the file's state is %q", state))
				return got, false, nil
			}
			ready = true
		} else if _, hasURL := Lookup(doc, f.conf.URL); f.conf.URL != "" && hasURL {
			ready = true
		}
		if !ready {
			return got, false, f.doubt(x, "the answer holds nothing at export.file.state.pointer (%s)", s.Pointer)
		}
	}
	if f.conf.URL == "" {
		if f.conf.State != nil {
			return got, false, f.doubt(x,
				"the file is ready, but the answer is JSON, and export.file.url does not say "+
					"where its download address stands")
		}
		return f.file(x, at, false)
	}
	v, _ := Lookup(doc, f.conf.URL)
	address, _ := v.(string)
	if strings.TrimSpace(address) == "" {
		why := fmt.Sprintf("the answer holds no address at export.file.url (%s)", f.conf.URL)
		if f.conf.State == nil {
			f.notYet(x, why)
			return got, false, nil
		}
		return got, false, f.doubt(x, "the file is ready, but %s", why)
	}
	target := reference(at, address)
	if target == nil {
		why := "the download address is not an http or https URL: " + shorten(address, 100)
		return got, false, fault(Unusable, x, "%s", why)
	}
	if x, at = f.open(ctx, target); !f.usable(x, &err) {
		return got, false, err
	}
	return f.file(x, at, true)
}

func (f *fetch) saw(state string) {
	if !slices.ContainsFunc(f.states, func(s StateSeen) bool { return s.Value == state }) {
		f.states = append(f.states, StateSeen{Value: state, After: time.Since(f.start)})
	}
}

// notYet notes why there is no file so far.
func (f *fetch) notYet(x *Exchange, why string) {
	f.last = FetchError{Fault: NotReady, Status: x.Status, Detail: why}
	f.asked = min(max(retryAfter(x.Header, time.Now()), 0), longestPause)
}

// doubt is notYet for an answer that does not fit the configuration; it stays that for some polls only.
func (f *fetch) doubt(x *Exchange, format string, args ...any) *FetchError {
	e := fault(Unusable, x, format, args...)
	f.notYet(x, e.Detail)
	f.last.Fault = Unusable
	if f.baffled++; f.baffled < mostBaffled {
		return nil
	}
	return e
}

// usable reports whether the answer is a 2xx. Otherwise it says in failure that it is final, or notes why to ask again.
func (f *fetch) usable(x *Exchange, failure **FetchError) bool {
	f.asked = 0
	final := func() {
		e := f.last
		*failure = &e
	}
	if x.Status != http.StatusInternalServerError {
		f.errors = 0
	}
	switch {
	case x.Err != nil:
		f.last = FetchError{Fault: Broken, Status: 0, Detail: x.Err.Error()}
		switch x.Err.Kind {
		case Canceled, Unsent, Exhausted, BadTLS:
			final()
		}
	case x.Success():
		return true
	case x.Status == http.StatusTooManyRequests:
		f.notYet(x, "the answer was 429")
		f.excused += f.asked
	case x.Status == http.StatusNotFound, x.Status == http.StatusConflict, x.Status == http.StatusTooEarly:
		f.notYet(x, fmt.Sprintf("the answer was %d", x.Status))
	case x.Status >= 500:
		f.notYet(x, fmt.Sprintf("the answer was %d", x.Status))
		f.last.Fault = Broken
		if !x.Transient() {
			if f.errors++; f.errors >= mostErrors {
				final()
			}
		}
	case x.Refusal():
		*failure = fault(Denied, x, "the answer was %d", x.Status)
	default:
		*failure = fault(Unusable, x, "the answer was %d", x.Status)
	}
	return false
}
