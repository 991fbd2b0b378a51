package client

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/redact"
)

// Longer bodies are not put on a command line: one argument holds 128 KiB at most, and a person reads this.
const (
	longestInline = 32 << 10
	longestBinary = 4 << 10
)

// curl is a command that repeats the request: credentials are shell variables, fresh identifiers are drawn anew.
// whole says that the recorded body was not shortened.
func (c *Client) curl(k *call, r *Recorded, body []byte, whole bool) string {
	var note, before string
	args := []string{"curl -sS -i"}
	if c.dep.TLS.InsecureSkipVerify {
		args[0] += " --insecure"
	}
	if strings.ContainsAny(r.URL, "[]{}") {
		args[0] += " --globoff"
	}
	if strings.Contains(r.URL, "/.") {
		args[0] += " --path-as-is"
	}
	if k.method == http.MethodHead {
		args[0] += " --head"
	} else {
		args[0] += " -X " + single(k.method)
	}
	args[0] += " " + single(r.URL)
	if c.dep.TLS.CAFile != "" {
		args = append(args, "--cacert "+single(c.dep.TLS.CAFile))
	}
	if t := c.dep.TLS; t.ClientCert != "" {
		args = append(args, "--cert "+single(t.ClientCert)+" --key "+single(t.ClientKey))
	}
	if c.dep.Proxy != "" {
		args = append(args, "--proxy "+single(c.redactor.Text(c.dep.Proxy)))
	}
	if k.host != "" {
		args = append(args, "-H "+single("Host: "+c.redactor.Text(k.host)))
	}
	args = append(args, c.curlHeaders(k)...)
	switch {
	case len(body) == 0:
		if len(k.header["Content-Length"]) == 0 && k.method == http.MethodPost {
			args = append(args, "-H 'Content-Length: 0'")
		}
	case text(body) && len(body) <= longestInline:
		args = append(args, "--data-raw "+single(string(body)))
	case whole && len(body) <= longestBinary:
		before = "printf " + octal(body) + " | "
		args = append(args, "--data-binary @-")
	default:
		note = fmt.Sprintf("# the body of %d bytes is too long or binary: put it into body.bin\n", len(k.req.Body))
		args = append(args, "--data-binary @body.bin")
	}
	if a := k.req.Altered; a != nil && a.Before != "" {
		note = a.Before + "\n" + note
	}
	return note + before + strings.Join(args, " \\\n  ")
}

func (c *Client) curlHeaders(k *call) []string {
	names := make([]string, 0, len(k.header))
	typed := false
	for n := range k.header {
		names = append(names, n)
		typed = typed || strings.EqualFold(n, "Content-Type")
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := strings.ToLower(names[i]), strings.ToLower(names[j])
		return a < b || a == b && names[i] < names[j]
	})
	var args []string
	for _, n := range names {
		for _, v := range k.header[n] {
			args = append(args, "-H "+c.curlHeader(k, n, v))
		}
	}
	if !typed && len(k.req.Body) > 0 {
		args = append(args, "-H 'Content-Type:'") // curl would send one of its own
	}
	return args
}

func (c *Client) curlHeader(k *call, name, v string) string {
	clean := c.redactor.Text(name)
	for _, f := range k.req.Fresh {
		// What is no UUID v4 was sent on purpose: drawing it anew would repeat another request.
		if strings.EqualFold(f, name) && version4.MatchString(v) {
			return `"` + double(clean) + ": " + v + `"`
		}
	}
	if redact.SecretHeader(name) {
		scheme, rest, spaced := strings.Cut(v, " ")
		if !spaced || !strings.EqualFold(name, "Authorization") {
			scheme, rest = "", v
		}
		name := ""
		c.eachCredential(func(cred *deployment.Credential, value string) {
			if rest == value && name == "" {
				name = variable(cred)
			}
		})
		if name != "" && (scheme == "" || redact.AuthScheme(scheme)) {
			return `"` + double(clean+": "+strings.TrimPrefix(scheme+" ", " ")) + "$" + name + `"`
		}
	}
	if v = c.redactor.HeaderValue(name, v); v == "" {
		return single(clean + ";") // with a colon, curl would leave the header out
	}
	if kept, hidden := strings.CutSuffix(v, redact.Mark); hidden && redact.SecretHeader(name) {
		word := "$" + altered
		if a := k.req.Altered; a != nil {
			word = a.Word
		}
		return `"` + double(clean+": "+kept) + word + `"`
	}
	return single(clean + ": " + v)
}

// altered is the environment variable that stands for what was sent in place of a credential: a token changed on
// purpose, a key that nobody has.
const altered = "GATEWAY_ALTERED_CREDENTIAL"

// variable is the environment variable that stands for a credential: GATEWAY_TOKEN and GATEWAY_API_KEY for the two
// documented methods, GATEWAY_<NAME>_TOKEN or GATEWAY_<NAME>_KEY for the others.
func variable(cred *deployment.Credential) string {
	switch cred.Name {
	case "platform_token":
		return "GATEWAY_TOKEN"
	case "api_key":
		return "GATEWAY_API_KEY"
	}
	name := strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, strings.ToUpper(cred.Name))
	suffix := "_TOKEN"
	if cred.Method == deployment.APIKey {
		suffix = "_KEY"
	}
	return "GATEWAY_" + strings.TrimSuffix(name, suffix) + suffix
}

// single quotes s for a POSIX shell.
func single(s string) string {
	if s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// double escapes s for the inside of double quotes in a POSIX shell.
func double(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s)
}

// octal is an argument of printf that prints b, whatever is in it.
func octal(b []byte) string {
	var s strings.Builder
	s.WriteByte('\'')
	for _, c := range b {
		fmt.Fprintf(&s, `\%03o`, c)
	}
	s.WriteByte('\'')
	return s.String()
}

func text(b []byte) bool { return utf8.Valid(b) && strings.IndexByte(string(b), 0) < 0 }
