package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/gateassay/gateassay/gateway/curl"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/redact"
)

// FetchOnce sends the configured retrieval request once: no polling, no redirect, no download.
func (c *Client) FetchOnce(ctx context.Context, fileID string, cred *deployment.Credential) *Exchange {
	f, r, u, err := c.retrieval("fetch the file once", fileID, cred)
	if err != nil {
		return c.unsent(r, 1, Unsent, err.Error())
	}
	return f.single(ctx, r, u, true, true)
}

func (c *Client) retrieval(label, fileID string, cred *deployment.Credential) (*fetch, *Request, *url.URL, error) {
	f := &fetch{c: c, conf: c.dep.Export.File, fileID: fileID, cred: cred}
	r := &Request{Label: label, Operation: File}
	if f.conf == nil {
		return f, r, nil, errors.New("export.file is not in the deployment file")
	}
	u, err := f.request(r)
	return f, r, u, err
}

// Reach asks for the file once, as FetchOnce does, and goes where the answer sends its reader: it follows redirects and
// the download address, with the credential on the origin of base_url only. It returns the last answer, and whether
// that came from another address than the first. How is what makes the credential, where it was altered on purpose.
func (c *Client) Reach(
	ctx context.Context, fileID string, cred *deployment.Credential, how *curl.Alteration,
) (x *Exchange, elsewhere bool) {
	f, r, u, err := c.retrieval("fetch the file as somebody else", fileID, cred)
	f.altered, r.Altered = how, how
	if err != nil {
		return c.unsent(r, 1, Unsent, err.Error()), false
	}
	x, at := f.follow(ctx, r, u, true)
	if target, text := f.address(x, at); target != nil {
		x, _ = f.open(ctx, target, text)
		return x, true
	}
	return x, at.String() != u.String()
}

// address is where a 2xx answer says that the file lies, and in which words; nil where it says nothing.
func (f *fetch) address(x *Exchange, at *url.URL) (target *url.URL, text string) {
	if f.conf.URL == "" || !x.Success() {
		return nil, ""
	}
	plain, long, err := decode(x)
	if err != nil || long || !looksJSON(plain) {
		return nil, ""
	}
	v, _ := Lookup(parseJSON(plain), f.conf.URL)
	text, _ = v.(string)
	return reference(at, text), text
}

// open asks for a download address. Another origin never sees the credential. On the gateway's own origin the
// credential goes along, unless the address authorises itself; when that is refused, the other way is tried once.
// A relative address of which nothing is found where RFC 3986 has it is looked for below base_url.
func (f *fetch) open(ctx context.Context, target *url.URL, text string) (*Exchange, *url.URL) {
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

func (f *fetch) openAt(ctx context.Context, target *url.URL) (*Exchange, *url.URL) {
	f.c.redactor.LearnAddress(target)
	own := f.own(target)
	authorized := own && !redact.Presigned(target)
	r := &Request{Label: download, Operation: File, Method: http.MethodGet, intake: f.intake, Altered: f.altered}
	x, at := f.follow(ctx, r, target, authorized)
	if own && f.cred != nil && x.Refusal() && x.Status != http.StatusTooManyRequests {
		if other, from := f.follow(ctx, r, target, !authorized); other.Success() {
			return other, from
		}
	}
	return x, at
}
