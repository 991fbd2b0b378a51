// Package curl renders requests as shell commands that repeat them: credentials are shell variables, fresh identifiers
// are drawn anew, personal data stays replaced.
package curl

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/redact"
)

// Longer bodies are not put on a command line: one argument holds 128 KiB at most, and a person reads this.
const longestInline = 32 << 10

// Request is what a command repeats.
type Request struct {
	Method  string
	URL     string      // redacted
	Query   url.Values  // as it was sent
	Header  http.Header // as it was sent
	Fresh   []string    // headers whose value is a fresh UUID v4
	Body    []byte      // redacted
	Size    int         // bytes of the body that was sent
	Altered string      // what Header holds in place of a credential on purpose: "an unsigned token"
	TLS     deployment.TLS
	Proxy   string

	Redactor   *redact.Redactor
	Credential func(value string) *deployment.Credential // the credential of a value; nil: it is none
}

// Command repeats a request.
type Command struct {
	text  string   // with the identifiers that were sent
	fresh []string // those identifiers
}

// Of is the command that repeats a request.
func Of(r Request) Command {
	var note string
	args := []string{"curl -sS -i"}
	flag := func(set bool, text string) {
		if set {
			args[0] += " " + text
		}
	}
	flag(r.TLS.InsecureSkipVerify, "--insecure")
	flag(strings.ContainsAny(r.URL, "[]{}"), "--globoff")
	flag(strings.Contains(r.URL, "/."), "--path-as-is")
	flag(r.Method == http.MethodHead, "--head")
	flag(r.Method != http.MethodHead, "-X "+single(r.Method))
	flag(true, r.address())
	option := func(set bool, text string) {
		if set {
			args = append(args, text)
		}
	}
	option(r.TLS.CAFile != "", "--cacert "+single(r.TLS.CAFile))
	option(r.TLS.ClientCert != "", "--cert "+single(r.TLS.ClientCert)+" --key "+single(r.TLS.ClientKey))
	option(r.Proxy != "", "--proxy "+single(r.Redactor.Text(r.Proxy)))
	args = append(args, r.headers()...)
	switch {
	case len(r.Body) == 0:
		option(len(r.Header["Content-Length"]) == 0 && r.Method == http.MethodPost, "-H 'Content-Length: 0'")
	case text(r.Body) && len(r.Body) <= longestInline:
		args = append(args, "--data-raw "+single(string(r.Body)))
	default:
		note = fmt.Sprintf("# the body of %d bytes is too long or binary: put it into body.bin\n", r.Size)
		args = append(args, "--data-binary @body.bin")
	}
	command := strings.Join(args, " \\\n  ")
	if r.Altered != "" && strings.Contains(command, "$"+Altered) {
		note = "# put " + r.Altered + " into " + Altered + "\n" + note
	}
	return Command{note + command, r.identifiers()}
}

// UUID draws an identifier in a shell that knows the function below: minimal systems have no uuidgen, and those without
// /proc do.
const (
	UUID    = "$(uuid4)"
	drawing = "uuid4() { uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid; }\n"
)

// drawn is a script with the function that it calls before it.
func drawn(script string) string {
	if strings.Contains(script, UUID) {
		return drawing + script
	}
	return script
}

// Text is the command with identifiers drawn anew.
func (c Command) Text() string { return drawn(c.with(nil)) }

// with is the command with identifiers taken from a shell variable where names has one, else drawn anew.
func (c Command) with(names map[string]string) string {
	text := c.text
	for _, id := range c.fresh {
		draw := UUID
		if name := names[id]; name != "" {
			draw = "$" + name
		}
		text = strings.ReplaceAll(text, id, draw)
	}
	return text
}

// Same reports whether two commands are the same request, identifiers included.
func (c Command) Same(other Command) bool { return c.text == other.text }

var version4 = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// fresh reports whether a header's value is a fresh identifier. What is not a UUID v4 was sent on purpose: drawing it
// anew would repeat another request.
func (r *Request) fresh(name, value string) bool {
	named := func(f string) bool { return strings.EqualFold(f, name) }
	return version4.MatchString(value) && slices.ContainsFunc(r.Fresh, named)
}

// address names the variables of credentials that the query holds.
func (r *Request) address() string {
	text := single(r.URL)
	for name, values := range r.Query {
		for _, v := range values {
			if cred := r.Credential(v); cred != nil {
				at := url.QueryEscape(name) + "="
				hidden := regexp.MustCompile(regexp.QuoteMeta(at) + "[^&']*")
				text = hidden.ReplaceAllLiteralString(text, at+`'"$`+Variable(cred)+`"'`)
			}
		}
	}
	return text
}

// identifiers lists the fresh identifiers that the request carries in its headers.
func (r *Request) identifiers() (values []string) {
	for name, sent := range r.Header {
		if len(sent) == 1 && r.fresh(name, sent[0]) && !slices.Contains(values, sent[0]) {
			values = append(values, sent[0])
		}
	}
	return values
}

func (r *Request) headers() (args []string) {
	names := slices.SortedFunc(maps.Keys(r.Header), func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
	})
	for _, name := range names {
		for _, v := range r.Header[name] {
			args = append(args, "-H "+r.header(name, v))
		}
	}
	typed := slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, "Content-Type") })
	if !typed && r.Size > 0 {
		args = append(args, "-H 'Content-Type:'") // curl would send one of its own
	}
	return args
}

func (r *Request) header(name, v string) string {
	clean := r.Redactor.Text(name)
	if r.fresh(name, v) {
		return `"` + double(clean) + ": " + v + `"`
	}
	if redact.SecretHeader(name) {
		scheme, rest, spaced := strings.Cut(v, " ")
		if !spaced || !strings.EqualFold(name, "Authorization") {
			scheme, rest = "", v
		}
		if cred := r.Credential(rest); cred != nil && (scheme == "" || redact.AuthScheme(scheme)) {
			return `"` + double(clean+": "+strings.TrimPrefix(scheme+" ", " ")) + "$" + Variable(cred) + `"`
		}
	}
	if v = r.Redactor.HeaderValue(name, v); v == "" {
		return single(clean + ";") // with a colon, curl would leave the header out
	}
	if kept, hidden := strings.CutSuffix(v, redact.Mark); hidden && redact.SecretHeader(name) {
		return `"` + double(clean+": "+kept) + "$" + Altered + `"`
	}
	return single(clean + ": " + v)
}

// Altered is the environment variable that stands for what was sent in place of a credential: a token changed on
// purpose, a key that nobody has.
const Altered = "GATEWAY_ALTERED_CREDENTIAL"

// Variable is the environment variable that stands for a credential: GATEWAY_TOKEN and GATEWAY_API_KEY for the two
// documented methods, GATEWAY_<NAME>_TOKEN or GATEWAY_<NAME>_KEY for the others.
func Variable(cred *deployment.Credential) string {
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

func text(b []byte) bool { return utf8.Valid(b) && strings.IndexByte(string(b), 0) < 0 }
