package deployment

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // time zones must work on machines and in images without a zone database
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"golang.org/x/net/http/httpguts"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/strictyaml"
)

// texts are what the texts of a deployment file must satisfy, by the formats that the tags of its structs name.
func texts() map[string]strictyaml.Text {
	all := map[string]strictyaml.Text{
		"hour": strictyaml.Timeout(time.Hour), "day": strictyaml.Timeout(24 * time.Hour), "positive": strictyaml.Timeout(0),
	}
	for name, test := range map[string]func(string) *strictyaml.Mismatch{
		"name": isName, "line": isLine, "part": isPart, "base_url": isBaseURL, "retrieval": isRetrieval,
		"pointer": isPointer, "rule": isRulePattern, "credential": isCredential, "header": isHeader,
		"typed_field":    isTypedField,
		"path":           func(s string) *strictyaml.Mismatch { return pathWith(s, "") },
		"documents_path": func(s string) *strictyaml.Mismatch { return pathWith(s, "{id}") },
		"create_header": headerBeside("a header of its own", "this name already has another meaning in requests",
			"authorization", "x-api-key", "x-product-uuid", "content-type", "content-length", "host", "accept",
			"connection", "transfer-encoding"),
		"extra_header": headerBeside("a header that requests do not already have", "credentials go under credentials",
			"authorization", "x-api-key", "content-type", "content-length", "host", "accept", "connection",
			"transfer-encoding", "nonce", "x-transaction-uuid", "x-lang", "x-wallet-uuid", "x-product-uuid",
			"x-product-target-user-uuid", "x-include-replay-protection-schema"),
		"form_value": expecting("text without NUL", false, func(s string) bool { return !strings.ContainsRune(s, 0) }),
		"header_value": expecting("a header's value: one line without control characters or white space around it",
			false, func(s string) bool { return httpguts.ValidHeaderFieldValue(s) && strings.TrimSpace(s) == s }),
		"time_zone":  expecting("an IANA time zone, such as UTC or America/Sao_Paulo", false, isTimeZone),
		"uuid":       expecting("a UUID, such as 7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b01", false, isUUID),
		"field_type": expecting("number or string", false, func(s string) bool { return s == "number" || s == "string" }),
		"field_path": expecting("JSON names joined by dots, such as document.number", false, isFieldPath),
		"proxy":      expecting("the address of a proxy, such as http://proxy.example:3128", true, isProxy),
		"token_url": expecting("the address of a token endpoint, such as https://login.example/token",
			true, isTokenURL),
	} {
		all[name] = strictyaml.Check(test)
	}
	return all
}

// expecting makes a test of a condition. What a text that must be concealed holds is never shown.
func expecting(what string, conceal bool, holds func(string) bool) func(string) *strictyaml.Mismatch {
	return func(s string) *strictyaml.Mismatch {
		if holds(s) {
			return nil
		}
		return &strictyaml.Mismatch{Expected: what, Conceal: conceal}
	}
}

func isName(s string) *strictyaml.Mismatch {
	if len([]rune(s)) > 100 {
		return &strictyaml.Mismatch{Expected: "a name of at most 100 characters"}
	}
	return isLine(s)
}

// isLine accepts one line of printable text.
func isLine(s string) *strictyaml.Mismatch {
	if strings.TrimSpace(s) != s {
		return &strictyaml.Mismatch{Expected: "text without white space around it"}
	}
	if strings.IndexFunc(s, unicode.IsControl) >= 0 {
		return &strictyaml.Mismatch{Expected: "one line without control characters"}
	}
	return nil
}

// isTypedField accepts a field whose JSON type the document leaves open; the address is an object.
func isTypedField(s string) *strictyaml.Mismatch {
	if s != "address" && slices.Contains(LogicalFields(), s) {
		return nil
	}
	return &strictyaml.Mismatch{Expected: "a name of fields other than address", Hint: "the fields are " + strictyaml.List(LogicalFields())}
}

