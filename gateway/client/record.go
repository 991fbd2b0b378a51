package client

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// record fills in what may be written of an exchange.
func (c *Client) record(k *call, x *Exchange) {
	r := &x.Recorded
	red := c.redactor
	r.Method = k.method
	r.URL = red.address(k.url)
	r.RequestHeader = k.req.Altered.shown(red.header(k.header))
	request := red.body(k.req.Body)
	requestNote := ""
	r.RequestBody, requestNote = capped(request, "request")
	r.ResponseHeader = red.header(r.ResponseHeader)
	answerNote := ""
	r.ResponseBody, answerNote = c.recordAnswer(x, r.ResponseHeader)
	r.Comment = join(requestNote, answerNote)
	r.template = c.curl(k, r, request, requestNote == "")
	r.fresh = k.identifiers()
	r.Curl = r.command(nil)
}

// shown puts what was done to a credential in place of its value.
func (a *Altered) shown(h http.Header) http.Header {
	if a == nil {
		return h
	}
	for name, values := range h {
		for i, v := range values {
			if kept, hidden := strings.CutSuffix(v, redacted); hidden && secretHeader(name) {
				values[i] = kept + "[" + a.Says + "]"
			}
		}
	}
	return h
}

// recordAnswer redacts the body of an answer. Of a file only the first line stays: the rest is other people's data.
func (c *Client) recordAnswer(x *Exchange, h http.Header) ([]byte, string) {
	body, note := x.Body, ""
	if x.Operation == File && len(body) > 0 && !looksJSON(body) {
		return c.recordFile(x)
	}
	if plain, ok := gunzipped(body, maxAnswer); ok {
		body, note = plain, fmt.Sprintf("decompressed, %d bytes as received", len(x.Body))
	}
	if x.Cut {
		// The cut may have gone through the middle of a secret, which would not be recognised.
		body = body[:max(0, len(body)-c.redactor.longestValue())]
		note = join(note, fmt.Sprintf("the answer is longer than the %d bytes that were read", len(x.Body)))
	}
	if bytes.IndexByte(body, 0) >= 0 || compressed(h) && note == "" {
		return nil, fmt.Sprintf("%d bytes of binary data, sha256 %x, left out", len(x.Body), sha256.Sum256(x.Body))
	}
	body, short := capped(c.redactor.bodyOf(body, x.Operation != Export && x.Operation != File), "answer")
	return body, join(note, short)
}

func (c *Client) recordFile(x *Exchange) ([]byte, string) {
	note := fmt.Sprintf("%d bytes, sha256 %x", len(x.Body), sha256.Sum256(x.Body))
	if !utf8.Valid(x.Body[:min(len(x.Body), 4096)&^3]) && bytes.IndexByte(x.Body, 0) >= 0 {
		return nil, note + ", all left out"
	}
	first, rest, _ := bytes.Cut(x.Body, []byte("\n"))
	if compressedBytes(first) || len(first) > 4096 || bytes.IndexByte(first, 0) >= 0 {
		return nil, note + ", all left out"
	}
	lines := bytes.Count(rest, []byte("\n"))
	if len(rest) > 0 && rest[len(rest)-1] != '\n' {
		lines++
	}
	return c.redactor.body(bytes.TrimSuffix(first, []byte("\r"))), fmt.Sprintf("%s, %d lines left out", note, lines)
}

func (r *Redactor) longestValue() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.needles.longest
}

// capped bounds what is kept of a redacted body.
func capped(b []byte, what string) ([]byte, string) {
	if len(b) <= maxRecorded {
		return b, ""
	}
	cut := maxRecorded
	for cut > maxRecorded-utf8.UTFMax && !utf8.RuneStart(b[cut]) {
		cut--
	}
	return append([]byte(nil), b[:cut]...), fmt.Sprintf("the first %d of %d bytes of the %s", cut, len(b), what)
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

func compressed(h http.Header) bool {
	e := strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding")))
	return e != "" && e != "identity"
}

func compressedBytes(b []byte) bool { return len(b) > 2 && b[0] == 0x1f && b[1] == 0x8b }

// gunzipped is the plain text of a gzip body, at most limit bytes of it.
func gunzipped(b []byte, limit int64) ([]byte, bool) {
	if !compressedBytes(b) {
		return nil, false
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, false
	}
	plain, err := io.ReadAll(io.LimitReader(z, limit))
	return plain, err == nil || len(plain) > 0
}

// looksJSON tells a body that is a JSON object or array.
func looksJSON(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && (b[0] == '{' || b[0] == '[') && json.Valid(b)
}

// topLevelID is the string "id" of a JSON object, or "".
func topLevelID(body []byte) string {
	var object struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(body, &object) != nil {
		return ""
	}
	id, _ := object.ID.(string)
	return id
}

// leaks names the credentials that the answer repeats: in full, or the signature of a JWT.
func (c *Client) leaks(x *Exchange) []string {
	var names []string
	body := x.Body
	if plain, ok := gunzipped(body, maxAnswer); ok {
		body = plain
	}
	c.eachCredential(func(cred *deployment.Credential, needle string) {
		if parts := strings.Split(needle, "."); len(parts) == 3 && len(parts[2]) >= 16 {
			needle = parts[2]
		}
		holds := len(needle) >= 4 && (bytes.Contains(body, []byte(needle)) || headerHolds(x.Recorded.ResponseHeader, needle))
		if holds && !slices.Contains(names, cred.Name) {
			names = append(names, cred.Name)
		}
	})
	return names
}

// eachCredential calls visit for every credential with each value that it has had.
func (c *Client) eachCredential(visit func(cred *deployment.Credential, value string)) {
	for _, cred := range c.dep.Identities() {
		if cred.Value != "" && cred.Issuer == nil {
			visit(cred, cred.Value)
		}
	}
	c.issued.Range(func(value, cred any) bool {
		visit(cred.(*deployment.Credential), value.(string))
		return true
	})
}

func headerHolds(h http.Header, needle string) bool {
	for name, values := range h {
		if strings.Contains(name, needle) || strings.Contains(strings.Join(values, "\n"), needle) {
			return true
		}
	}
	return false
}
