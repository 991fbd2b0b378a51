package client

import (
	"bytes"
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/gateassay/gateassay/gateway/redact"
)

// download gets the file from its address.
func (f *fetch) download(ctx context.Context, target *url.URL) (got Fetched, done bool, err *FetchError) {
	x, at := f.open(ctx, target)
	if !f.usable(x, &err) {
		return got, false, err
	}
	return f.file(x, at, true)
}

// follow sends r to an address and follows redirects. Once a redirect has left the gateway's origin, no credential and
// no configured header is sent any more, wherever it leads. It returns the last answer and where it came from.
func (f *fetch) follow(ctx context.Context, r *Request, u *url.URL, authorized bool) (*Exchange, *url.URL) {
	own := true
	for hop := 0; ; hop++ {
		own = own && f.own(u)
		hopRequest := *r
		x := f.single(ctx, &hopRequest, u, own, authorized && (hop == 0 || !redact.Presigned(u)))
		f.excused += x.Queued
		next, redirected := redirect(x, u)
		if !redirected {
			return x, u
		}
		if hop == mostRedirects {
			x.Err = &Trouble{Kind: Garbled, Detail: fmt.Sprintf("more than %d redirects", mostRedirects)}
			x.Status = 0
			return x, u
		}
		f.c.redactor.LearnAddress(next)
		if x.Status == http.StatusSeeOther && r.Method != http.MethodHead || x.Status < 303 && r.Method == http.MethodPost {
			again := *r
			again.Method = http.MethodGet
			r = &again
		}
		u = next
	}
}

func redirect(x *Exchange, from *url.URL) (*url.URL, bool) {
	switch x.Status {
	case 301, 302, 303, 307, 308:
	default:
		return nil, false
	}
	location := x.Header.Get("Location")
	if location == "" {
		return nil, false
	}
	next, err := from.Parse(location)
	if err != nil || next.Host == "" || next.Scheme != "http" && next.Scheme != "https" {
		return nil, false
	}
	return next, true
}

// own reports whether an address is on the origin of base_url: same scheme, host and port.
func (f *fetch) own(u *url.URL) bool { return origin(u) == origin(f.c.base) }

func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// file takes the file out of the answer that carries it, unless it was taken while it arrived.
func (f *fetch) file(x *Exchange, at *url.URL, named bool) (Fetched, bool, *FetchError) {
	if f.intake.x != x {
		_ = f.intake.take(bytes.NewReader(x.Body), x) // nothing breaks
	}
	if f.intake.err != nil {
		return Fetched{}, false, f.intake.err
	}
	got := f.intake.got
	if _, params, err := mime.ParseMediaType(x.Header.Get("Content-Disposition")); err == nil && params["filename"] != "" {
		got.Name = path.Base(strings.ReplaceAll(params["filename"], `\`, "/"))
	} else if base := path.Base(at.Path); named && base != "/" && base != "." {
		got.Name = base
	}
	return got, true, nil
}
