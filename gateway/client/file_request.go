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

	"github.com/gateassay/gateassay/gateway/curl"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/redact"
)

// download labels the request for an address that an answer gave.
const download = "download the file"

const mostRedirects = 10

// fileRequest is the way to a file: the configured request, the redirects and the address that it leads to.
type fileRequest struct {
	c       *Client
	conf    *deployment.Retrieval
	cred    *deployment.Credential
	altered *curl.Alteration // what makes cred; nil: it is as it was issued
	intake  *intake          // takes a file; nil: nobody wants it
	request *Request
	at      *url.URL
	excused time.Duration // waited at the gate
	wait    time.Duration // that the gate makes of a Retry-After, after a throttled answer
}

func (c *Client) fileRequest(label, fileID string, cred *deployment.Credential) (fileRequest, *FetchError) {
	f := fileRequest{c: c, conf: c.dep.Export.File, cred: cred, request: &Request{Label: label, Operation: File}}
	if f.conf == nil {
		return f, &FetchError{NotConfigured, 0, "export.file is not in the deployment file: add how a finished file " +
			"is fetched"}
	}
	method, path, found := strings.Cut(strings.TrimSpace(f.conf.Request), " ")
	if !found {
		method, path = http.MethodGet, method
	}
	f.request.Method = strings.ToUpper(method)
	if fileID == "" || fileID == "." || fileID == ".." {
		return f, &FetchError{Unusable, 0, fmt.Sprintf("the file_id %q cannot be used in a path", fileID)}
	}
	before, query, hasQuery := strings.Cut(strings.TrimSpace(path), "?")
	path = strings.ReplaceAll(before, "{file_id}", url.PathEscape(fileID))
	if hasQuery {
		path += "?" + strings.ReplaceAll(query, "{file_id}", url.QueryEscape(fileID))
	}
	var err error
	if f.at, err = c.locate(path, nil); err != nil {
		return f, &FetchError{Unusable, 0, err.Error()}
	}
	return f, nil
}

// FetchOnce sends the configured retrieval request once: no polling, no redirect, no download.
func (c *Client) FetchOnce(ctx context.Context, fileID string, cred *deployment.Credential) *Exchange {
	f, err := c.fileRequest("fetch the file once", fileID, cred)
	if err != nil {
		return c.unsent(f.request, 1, Unsent, err.Detail)
	}
	return f.single(ctx, f.request, f.at, true, true)
}

// Reach asks for the file once, as FetchOnce does, and goes where the answer sends its reader: it follows redirects and
// the download address, with the credential on the origin of base_url only. It returns the last answer, and whether
// that came from another address than the first. How is what makes the credential, where it was altered on purpose.
func (c *Client) Reach(
	ctx context.Context, fileID string, cred *deployment.Credential, how *curl.Alteration,
) (x *Exchange, elsewhere bool) {
	f, failure := c.fileRequest("fetch the file as somebody else", fileID, cred)
	f.altered, f.request.Altered = how, how
	if failure != nil {
		return c.unsent(f.request, 1, Unsent, failure.Detail), false
	}
	x, at := f.follow(ctx, f.request, f.at, true)
	if plain, long, err := decode(x); err == nil && x.Success() && !long && looksJSON(plain) {
		text, _ := f.address(parseJSON(plain))
		if target := reference(at, text); target != nil {
			x, _ = f.open(ctx, target, text)
			return x, true
		}
	}
	return x, at.String() != f.at.String()
}

// address is where an answer says that the file lies, and whether it says anything.
func (f *fileRequest) address(doc any) (text string, found bool) {
	if f.conf.URL == "" {
		return "", false
	}
	v, found := Lookup(doc, f.conf.URL)
	text, _ = v.(string)
	return text, found
}

