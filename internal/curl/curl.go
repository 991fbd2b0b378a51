// Package curl renders requests as shell commands that repeat them. Credentials become shell
// variables, identifiers are generated again, personal data stays replaced.
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
	"github.com/gateassay/gateassay/internal/redact"
)

// Longer bodies are not put on a command line: an argument holds at most 128 KiB, and people read
// the command.
const maxInlineBytes = 32 << 10

// Request is a request to repeat.
type Request struct {
	Label        string // short description; redacted
	Method       string
	URL          string      // redacted
	Query        url.Values  // as sent
	Header       http.Header // as sent
	FreshHeaders []string    // headers that hold a fresh UUID v4
	Body         []byte      // redacted
	Size         int         // bytes of the body as sent
	TLS          deployment.TLS
	Proxy        string
	// HOST:PORT to connect to; empty: that of the URL
	ConnectTo string

	Redactor   *redact.Redactor
	Credential func(value string) *deployment.Credential // returns the credential with a value, or nil
}

// maxScriptRequests is the maximum number of requests in a script.
const maxScriptRequests = 4

// Script returns shell commands that repeat the last of some requests, each after a line that
// describes it. Identifiers are generated again, once if several requests share one.
func Script(requests ...Request) string {
	requests = requests[max(0, len(requests)-maxScriptRequests):]
	times, draws := map[string]int{}, map[string]string{}
	for i := range requests {
		for _, id := range requests[i].freshIDs() {
			times[id]++
		}
	}
	var assigned string
	var commands []string
	for i := range requests {
		r := &requests[i]
		command := r.curlCommand()
		if len(requests) > 1 { // interactive zsh rejects comments
			command = "echo " + Quote(fmt.Sprintf("# %d. %s", i+1, r.Label)) + "\n" + command
		}
		for _, id := range r.freshIDs() {
			if draws[id] == "" {
				draws[id] = uuidExpression
				if times[id] > 1 {
					name := fmt.Sprintf("id%d", strings.Count(assigned, "\n")+1)
					assigned += name + "=" + uuidExpression + "\n"
					draws[id] = "$" + name
				}
			}
			command = strings.ReplaceAll(command, id, draws[id])
		}
		commands = append(commands, command)
	}
	return withUUIDFunction(assigned + strings.Join(commands, "\n\n"))
}

// curlCommand returns a command that repeats a request with the identifiers that were sent.
func (r *Request) curlCommand() string {
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
	flag(r.Method != http.MethodHead, "-X "+Quote(r.Method))
	flag(true, r.URLText().quote())
	option := func(set bool, text string) {
		if set {
			args = append(args, text)
		}
	}
	option(r.TLS.CAFile != "", "--cacert "+Quote(r.TLS.CAFile))
	option(r.TLS.ClientCert != "", "--cert "+Quote(r.TLS.ClientCert)+" --key "+Quote(r.TLS.ClientKey))
	option(r.ConnectTo != "", "--noproxy '*' --connect-to "+Quote("::"+r.ConnectTo))
	option(r.Proxy != "" && r.ConnectTo == "", "--proxy "+Quote(r.Redactor.Text(r.Proxy)))
	for _, header := range r.HeaderTexts() {
		args = append(args, "-H "+header.quote())
		for _, p := range header {
			if p.Expression != "" {
				note = "# put " + p.What + " into " + p.Variable + "\n"
			}
		}
	}
	switch {
	case len(r.Body) == 0:
		option(len(r.Header["Content-Length"]) == 0 && r.Method == http.MethodPost,
			"-H 'Content-Length: 0'")
	case isText(r.Body) && len(r.Body) <= maxInlineBytes:
		args = append(args, "--data-raw "+Quote(string(r.Body)))
	default:
		note += fmt.Sprintf("# the body of %d bytes is too long or binary: put it into body.bin\n", r.Size)
		args = append(args, "--data-binary @body.bin")
	}
	return note + strings.Join(args, " \\\n  ")
}

