package client

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/curl"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/redact"
)

// record fills in what may be written of an exchange.
func (c *Client) record(k *call, x *Exchange) {
	r := &x.Recorded
	red := c.redactor
	r.Method = k.method
	r.URL = red.Address(k.url)
	r.RequestHeader = shown(red.Header(k.header), k.req.Altered)
	request := red.Body(k.req.Body)
	kept, short := redact.CutTo(request, maxRecorded)
	if r.RequestBody = kept; short {
		r.Comment = fmt.Sprintf("the first %d of %d bytes of the request, sha256 %x", len(kept), len(request),
			sha256.Sum256(k.req.Body))
	}
	r.ResponseHeader = red.Header(shortened(r.ResponseHeader, red.Longest()))
	answer, note := c.recordAnswer(x)
	r.ResponseBody, r.Comment = answer, join(r.Comment, note)
	r.command = curl.Of(curl.Request{
		Method: k.method, URL: r.URL, Query: k.req.Query, Host: k.host, Header: k.header, Fresh: k.req.Fresh, Body: request,
		Size: len(k.req.Body), Whole: !short, Altered: k.req.Altered, TLS: c.dep.TLS, Proxy: c.dep.Proxy,
		Redactor: red, Credential: c.owner,
	})
}

// shown puts what was sent in place of a credential where its value was.
func shown(h http.Header, altered string) http.Header {
	for name, values := range h {
		for i, v := range values {
			if kept, hidden := strings.CutSuffix(v, redact.Mark); altered != "" && hidden && redact.SecretHeader(name) {
				values[i] = kept + "[" + altered + "]"
			}
		}
	}
	return h
}

const longestHeader = 4 << 10 // bytes of one that are recorded

// shortened cuts long headers of an answer. A credential that a cut goes through would not be recognised: so much is
// left out before it.
func shortened(h http.Header, longest int) http.Header {
	short := make(http.Header, len(h))
	for name, values := range h {
		for _, v := range values {
			if len(v) > longestHeader {
				v = fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(v[:max(0, longestHeader-longest)], ""), len(v))
			}
			short[name] = append(short[name], v)
		}
	}
	return short
}

// recordAnswer redacts the body of an answer. Of a file only the first line stays: the rest is other people's data.
func (c *Client) recordAnswer(x *Exchange) (kept []byte, note string) {
	body := x.Body
	if x.Operation == File && len(body) > 0 && !looksJSON(body) {
		return c.recordFile(x)
	}
	if bytes.IndexByte(body, 0) >= 0 || gzipped(body) || x.Err != nil && x.Err.Kind == Coded {
		return nil, fmt.Sprintf("%d bytes of binary data, sha256 %x, left out", len(body), sha256.Sum256(body))
	}
	if x.Size != int64(len(body)) && !x.Cut {
		note = fmt.Sprintf("decompressed, %d bytes as received", x.Size)
	}
	if x.Cut {
		// The cut may have gone through the middle of a secret, which would not be recognised.
		body = body[:max(0, len(body)-c.redactor.Longest())]
		note = join(note, fmt.Sprintf("the answer is longer than the %d bytes that were read", len(x.Body)))
	}
	kept, short := c.redactor.Beginning(body, maxRecorded, x.Operation != Export && x.Operation != File)
	if short {
		note = join(note, fmt.Sprintf("the first %d of %d bytes of the answer, sha256 %x", len(kept), len(body), sha256.Sum256(body)))
	}
	return kept, note
}

func (c *Client) recordFile(x *Exchange) ([]byte, string) {
	note := fmt.Sprintf("%d bytes", x.Size)
	if x.Cut {
		note = "the first " + note
	}
	first, _, _ := bytes.Cut(x.Body, []byte("\n"))
	if gzipped(first) || len(first) > 4096 || bytes.IndexByte(x.Body[:min(len(x.Body), 4096)], 0) >= 0 {
		return nil, note + ", all left out"
	}
	return c.redactor.Body(bytes.TrimSuffix(first, []byte("\r"))), note + ", all but the first line left out"
}

// maxRecorded bounds what is kept of a body.
const maxRecorded = 16 << 10

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// looksJSON reports whether a body is a JSON object or array.
func looksJSON(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && (b[0] == '{' || b[0] == '[') && json.Valid(b)
}

// leaks names the credentials that the answer repeats: in full, or the signature of a JWT.
func (c *Client) leaks(x *Exchange) (names []string) {
	text := x.Body
	for name, values := range x.Recorded.ResponseHeader {
		text = slices.Concat(text, []byte("\n"+name+": "+strings.Join(values, "\n")))
	}
	c.secrets.Range(func(value, cred any) bool {
		name := cred.(*deployment.Credential).Name
		if tell := telling(value.(string)); tell != "" && bytes.Contains(text, []byte(tell)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
		return true
	})
	slices.Sort(names)
	return names
}

// telling is what gives a credential away: all of it, or the signature of a JWT; nothing where that is too short.
func telling(value string) string {
	if parts := strings.Split(value, "."); len(parts) == 3 && len(parts[2]) >= 16 {
		return parts[2]
	}
	if len(value) < 4 {
		return ""
	}
	return value
}

// owner is the credential of a value; nil: it is none.
func (c *Client) owner(value string) *deployment.Credential {
	cred, _ := c.secrets.Load(value)
	known, _ := cred.(*deployment.Credential)
	return known
}
