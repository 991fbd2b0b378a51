package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/http/httpguts"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/redact"
)

// download labels the request for an address that an answer gave.
const download = "download the file"

const mostRedirects = 10

// retrieval is the way to a file: the configured request, the redirects and the address that it leads to.
type retrieval struct {
	c       *Client
	conf    *deployment.Retrieval
	cred    *deployment.Credential
	request *Request
	at      *url.URL
	file    *intake // nil: nobody reads the file
	start   time.Time
	queued  time.Duration // waited at the gate
	got     ExportFile
	hops    []*Exchange // that were sent
}

func (c *Client) retrieval(label, fileID string, cred *deployment.Credential) (*retrieval, *FetchError) {
	r := &retrieval{
		c: c, conf: c.dep.Export.File, cred: cred, start: time.Now(), request: &Request{Label: label, Operation: File},
	}
	if r.conf == nil {
		return r, &FetchError{Fault: NotConfigured, Detail: "export.file is not in the deployment file: add how a finished file " +
			"is fetched"}
	}
	if fileID == "" || fileID == "." || fileID == ".." {
		return r, &FetchError{Fault: Unusable, Detail: fmt.Sprintf("the file_id %q cannot be used in a path", fileID)}
	}
	method, address, _ := strings.Cut(r.conf.Request, " ")
	path, query, _ := strings.Cut(address, "?")
	r.request.Method = method
	var err error
	if r.at, err = c.locate(strings.ReplaceAll(path, "{file_id}", url.PathEscape(fileID)), nil); err != nil {
		return r, &FetchError{Fault: Unusable, Detail: err.Error()}
	}
	r.at.RawQuery = strings.ReplaceAll(query, "{file_id}", url.QueryEscape(fileID))
	return r, nil
}

// FetchOnce sends the configured retrieval request once: no polling, no redirect, no download. With astray, it goes to a
// path that no gateway has.
func (c *Client) FetchOnce(ctx context.Context, fileID string, cred *deployment.Credential, astray bool) *Exchange {
	r, err := c.retrieval("fetch the file once", fileID, cred)
	if err != nil {
		return c.unsent(r.request, 1, Unsent, err.Detail)
	}
	if astray {
		r.at.Path, r.at.RawPath = strings.Replace(r.at.Path, "/"+fileID, "-gateassay-no-such/"+fileID, 1), ""
	}
	return r.hop(ctx, *r.request, r.at, true, true)
}

// Reach asks for the file once, and goes where the answer sends its reader: it follows redirects and the download
// address, with the credential on the origin of base_url only. It returns all exchanges, the last answer, and whether
// that came from another address than the first. Altered says what the credential is, where it was changed on purpose.
func (c *Client) Reach(
	ctx context.Context, fileID string, cred *deployment.Credential, altered string,
) (hops []*Exchange, x *Exchange, elsewhere bool) {
	r, err := c.retrieval("fetch the file as somebody else", fileID, cred)
	r.request.Altered = altered
	if err != nil {
		return nil, c.unsent(r.request, 1, Unsent, err.Detail), false
	}
	x, at := r.follow(ctx, r.request, r.at, true)
	if x.Success() {
		_, text, _ := r.named(x)
		if target := reference(at, text); target != nil {
			x, _ = r.open(ctx, target)
			return r.hops, x, true
		}
	}
	return r.hops, x, at != r.at
}

// named is what a JSON answer says, and the address in it where the file lies.
func (r *retrieval) named(x *Exchange) (doc any, address string, found bool) {
	if json.Unmarshal(x.Body, &doc) != nil || r.conf.URL == "" {
		return doc, "", false
	}
	v, found := Lookup(doc, r.conf.URL)
	address, _ = v.(string)
	return doc, address, found
}

// hop sends one request of the retrieval. Without own, neither the credential nor a configured header goes along; with
// it, identifiers are fresh each time.
func (r *retrieval) hop(ctx context.Context, q Request, u *url.URL, own, authorized bool) *Exchange {
	q.at, q.file, q.Header = u, r.file, http.Header{}
	if own {
		for name, v := range r.conf.Headers {
			if strings.Contains(v, "{uuid}") {
				v = strings.ReplaceAll(v, "{uuid}", uuid.NewString())
				q.Fresh = append(q.Fresh, name)
			}
			q.Header[name] = []string{v}
		}
		if authorized {
			q.Credential = r.cred
		}
	}
	x := r.c.Once(ctx, &q)
	r.queued += x.Queued
	r.hops = append(r.hops, x)
	return x
}

// follow sends a request to an address and follows redirects. Once a redirect has left the gateway's origin, no
// credential and no configured header is sent any more, wherever it leads. It returns the last answer and where it came
// from.
func (r *retrieval) follow(ctx context.Context, q *Request, u *url.URL, authorized bool) (*Exchange, *url.URL) {
	own, next := true, *q
	for range mostRedirects {
		own = own && r.own(u)
		x := r.hop(ctx, next, u, own, authorized)
		to := reference(u, x.Header.Get("Location"))
		if to == nil || !slices.Contains([]int{301, 302, 303, 307, 308}, x.Status) {
			return x, u
		}
		r.c.redactor.LearnAddress(to)
		if x.Status == http.StatusSeeOther || x.Status < http.StatusSeeOther && next.Method == http.MethodPost {
			next.Method = http.MethodGet
		}
		u, authorized = to, authorized && !redact.Presigned(to)
	}
	return r.c.unsent(q, 1, Garbled, fmt.Sprintf("more than %d redirects", mostRedirects)), u
}

// open asks for a download address. Another origin never sees the credential. On the gateway's own origin the credential
// goes along, unless the address authorises itself; when that is refused, the other way is tried once.
func (r *retrieval) open(ctx context.Context, target *url.URL) (*Exchange, *url.URL) {
	r.c.redactor.LearnAddress(target)
	own := r.own(target)
	authorized := own && !redact.Presigned(target)
	q := &Request{Label: download, Operation: File, Method: http.MethodGet, Altered: r.request.Altered}
	x, at := r.follow(ctx, q, target, authorized)
	if own && r.cred != nil && x.Refusal() && x.Status != http.StatusTooManyRequests {
		if other, from := r.follow(ctx, q, target, !authorized); other.Success() {
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
	if host, err := httpguts.PunycodeHostPort(to.Host); err == nil {
		to.Host = host // as it is sent, and so recorded
	}
	return to
}

// own reports whether an address is on the origin of base_url: same scheme, host and port.
func (r *retrieval) own(u *url.URL) bool { return origin(u) == origin(r.c.base) }

func origin(u *url.URL) string { return strings.ToLower(u.Scheme) + "://" + hostPort(u) }

// hostPort is where to connect for an address.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