// uuidExpression generates an identifier with uuidFunction: minimal systems lack uuidgen, those
// without /proc have it.
const (
	uuidExpression = "$(uuid4)"
	uuidFunction   = "uuid4() { uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid; }\n"
)

// withUUIDFunction puts uuidFunction before a script that calls it.
func withUUIDFunction(script string) string {
	if strings.Contains(script, uuidExpression) {
		return uuidFunction + script
	}
	return script
}

var uuidV4Pattern = regexp.MustCompile(
	`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// isFreshID reports whether a header holds a fresh identifier. Anything but a UUID v4 was sent on
// purpose and must be repeated as is.
func (r *Request) isFreshID(name, value string) bool {
	named := func(f string) bool { return strings.EqualFold(f, name) }
	return uuidV4Pattern.MatchString(value) && slices.ContainsFunc(r.FreshHeaders, named)
}

// URLText returns the URL, with variables for credentials in its query.
func (r *Request) URLText() ShellText {
	address := ShellText{{Plain: r.URL}}
	for name, values := range r.Query {
		for _, v := range values {
			cred := r.Credential(v)
			if cred == nil {
				continue
			}
			hidden := regexp.MustCompile("([?&]" + regexp.QuoteMeta(url.QueryEscape(name)) + "=)[^&]+")
			for i := len(address) - 1; i >= 0; i-- {
				if at := hidden.FindStringSubmatchIndex(address[i].Plain); at != nil {
					before, after := address[i].Plain[:at[3]], address[i].Plain[at[1]:]
					address = slices.Replace(address, i, i+1, TextPart{Plain: before}, credentialPart(cred),
						TextPart{Plain: after})
				}
			}
		}
	}
	return address
}

// freshIDs returns the fresh identifiers in the request's headers.
func (r *Request) freshIDs() (values []string) {
	for _, name := range slices.Sorted(maps.Keys(r.Header)) { // scripts number them in this order
		sent := r.Header[name]
		if len(sent) == 1 && r.isFreshID(name, sent[0]) && !slices.Contains(values, sent[0]) {
			values = append(values, sent[0])
		}
	}
	return values
}

// HeaderTexts returns the header lines for curl's option -H.
func (r *Request) HeaderTexts() (lines []ShellText) {
	names := slices.SortedFunc(maps.Keys(r.Header), func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
	})
	for _, name := range names {
		for _, v := range r.Header[name] {
			lines = append(lines, r.headerText(name, v))
		}
	}
	typed := slices.ContainsFunc(names,
		func(name string) bool { return strings.EqualFold(name, "Content-Type") })
	if !typed && r.Size > 0 {
		lines = append(lines, ShellText{{Plain: "Content-Type:"}}) // curl would send its own
	}
	return lines
}

func (r *Request) headerText(name, v string) ShellText {
	clean := r.Redactor.Text(name)
	switch {
	case v == "":
		return ShellText{{Plain: clean + ";"}} // with a colon, curl would omit the header
	case r.isFreshID(name, v):
		return ShellText{{Plain: clean + ": "}, {Plain: v}} // a separate part, to be replaced
	case redact.IsSecretHeader(name):
		// the credential alone, or behind a scheme or the name of a cookie
		for _, lead := range []string{"", v[:strings.IndexAny(v, " =")+1]} {
			if cred := r.Credential(v[len(lead):]); cred != nil {
				return ShellText{{Plain: clean + ": " + lead}, credentialPart(cred)}
			}
		}
	}
	if v = r.Redactor.HeaderValue(name, v); strings.Contains(v, redact.Placeholder) {
		return ShellText{
			{Plain: clean + ": "},
			{Variable: "GATEWAY_HEADER_" + toEnvName(name), What: "the value of the header " + clean},
		}
	}
	return ShellText{{Plain: clean + ": " + v}}
}

func isText(b []byte) bool { return utf8.Valid(b) && strings.IndexByte(string(b), 0) < 0 }
