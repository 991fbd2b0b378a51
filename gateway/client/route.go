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
	"github.com/gateassay/gateassay/gateway/redact"
)

// download labels the request for an address that an answer gave.
const download = "download the file"

const mostRedirects = 10

// route is the way to a file: the configured request, the redirects and the address that it leads to.
type route struct {
	c       *Client
	conf    *deployment.Retrieval
	cred    *deployment.Credential
	intake  *intake // takes a file; nil: nobody wants it
	request *Request
	at      *url.URL
	queued  time.Duration // waited at the gate
}

func (c *Client) route(label, fileID string, cred *deployment.Credential) (route, *FetchError) {
	f := route{c: c, conf: c.dep.Export.File, cred: cred, request: &Request{Label: label, Operation: File}}
	if f.conf == nil {
		return f, &FetchError{Fault: NotConfigured, Detail: "export.file is not in the deployment file: add how a finished file " +
			"is fetched"}
	}
	if fileID == "" || fileID == "." || fileID == ".." {
		return f, &FetchError{Fault: Unusable, Detail: fmt.Sprintf("the file_id %q cannot be used in a path", fileID)}
	}
	method, address, _ := strings.Cut(f.conf.Request, " ")
	path, query, _ := strings.Cut(address, "?")
	f.request.Method = method
	var err error
	if f.at, err = c.locate(strings.ReplaceAll(path, "{file_id}", url.PathEscape(fileID)), nil); err != nil {
		return f, &FetchError{Fault: Unusable, Detail: err.Error()}
	}
	f.at.RawQuery = strings.ReplaceAll(query, "{file_id}", url.QueryEscape(fileID))
	return f, nil
}

// FetchOnce sends the configured retrieval request once: no polling, no redirect, no download.
func (c *Client) FetchOnce(ctx context.Context, fileID string, cred *deployment.Credential) *Exchange {
	f, err := c.route("fetch the file once", fileID, cred)
	if err != nil {
		return c.unsent(f.request, 1, Unsent, err.Detail)
	}
	return f.hop(ctx, *f.request, f.at, true, true)
}

// Reach asks for the file once, as FetchOnce does, and goes where the answer sends its reader: it follows redirects and
// the download address, with the credential on the origin of base_url only. It returns the last answer, and whether
// that came from another address than the first. Altered says what the credential is, where it was changed on purpose.
func (c *Client) Reach(
	ctx context.Context, fileID string, cred *deployment.Credential, altered string,
) (x *Exchange, elsewhere bool) {
	f, failure := c.route("fetch the file as somebody else", fileID, cred)
	f.request.Altered = altered
	if failure != nil {
		return c.unsent(f.request, 1, Unsent, failure.Detail), false
	}
	x, at := f.follow(ctx, f.request, f.at, true)
	if plain, long, err := decode(x); err == nil && x.Success() && !long && looksJSON(plain) {
		text, _ := f.address(parseJSON(plain))
		if target := reference(at, text); target != nil {
			x, _ = f.open(ctx, target)
			return x, true
		}
	}
	return x, at.String() != f.at.String()
}

// Open asks for a download address once, on the origin of base_url with a credential.
func (c *Client) Open(ctx context.Context, address *url.URL, cred *deployment.Credential) *Exchange {
	f := route{c: c, conf: c.dep.Export.File, cred: cred}
	x, _ := f.follow(ctx, &Request{Label: download, Operation: File, Method: http.MethodGet}, address, true)
	return x
}

// address is where an answer says that the file lies, and whether it says anything.
func (f *route) address(doc any) (text string, found bool) {
	if f.conf.URL == "" {
		return "", false
	}
	v, found := Lookup(doc, f.conf.URL)
	text, _ = v.(string)
	return text, found
}

// hop sends one request of the retrieval. Without own, neither the credential nor a configured header goes along; with
// it, identifiers are fresh each time.
func (f *route) hop(ctx context.Context, r Request, u *url.URL, own, authorized bool) *Exchange {
	header := http.Header{}
	r.intake = f.intake
	if own {
		for name, v := range f.conf.Headers {
			if strings.Contains(v, "{uuid}") {
				v = strings.ReplaceAll(v, "{uuid}", uuid.NewString())
				r.Fresh = append(r.Fresh, name)
			}
			header[name] = []string{v}
		}
	}
	if own && authorized && f.cred != nil {
		if err := f.c.authorize(ctx, header, f.cred); err != nil {
			return f.c.unsent(&r, 1, Unsent, err.Error())
		}
	}
	x, _ := f.c.single(ctx, f.c.prepareAt(&r, u, header))
	f.queued += x.Queued
	return x
}

// follow sends r to an address and follows redirects. Once a redirect has left the gateway's origin, no credential and
// no configured header is sent any more, wherever it leads. It returns the last answer and where it came from.
func (f *route) follow(ctx context.Context, r *Request, u *url.URL, authorized bool) (*Exchange, *url.URL) {
	own, next := true, *r
	for range mostRedirects {
		own = own && f.own(u)
		x := f.hop(ctx, next, u, own, authorized)
		to := reference(u, x.Header.Get("Location"))
		if to == nil || !slices.Contains([]int{301, 302, 303, 307, 308}, x.Status) {
			return x, u
		}
		f.c.redactor.LearnAddress(to)
		if x.Status == http.StatusSeeOther || x.Status < http.StatusSeeOther && next.Method == http.MethodPost {
			next.Method = http.MethodGet
		}
		u, authorized = to, authorized && !redact.Presigned(to)
	}
	return f.c.unsent(r, 1, Garbled, fmt.Sprintf("more than %d redirects", mostRedirects)), u
}

// open asks for a download address. Another origin never sees the credential. On the gateway's own origin the credential goes
// along, unless the address authorises itself; when that is refused, the other way is tried once.
func (f *route) open(ctx context.Context, target *url.URL) (*Exchange, *url.URL) {
	f.c.redactor.LearnAddress(target)
	own := f.own(target)
	authorized := own && !redact.Presigned(target)
	r := &Request{Label: download, Operation: File, Method: http.MethodGet, Altered: f.request.Altered}
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

// own reports whether an address is on the origin of base_url: same scheme, host and port.
func (f *route) own(u *url.URL) bool { return origin(u) == origin(f.c.base) }

func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
