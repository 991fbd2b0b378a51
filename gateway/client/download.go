package client

import (
	"bytes"
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/redact"
)

// follow sends r to an address and follows redirects. Once a redirect has left the gateway's origin, no credential and
// no configured header is sent any more, wherever it leads. It returns the last answer and where it came from.
func (f *fetch) follow(ctx context.Context, r *Request, u *url.URL, authorized bool) (*Exchange, *url.URL) {
	own := true
	for hop := 0; ; hop++ {
		own = own && f.own(u)
		hopRequest := *r
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
func (f *fetch) fromBase(text string) *url.URL {
	to, err := url.Parse(strings.TrimSpace(text))
	if err != nil || to.IsAbs() || to.Host != "" || to.Path == "" || strings.HasPrefix(to.Path, "/") {
		return nil
	}
	base := *f.c.base
	base.Path = strings.TrimRight(base.Path, "/") + "/"
	return base.ResolveReference(to)
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