func isPart(s string) *strictyaml.Mismatch {
	if c := isLine(s); c != nil {
		return c
	}
	if s == "" || strings.ContainsAny(s, `"\`) {
		return &strictyaml.Mismatch{Expected: "the name of a form field, without quotes and backslashes"}
	}
	return nil
}

func isUUID(s string) bool {
	_, err := uuid.Parse(s)
	return len(s) == 36 && err == nil
}

func isBaseURL(s string) *strictyaml.Mismatch {
	u, err := url.Parse(s)
	switch {
	case strings.Contains(s, "@"):
		return &strictyaml.Mismatch{
			Expected: "an address without a user or password", Conceal: true,
			Hint: "credentials go under credentials",
		}
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.Opaque != "",
		isLine(s) != nil, strings.Contains(s, " "):
		return &strictyaml.Mismatch{Expected: "an address that begins with http:// or https://, followed by a host"}
	case strings.ContainsAny(s, "?#"):
		return &strictyaml.Mismatch{Expected: "an address without a query or fragment"}
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return &strictyaml.Mismatch{Expected: "a port between 1 and 65535"}
		}
	}
	return nil
}

var (
	placeholder = regexp.MustCompile(`\{[^{}]*\}`)
	method      = regexp.MustCompile(`^[A-Z]+$`)
)

// pathWith accepts the path of a request, relative to base_url, that holds the placeholder and no other.
func pathWith(s, wanted string) *strictyaml.Mismatch {
	expected, plain := "a path that begins with /", s
	if wanted != "" {
		expected, plain = expected+" and holds "+wanted, strings.ReplaceAll(s, wanted, "x")
	}
	hint := ""
	other := placeholder.FindString(plain)
	_, err := url.ParseRequestURI(plain)
	switch odd := func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }; {
	case !strings.Contains(s, wanted):
	case other != "":
		hint = fmt.Sprintf("%s is not filled in here; remove it", printable.Clean(other))
	case !strings.HasPrefix(plain, "/"), strings.HasPrefix(plain, "//"), strings.ContainsAny(plain, "{}#\\"),
		strings.IndexFunc(plain, odd) >= 0:
	case strings.Contains(plain, "?") && wanted != "{file_id}":
		hint = "remove the query"
	case err == nil:
		return nil
	}
	return &strictyaml.Mismatch{Expected: expected, Hint: hint}
}

func isRetrieval(s string) *strictyaml.Mismatch {
	verb, path, _ := strings.Cut(s, " ")
	c := pathWith(path, "{file_id}")
	if c == nil && !method.MatchString(verb) {
		c = &strictyaml.Mismatch{}
	}
	if c != nil {
		c.Expected = "METHOD /path with {file_id} in it, such as GET /v1/files/{file_id}"
	}
	return c
}

func isHeader(s string) *strictyaml.Mismatch {
	if !httpguts.ValidHeaderFieldName(s) {
		return &strictyaml.Mismatch{Expected: "the name of a header: letters, digits and hyphens"}
	}
	return nil
}

// headerBeside makes a test of a header name that is none of some others.
func headerBeside(expected, hint string, taken ...string) func(string) *strictyaml.Mismatch {
	return func(s string) *strictyaml.Mismatch {
		if slices.Contains(taken, strings.ToLower(s)) {
			return &strictyaml.Mismatch{Expected: expected, Hint: hint}
		}
		return isHeader(s)
	}
}

func isProxy(s string) bool {
	u, err := url.Parse(s)
	return isAddress(u, err) && (u.Path == "" || u.Path == "/") && isLine(s) == nil
}

// isAddress reports whether an address is one of http or https.
func isAddress(u *url.URL, err error) bool {
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

func isTokenURL(s string) bool {
	u, err := url.Parse(s)
	return isAddress(u, err) && u.User == nil && isLine(s) == nil
}

// isPointer accepts a JSON pointer (RFC 6901) below the root.
func isPointer(s string) *strictyaml.Mismatch {
	if s != "" && jsontext.Pointer(s).IsValid() {
		return nil
	}
	hint := ""
	if !strings.ContainsAny(s, "/~ ") {
		hint = "write /" + strings.ReplaceAll(s, ".", "/")
	}
	return &strictyaml.Mismatch{Expected: "a JSON pointer, which begins with / and writes ~ as ~0", Hint: hint}
}

func isTimeZone(s string) bool {
	_, err := time.LoadLocation(s)
	return err == nil && s != "Local"
}

func isFieldPath(s string) bool {
	odd := func(part string) bool { return part == "" || isLine(part) != nil }
	return !slices.ContainsFunc(strings.Split(s, "."), odd)
}

var rulePattern = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*(\.\*)?$`)

func isRulePattern(s string) *strictyaml.Mismatch {
	if !rulePattern.MatchString(s) || !strings.Contains(s, ".") {
		return &strictyaml.Mismatch{
			Expected: "the ID of a rule, or a prefix such as create.required.*",
			Hint:     "gateassay rules lists the IDs",
		}
	}
	return nil
}

// isCredential accepts what a header can carry unharmed. It never repeats the value.
func isCredential(s string) *strictyaml.Mismatch {
	odd := func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsGraphic(c) }
	if strings.IndexFunc(s, odd) < 0 {
		return nil
	}
	c := &strictyaml.Mismatch{Expected: "a credential without white space and control characters", Conceal: true}
	if len(s) > 7 && strings.EqualFold(s[:7], "bearer ") {
		c.Hint = "remove the word Bearer"
	}
	return c
}
