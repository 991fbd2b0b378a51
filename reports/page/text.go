package page

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
)

// prettyLimit is how long a body may be to be laid out anew; the page shows the beginning of a longer one anyway.
const prettyLimit = 64 << 10

// pretty lays JSON out in lines, members in the order received; other texts stay as they are. A line in square brackets
// at the end, what the recording has to say about a body, is kept.
func pretty(s string) string {
	if i := strings.LastIndex(s, "\n["); i > 0 && strings.HasSuffix(s, "]") &&
		i <= prettyLimit && json.Valid([]byte(s[:i])) {
		return pretty(s[:i]) + s[i:]
	}
	if len(s) > prettyLimit || !json.Valid([]byte(s)) {
		return s
	}
	var out bytes.Buffer
	if json.Indent(&out, []byte(strings.TrimSpace(s)), "", "  ") != nil || out.Len() > 4*prettyLimit {
		return s // deep nesting: the indentation alone would outgrow the text
	}
	return out.String()
}

// field is one header line.
type field struct{ Name, Value string }

// fields splits a head into its lines; a line without a colon has no name.
func fields(head string) []field {
	var found []field
	for line := range strings.SplitSeq(printable.CleanLines(head), "\n") {
		name, value, ok := strings.Cut(line, ": ")
		switch {
		case ok:
			found = append(found, field{name + ":", value})
		case line != "":
			found = append(found, field{"", line})
		}
	}
	return found
}

// class groups answers by what they mean for a reader: 2xx, 3xx, 4xx, throttled (429), 5xx or none.
func class(status int) string {
	if status == http.StatusTooManyRequests {
		return "throttled"
	}
	if status < 100 || status > 599 {
		return "none"
	}
	return string(rune('0'+status/100)) + "xx"
}

// part is a head and a body: one side of an exchange, with the field that is looked for.
type part struct{ Head, Body, Field string }

// near is an address without its scheme and host, which are the same throughout a run.
func near(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Path == "" {
		return address
	}
	u.Scheme, u.Host, u.User = "", "", nil
	return u.String()
}
