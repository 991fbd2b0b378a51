package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/http/httpguts"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/redact"
)

// downloadLabel labels requests for a download address.
const downloadLabel = "download the file"

const maxRedirects = 10

// fileRetrieval is the retrieval of one file: the configured request, its redirects and the
// download.
type fileRetrieval struct {
	c       *Client
	conf    *deployment.Retrieval
	cred    *deployment.Credential
	request Request
	at      *url.URL
	file    *fileReader // nil: the file is not read
	start   time.Time
	queued  time.Duration // time spent waiting at the gate
	hops    []*Exchange   // the exchanges sent
}

func (c *Client) newFileRetrieval(
	label, fileID string, cred *deployment.Credential,
) (*fileRetrieval, *FetchError) {
	r := &fileRetrieval{
		c: c, conf: c.deployment.Export.File, cred: cred, start: time.Now(),
		request: Request{Label: label, Operation: OperationFile},
	}
	if r.conf == nil {
		return r, &FetchError{
			Failure: FetchNotConfigured,
			Detail:  "export.file is not in the deployment file: add how a finished file is fetched",
		}
	}
	if fileID == "" || fileID == "." || fileID == ".." {
		return r, &FetchError{
			Failure: FetchUnusableAnswer,
			Detail:  fmt.Sprintf("the file_id %q cannot be used in a path", fileID),
		}
	}
	method, address, _ := strings.Cut(r.conf.Request, " ")
	path, query, _ := strings.Cut(address, "?")
	r.request.Method = method
	path = strings.ReplaceAll(path, "{file_id}", url.PathEscape(fileID))
	var err error
	if r.at, err = c.resolvePath(path, nil); err != nil {
		return r, &FetchError{Failure: FetchUnusableAnswer, Detail: err.Error()}
	}
	r.at.RawQuery = strings.ReplaceAll(query, "{file_id}", url.QueryEscape(fileID))
	return r, nil
}

// FetchOnce sends the configured retrieval request once, without polling, redirects or
// download. With astray it uses a path that no gateway has.
func (c *Client) FetchOnce(
	ctx context.Context, fileID string, cred *deployment.Credential, astray bool,
) *Exchange {
	r, err := c.newFileRetrieval("fetch the file once", fileID, cred)
	if err != nil {
		return c.unsentExchange(&r.request, 1, &Trouble{Kind: TroubleUnsendable, Detail: err.Detail})
	}
	if astray {
		r.at.Path = strings.Replace(r.at.Path, "/"+fileID, "-gateassay-no-such/"+fileID, 1)
		r.at.RawPath = ""
	}
	return r.sendHop(ctx, r.request, r.at, true, true)
}

// FetchWithoutPolling requests the file once and follows redirects and the download address. It
// sends the credential only to the origin of base_url. It returns all exchanges, the last
// answer, and whether that came from another address than the first.
func (c *Client) FetchWithoutPolling(
	ctx context.Context, fileID string, cred *deployment.Credential,
) (hops []*Exchange, x *Exchange, elsewhere bool) {
	r, err := c.newFileRetrieval("fetch the file as somebody else", fileID, cred)
	if err != nil {
		why := &Trouble{Kind: TroubleUnsendable, Detail: err.Detail}
		return nil, c.unsentExchange(&r.request, 1, why), false
	}
	x, at := r.followRedirects(ctx, r.request, r.at, true)
	if x.IsSuccess() {
		_, text, _ := r.findDownloadAddress(x)
		if target := resolveURL(at, text); target != nil {
			x, _ = r.openDownload(ctx, target)
			return r.hops, x, true
		}
	}
	return r.hops, x, at != r.at
}

// FetchDownload requests the address that a file came from, with a credential or, if it is nil,
// without one. It follows no redirects. It returns nil for an address on another origin, or one
// that is itself a secret: whoever knows it may read the file.
func (c *Client) FetchDownload(
	ctx context.Context, fileID string, f ExportFile, cred *deployment.Credential,
) *Exchange {
	r, err := c.newFileRetrieval("download the file as somebody else", fileID, cred)
	if err != nil || f.Download == nil || !r.isOwnOrigin(f.Download) ||
		redact.IsPresigned(f.Download) ||
		secretPattern.MatchString(strings.ReplaceAll(f.Download.RequestURI(), fileID, "")) {
		return nil
	}
	r.request.Method = http.MethodGet
	return r.sendHop(ctx, r.request, f.Download, true, true)
}

