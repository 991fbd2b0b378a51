package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/contentcoding"
	"github.com/gateassay/gateassay/internal/curl"
	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/redact"
	"github.com/gateassay/gateassay/internal/reproscript"
)

// recordExchange fills in the record of an exchange.
func (c *Client) recordExchange(k *pendingRequest, x *Exchange) {
	r, sent, red := &x.Recorded, k.request, c.redactor
	r.Method = k.method
	r.URL = red.Address(k.url)
	r.RequestHeader = red.Header(k.header)
	cred := sent.Credential
	if cred != nil && cred.Edit != nil {
		name, value := credentialHeader(cred.Method, "["+cred.Name+"]")
		r.RequestHeader[name] = []string{value}
	}
	r.ResponseHeader = red.Header(r.ResponseHeader)
	request := red.Body(sent.Body)
	kept, short := redact.CopyPrefix(request, maxRecordedBytes)
	if r.RequestBody = kept; short {
		x.addComment("the first %d of %d bytes of the request", len(kept), len(request))
	}
	r.ResponseBody = c.redactAnswer(x)
	r.matters, r.sent = sent.RelevantFields, sent.Body
	r.details = strings.TrimPrefix(red.Text(sent.HeaderSummary+c.nameOfSender(sent)), ", ")
	r.step = reproscript.Step{Answer: r.ResponseBody, Drawn: sent.Drawn, Request: curl.Request{
		Label: red.Text(x.Label), Method: k.method, URL: r.URL, Query: sent.Query, Header: k.header,
		FreshHeaders: sent.FreshHeaders, Size: len(sent.Body), TLS: c.deployment.TLS,
		Proxy: c.deployment.Proxy, ConnectTo: c.deployment.Route.ConnectTo[hostPort(k.url)],
		Redactor: red,
		Credential: func(value string) *deployment.Credential {
			if cred != nil && cred.Value == value {
				return cred
			}
			return c.findCredential(value)
		},
	}}
}

// nameOfSender describes the sender of a request; "" stands for the main credential.
func (c *Client) nameOfSender(r *Request) string {
	switch {
	case r.Credential == nil:
		return ", without a credential"
	case r.Credential.Edit != nil:
		return ", " + r.Credential.Name
	case r.Credential != c.deployment.Credentials.Main():
		return ", credential " + r.Credential.Name
	}
	return ""
}