// single sends one request of the retrieval. Without own, neither the credential nor a configured header goes along;
// with it, identifiers are fresh each time.
func (f *fileRequest) single(ctx context.Context, r *Request, u *url.URL, own, authorized bool) *Exchange {
	header := http.Header{}
	r.Fresh = nil
	for name, v := range f.conf.Headers {
		if !own {
			break
		}
		if strings.Contains(v, "{uuid}") {
			v = strings.ReplaceAll(v, "{uuid}", uuid.NewString())
			r.Fresh = append(r.Fresh, name)
		}
		header[name] = []string{v}
	}
	if own && authorized && f.cred != nil {
		if err := f.c.authorize(ctx, header, f.cred); err != nil {
			return f.c.unsent(r, 1, Unsent, err.Error())
		}
	}
	x, wait := f.c.single(ctx, f.c.prepareAt(r, u, header))
	f.wait = wait
	return x
}

// follow sends r to an address and follows redirects. Once a redirect has left the gateway's origin, no credential and
// no configured header is sent any more, wherever it leads. It returns the last answer and where it came from.
func (f *fileRequest) follow(ctx context.Context, r *Request, u *url.URL, authorized bool) (*Exchange, *url.URL) {
	own := true
	for hop := 0; ; hop++ {
		own = own && f.own(u)
		hopRequest := *r
		hopRequest.intake = f.intake
		x := f.single(ctx, &hopRequest, u, own, authorized && (hop == 0 || !redact.Presigned(u)))
		f.excused += x.Queued
		next := reference(u, x.Header.Get("Location"))
		if next == nil || !slices.Contains([]int{301, 302, 303, 307, 308}, x.Status) {
			return x, u
		}
		if hop == mostRedirects {
			x.Err = &Trouble{Kind: Garbled, Detail: fmt.Sprintf("more than %d redirects", mostRedirects)}
			x.Status = 0
			return x, u
		}
		f.c.redactor.LearnAddress(next)
		seeOther := x.Status == http.StatusSeeOther && r.Method != http.MethodHead
		if again := *r; seeOther || x.Status < http.StatusSeeOther && r.Method == http.MethodPost {
			again.Method = http.MethodGet
			r = &again
		}
		u = next
	}
}

// open asks for a download address. Another origin never sees the credential. On the gateway's own origin the
// credential goes along, unless the address authorises itself; when that is refused, the other way is tried once.
// A relative address of which nothing is found where RFC 3986 has it is looked for below base_url.
func (f *fileRequest) open(ctx context.Context, target *url.URL, text string) (*Exchange, *url.URL) {
	other := f.fromBase(text)
	if other == nil {
		return f.openAt(ctx, target)
	}
	if f.c.belowBase.Load() {
		target, other = other, target
	}
	x, at := f.openAt(ctx, target)
	if x.Status == http.StatusNotFound && other.String() != target.String() {
		if found, from := f.openAt(ctx, other); found.Success() {
			f.c.belowBase.Store(!f.c.belowBase.Load())
			return found, from
		}
	}
	return x, at
}

func (f *fileRequest) openAt(ctx context.Context, target *url.URL) (*Exchange, *url.URL) {
	f.c.redactor.LearnAddress(target)
	own := f.own(target)
	authorized := own && !redact.Presigned(target)
	r := &Request{Label: download, Operation: File, Method: http.MethodGet, Altered: f.altered}
	x, at := f.follow(ctx, r, target, authorized)
	if own && f.cred != nil && x.Refusal() && x.Status != http.StatusTooManyRequests {
		if other, from := f.follow(ctx, r, target, !authorized); other.Success() {
			return other, from
		}
	}
	return x, at
}

// reference is an address that a text stands for at another; nil where it is none of http or https.
func reference(from *url.URL, text string) *url.URL {
	text = strings.TrimSpace(text)
	to, err := from.Parse(text)
	if text == "" || err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return nil
	}
	return to
}

// fromBase is a relative address without a slash in front as a path below base_url, since no document says what it is
// relative to; nil for all others.
func (f *fileRequest) fromBase(text string) *url.URL {
	to, err := url.Parse(strings.TrimSpace(text))
	if err != nil || to.IsAbs() || to.Host != "" || to.Path == "" || strings.HasPrefix(to.Path, "/") {
		return nil
	}
	base := *f.c.base
	base.Path = strings.TrimRight(base.Path, "/") + "/"
	return base.ResolveReference(to)
}

// own reports whether an address is on the origin of base_url: same scheme, host and port.
func (f *fileRequest) own(u *url.URL) bool { return origin(u) == origin(f.c.base) }

func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