// secretPattern matches an unguessable part of an address, such as a signature: long, with digits.
var secretPattern = regexp.MustCompile(`[A-Za-z_-]*[0-9][0-9A-Za-z_-]{15,}`)

// findDownloadAddress returns a JSON answer and the download address in it.
func (r *fileRetrieval) findDownloadAddress(x *Exchange) (doc any, address string, found bool) {
	if json.Unmarshal(x.Body, &doc) != nil || r.conf.URL == "" {
		return doc, "", false
	}
	v, found := exactjson.LookupPointer(doc, r.conf.URL)
	address, _ = v.(string)
	return doc, address, found
}

// sendHop sends one request of the retrieval. Without own it sends neither the credential nor
// configured headers. Identifiers are fresh each time.
func (r *fileRetrieval) sendHop(
	ctx context.Context, q Request, u *url.URL, own, authorized bool,
) *Exchange {
	q.at, q.file, q.Header = u, r.file, http.Header{}
	if own {
		for name, v := range r.conf.Headers {
			if strings.Contains(v, "{uuid}") {
				v = strings.ReplaceAll(v, "{uuid}", uuid.NewString())
				q.FreshHeaders = append(q.FreshHeaders, name)
			}
			q.Header[name] = []string{v}
		}
		if authorized {
			q.Credential = r.cred
		}
	}
	x := r.c.SendOnce(ctx, &q)
	r.queued += x.Queued
	r.hops = append(r.hops, x)
	return x
}

// followRedirects sends a request and follows redirects. After a redirect to another origin it
// sends no credential and no configured header, even if a later redirect leads back. It returns
// the last answer and its address.
func (r *fileRetrieval) followRedirects(
	ctx context.Context, q Request, u *url.URL, authorized bool,
) (*Exchange, *url.URL) {
	own := true
	for range maxRedirects {
		own = own && r.isOwnOrigin(u)
		x := r.sendHop(ctx, q, u, own, authorized)
		to := resolveURL(u, x.Header.Get("Location"))
		if to == nil || !slices.Contains([]int{301, 302, 303, 307, 308}, x.Status) {
			return x, u
		}
		r.c.redactor.AddPresignedAddress(to)
		if x.Status == http.StatusSeeOther ||
			x.Status < http.StatusSeeOther && q.Method == http.MethodPost {
			q.Method = http.MethodGet
		}
		u, authorized = to, authorized && !redact.IsPresigned(to)
	}
	return r.c.unsentExchange(&q, 1, &Trouble{
		Kind: TroubleNotHTTP, Detail: fmt.Sprintf("more than %d redirects", maxRedirects),
	}), u
}

// openDownload requests a download address. It sends the credential only to the gateway's own
// origin, and not to presigned addresses. If the gateway refuses that, it tries the other way
// once.
func (r *fileRetrieval) openDownload(ctx context.Context, target *url.URL) (*Exchange, *url.URL) {
	r.c.redactor.AddPresignedAddress(target)
	own := r.isOwnOrigin(target)
	authorized := own && !redact.IsPresigned(target)
	q := r.request
	q.Label, q.Method = downloadLabel, http.MethodGet
	x, at := r.followRedirects(ctx, q, target, authorized)
	if own && r.cred != nil && x.IsClientError() && x.Status != http.StatusTooManyRequests {
		if other, from := r.followRedirects(ctx, q, target, !authorized); other.IsSuccess() {
			return other, from
		}
	}
	return x, at
}

// resolveURL resolves a reference against a URL. It returns nil unless the result is an http or
// https URL.
func resolveURL(from *url.URL, text string) *url.URL {
	text = strings.TrimSpace(text)
	to, err := from.Parse(text)
	if text == "" || err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return nil
	}
	if host, err := httpguts.PunycodeHostPort(to.Host); err == nil {
		to.Host = host // as it is sent and recorded
	}
	return to
}

// isOwnOrigin reports whether a URL has the scheme, host and port of base_url.
func (r *fileRetrieval) isOwnOrigin(u *url.URL) bool { return originOf(u) == originOf(r.c.base) }

func originOf(u *url.URL) string { return strings.ToLower(u.Scheme) + "://" + hostPort(u) }

// hostPort returns the host and port of a URL, in lower case.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// fileStateText formats a state as the lists in the deployment file do.
func fileStateText(v any) string {
	if s, is := v.(string); is {
		return s
	}
	b, _ := json.Marshal(v) // it was read from JSON
	return string(b)
}