// Summary describes what is relevant of a request: its method and path, values of its redacted
// body, and other details. more adds dotted paths of body fields.
func (x *Exchange) Summary(more ...string) string {
	r := x.Recorded.step.Request
	path, _, _ := strings.Cut(r.URL, "?")
	if _, rest, absolute := strings.Cut(path, "://"); absolute {
		path = rest[max(0, strings.IndexByte(rest, '/')):]
	}
	parts := []string{r.Method + " " + path}
	for _, path := range append(slices.Clip(x.Recorded.matters), more...) {
		text := "absent"
		if value, given := x.SentValue(path); given {
			text = printable.TruncateToWidth(formatValue(value), maxShownChars)
		}
		if part := path + " " + text; !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	if x.Recorded.details != "" {
		parts = append(parts, x.Recorded.details)
	}
	text := strings.Join(parts, ", ")
	if r.Redactor != nil {
		text = r.Redactor.Text(text)
	}
	return text
}

// formatValue formats a JSON value for people. Text that cannot be mistaken for anything else
// has no quotes.
func formatValue(value any) string {
	shown, _ := json.Marshal(value) // the value was parsed from JSON
	if text, is := value.(string); is && unquotedPattern.MatchString(text) {
		return text
	}
	return string(shown)
}

var unquotedPattern = regexp.MustCompile(
	`^[0-9]{4}-[0-9]{2}-[0-9T:.Z+-]+$|^[A-Za-z_]+[A-Za-z0-9_.@+-]*$`)

// SentValue returns the value at a dotted path of a request's body, and whether there is one.
func (x *Exchange) SentValue(path string) (value any, given bool) {
	documents := exactjson.DecodeAll(x.RepeatStep().Request.Body)
	if len(documents) == 0 {
		return nil, false
	}
	return exactjson.LookupPath(documents[0], path)
}

// maxShownChars is the maximum length of a value in a summary, in characters.
const maxShownChars = 60

// RepeatStep returns the step of a script that sends the exchange's request again, with the
// people it made up. It works as long as the exchange is kept.
func (x *Exchange) RepeatStep() reproscript.Step {
	step := x.Recorded.step
	if red := step.Request.Redactor; red != nil {
		step.Request.Body = red.RemoveSecrets(x.Recorded.sent)
	}
	return step
}

// ShellScript returns a shell script that repeats exchanges. It skips those that were not kept.
func (c *Client) ShellScript(seqs ...int) string {
	var requests []curl.Request
	for _, seq := range seqs {
		if x := c.Exchange(seq); x != nil {
			request := x.Recorded.step.Request
			request.Body = c.redactor.Body(x.Recorded.sent)
			requests = append(requests, request)
		}
	}
	return curl.Script(requests...)
}

// addComment records why a body is left out or shortened.
func (x *Exchange) addComment(format string, args ...any) {
	x.Recorded.Comment = strings.TrimPrefix(x.Recorded.Comment+"; "+fmt.Sprintf(format, args...), "; ")
}

const (
	maxRecordedBytes = 16 << 10 // bytes that are kept of a body
	maxLineBytes     = 4 << 10  // bytes that are kept of a file's first line
)

// redactAnswer returns the redacted body of an answer. Of a file it keeps only the first line:
// the rest is other people's data.
func (c *Client) redactAnswer(x *Exchange) []byte {
	body := x.Body
	switch {
	case bytes.IndexByte(body, 0) >= 0 || contentcoding.IsGzip(body) ||
		x.Err != nil && x.Err.Kind == TroubleDecompression:
		x.addComment("%d bytes of binary data left out", x.Size)
		return nil
	case x.Operation == OperationFile && len(body) > 0 && !isJSONContainer(body):
		x.addComment("%d bytes, all but the first line left out", x.Size)
		if body, _, _ = bytes.Cut(body, []byte("\n")); len(body) > maxLineBytes {
			return nil
		}
		return c.redactor.Body(bytes.TrimSuffix(body, []byte("\r")))
	case x.cut:
		// The cut may split a secret, which would then not be recognised.
		body = body[:max(0, len(body)-c.redactor.MaxValueLength())]
		x.addComment("the answer is longer than the %d bytes that were read", len(x.Body))
	case x.Size != int64(len(body)):
		x.addComment("decompressed, %d bytes as received", x.Size)
	}
	kept, short := c.redactor.BodyPrefix(body, maxRecordedBytes,
		x.Operation != OperationExport && x.Operation != OperationFile)
	if short {
		x.addComment("the first %d of %d bytes of the answer", len(kept), len(body))
	}
	return kept
}

// isJSONContainer reports whether a body is a JSON object or array.
func isJSONContainer(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && (b[0] == '{' || b[0] == '[') && json.Valid(b)
}

// leakedCredentials names the credentials that the answer repeats, in full or as the signature of
// a JWT, and where: "api_key in the header X-Debug". Credentials in the query do not count: an
// error may quote the address.
func (c *Client) leakedCredentials(x *Exchange, query string) (leaks []string) {
	c.secrets.Range(func(value, cred any) bool {
		tell := secretPart(value.(string))
		if tell == "" || strings.Contains(query, url.QueryEscape(tell)) {
			return true
		}
		where := ""
		for name, values := range x.Recorded.ResponseHeader { // the last of several by name
			if strings.Contains(strings.Join(values, "\n"), tell) {
				where = max(where, " in the header "+name)
			}
		}
		if bytes.Contains(x.Body, []byte(tell)) {
			where = " in the body"
		}
		leak := cred.(*deployment.Credential).Name + where
		if where != "" && !slices.Contains(leaks, leak) {
			leaks = append(leaks, leak)
		}
		return true
	})
	slices.Sort(leaks)
	return leaks
}

// secretPart returns the part of a credential that must not leak: the signature of a JWT, or
// the whole value. It returns "" if that is too short to recognise.
func secretPart(value string) string {
	if parts := strings.Split(value, "."); len(parts) == 3 && len(parts[2]) >= 16 {
		return parts[2]
	}
	if len(value) < 4 {
		return ""
	}
	return value
}

// findCredential returns the credential with a value, or nil.
func (c *Client) findCredential(value string) *deployment.Credential {
	cred, _ := c.secrets.Load(value)
	known, _ := cred.(*deployment.Credential)
	return known
}
