package client

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// maxPlain bounds a file after decompression.
const maxPlain = 256 << 20

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
		x := f.single(ctx, &hopRequest, u, own, authorized && (hop == 0 || !presigned(u)))
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
		f.c.redactor.learnAddress(next)
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

// own tells an address on the origin of base_url: same scheme, host and port.
func (f *fetch) own(u *url.URL) bool { return origin(u) == origin(f.c.base) }

func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// learnAddress registers what makes a download address valid, so that it is found wherever it is quoted.
func (r *Redactor) learnAddress(u *url.URL) {
	for name, values := range u.Query() {
		for _, v := range values {
			if sensitiveParameter(name) && len(v) >= 8 {
				r.Secret("a download address", v)
			}
		}
	}
}

// file takes the file out of the answer that carries it.
func (f *fetch) file(x *Exchange, at *url.URL, named bool) (Fetched, bool, *FetchError) {
	plain, encoding, err := decode(x.Body, x.Header, true)
	if err != nil {
		return Fetched{}, false, &FetchError{Fault: Unusable, Status: x.Status, Detail: err.Error()}
	}
	got := Fetched{Bytes: plain, Cut: x.Cut, MediaType: x.Header.Get("Content-Type"), Encoding: encoding}
	if _, params, err := mime.ParseMediaType(x.Header.Get("Content-Disposition")); err == nil && params["filename"] != "" {
		got.Name = path.Base(strings.ReplaceAll(params["filename"], `\`, "/"))
	} else if base := path.Base(at.Path); named && base != "/" && base != "." {
		got.Name = base
	}
	return got, true, nil
}

// decode undoes the Content-Encoding, and gzip of the file itself where unpack is set. It refuses what would grow
// beyond the limit.
func decode(body []byte, h http.Header, unpack bool) (plain []byte, encoding string, err error) {
	var seen []string
	codings := strings.Split(strings.Join(h.Values("Content-Encoding"), ","), ",")
	for i := len(codings) - 1; i >= 0; i-- {
		coding := strings.ToLower(strings.TrimSpace(codings[i]))
		switch {
		case coding == "" || coding == "identity" || len(body) == 0:
			continue
		case coding == "gzip" || coding == "x-gzip":
			// Storage services label a stored .gz so even when a proxy has unpacked it on the way.
			if !compressedBytes(body) {
				continue
			}
			body, err = unzip(body)
		case coding == "deflate":
			body, err = inflate(body)
		default:
			err = fmt.Errorf("the answer has Content-Encoding %q although none was asked for; gzip and deflate are understood", coding)
		}
		if err != nil {
			return nil, "", err
		}
		seen = append(seen, strings.TrimPrefix(coding, "x-")+" (transfer)")
	}
	if unpack && compressedBytes(body) {
		if body, err = unzip(body); err != nil {
			return nil, "", err
		}
		seen = append(seen, "gzip (file)")
	}
	return body, strings.Join(seen, ", "), nil
}

func unzip(b []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("damaged gzip data: %w", err)
	}
	return bounded(z, "gzip")
}

func inflate(b []byte) ([]byte, error) {
	if z, err := zlib.NewReader(bytes.NewReader(b)); err == nil {
		return bounded(z, "deflate")
	}
	return bounded(flate.NewReader(bytes.NewReader(b)), "deflate")
}

func bounded(r io.Reader, what string) ([]byte, error) {
	plain, err := io.ReadAll(io.LimitReader(r, maxPlain+1))
	if len(plain) > maxPlain {
		return nil, errors.New("the file is longer than 256 MiB once decompressed")
	}
	if err != nil {
		return nil, fmt.Errorf("damaged %s data: %w", what, err)
	}
	return plain, nil
}
