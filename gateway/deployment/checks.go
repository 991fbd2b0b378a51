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

	"github.com/google/uuid"
	"golang.org/x/net/http/httpguts"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/strictyaml"
)

const uuidPattern = `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`

// checks are what texts of a deployment file must satisfy, by the tags of its structs.
func checks() map[string]strictyaml.Check {
	all := map[string]strictyaml.Check{
		"uuid":       {Type: "UUID", Pattern: uuidPattern, Test: isUUID},
		"field_type": {Type: "`number` or `string`", Pattern: "^(number|string)$", Test: isFieldType},
	}
	for name, test := range map[string]func(string) *strictyaml.Mismatch{
		"name": isName, "line": isLine, "part": isPart, "form_value": isFormValue, "base_url": isBaseURL,
		"path":           isPath,
		"documents_path": isDocumentsPath, "retrieval": isRetrieval, "header": isHeader,
		"create_header": isCreateHeader,
		"header_value":  isHeaderValue, "pointer": isPointer, "time_zone": isTimeZone, "field_path": isFieldPath,
		"extra_header": isExtraHeader, "proxy": isProxy, "token_url": isTokenURL,
		"rule": isRulePattern, "credential": isCredential,
	} {
		all[name] = strictyaml.Check{Test: test}
	}
	return all
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

func isPart(s string) *strictyaml.Mismatch {
	if c := isLine(s); c != nil {
		return c
	}
	if s == "" || strings.ContainsAny(s, `"\`) {
		return &strictyaml.Mismatch{Expected: "the name of a form field, without quotes and backslashes"}
	}
	return nil
}

func isFormValue(s string) *strictyaml.Mismatch {
	if strings.ContainsRune(s, 0) {
		return &strictyaml.Mismatch{Expected: "text without NUL"}
	}
	return nil
}

func isUUID(s string) *strictyaml.Mismatch {
	if len(s) == 36 {
		if _, err := uuid.Parse(s); err == nil {
			return nil
		}
	}
	return &strictyaml.Mismatch{Expected: "a UUID, such as 7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b01"}
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

func isPath(s string) *strictyaml.Mismatch { return pathWith(s, "") }

func isDocumentsPath(s string) *strictyaml.Mismatch { return pathWith(s, "{id}") }

// pathWith accepts the path of a request, relative to base_url, that holds the placeholder and no other.
func pathWith(s, wanted string) *strictyaml.Mismatch {
	expected := "a path that begins with /"
	if wanted != "" {
		expected += " and holds " + wanted
		if !strings.Contains(s, wanted) {
			return &strictyaml.Mismatch{Expected: expected}
		}
	}
	plain := s
	if wanted != "" {
		plain = strings.ReplaceAll(s, wanted, "x")
	}
	if other := placeholder.FindString(plain); other != "" {
		return &strictyaml.Mismatch{
			Expected: expected,
			Hint:     fmt.Sprintf("nothing replaces %s here", printable.Clean(other)),
		}
	}
	if !strings.HasPrefix(plain, "/") || strings.HasPrefix(plain, "//") || strings.ContainsAny(plain, "{}#\\") ||
		strings.IndexFunc(plain, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }) >= 0 {
		return &strictyaml.Mismatch{Expected: expected}
	}
	if strings.Contains(plain, "?") && wanted != "{file_id}" {
		return &strictyaml.Mismatch{Expected: expected, Hint: "leave the query out"}
	}
	if _, err := url.ParseRequestURI(plain); err != nil {
		return &strictyaml.Mismatch{Expected: expected}
	}
	return nil
}

func isRetrieval(s string) *strictyaml.Mismatch {
	verb, path, ok := strings.Cut(s, " ")
	expected := "METHOD /path with {file_id} in it, such as GET /v1/files/{file_id}"
	if !ok || !method.MatchString(verb) {
		return &strictyaml.Mismatch{Expected: expected}
	}
	if c := pathWith(path, "{file_id}"); c != nil {
		return &strictyaml.Mismatch{Expected: expected, Hint: c.Hint}
	}
	return nil
}

func isHeader(s string) *strictyaml.Mismatch {
	if !httpguts.ValidHeaderFieldName(s) {
		return &strictyaml.Mismatch{Expected: "the name of a header: letters, digits and hyphens"}
	}
	return nil
}

// isCreateHeader accepts a header name that does not already mean something else in the request.
func isCreateHeader(s string) *strictyaml.Mismatch {
	taken := []string{
		"authorization", "x-api-key", "x-product-uuid", "content-type",
		"content-length", "host", "accept", "connection", "transfer-encoding",
	}
	if slices.Contains(taken, strings.ToLower(s)) {
		return &strictyaml.Mismatch{
			Expected: "a header of its own",
			Hint:     s + " already means something else in the request",
		}
	}
	return isHeader(s)
}

// isExtraHeader accepts a header name that no request has of its own.
func isExtraHeader(s string) *strictyaml.Mismatch {
	taken := []string{
		"authorization", "x-api-key", "content-type", "content-length", "host", "accept", "connection",
		"transfer-encoding", "nonce",
		"x-transaction-uuid", "x-lang", "x-wallet-uuid", "x-product-uuid", "x-product-target-user-uuid",
		"x-include-replay-protection-schema",
	}
	if slices.Contains(taken, strings.ToLower(s)) {
		return &strictyaml.Mismatch{
			Expected: "a header that requests do not have",
			Hint:     "credentials go under credentials",
		}
	}
	return isHeader(s)
}

func isProxy(s string) *strictyaml.Mismatch {
	u, err := url.Parse(s)
	if !isAddress(u, err) || u.Path != "" && u.Path != "/" || isLine(s) != nil {
		return &strictyaml.Mismatch{
			Expected: "the address of a proxy, such as http://proxy.example:3128",
			Conceal:  true,
		}
	}
	return nil
}

// isAddress reports whether an address is one of http or https.
func isAddress(u *url.URL, err error) bool {
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

func isTokenURL(s string) *strictyaml.Mismatch {
	u, err := url.Parse(s)
	if !isAddress(u, err) || u.User != nil || isLine(s) != nil {
		return &strictyaml.Mismatch{
			Expected: "the address of a token endpoint, such as https://login.example/token", Conceal: true,
		}
	}
	return nil
}

func isHeaderValue(s string) *strictyaml.Mismatch {
	if !httpguts.ValidHeaderFieldValue(s) || strings.TrimSpace(s) != s {
		return &strictyaml.Mismatch{Expected: "a header's value: one line without control characters or white space around it"}
	}
	return nil
}

// isPointer accepts a JSON pointer (RFC 6901) below the root.
func isPointer(s string) *strictyaml.Mismatch {
	valid := strings.HasPrefix(s, "/")
	for rest := s; valid; {
		at := strings.IndexByte(rest, '~')
		if at < 0 {
			break
		}
		rest = rest[at+1:]
		valid = strings.HasPrefix(rest, "0") || strings.HasPrefix(rest, "1")
	}
	if valid {
		return nil
	}
	hint := ""
	if !strings.ContainsAny(s, "/~ ") {
		hint = "write /" + strings.ReplaceAll(s, ".", "/")
	}
	return &strictyaml.Mismatch{Expected: "a JSON pointer, which begins with / and writes ~ as ~0", Hint: hint}
}

func isTimeZone(s string) *strictyaml.Mismatch {
	if _, err := time.LoadLocation(s); err != nil || s == "Local" {
		return &strictyaml.Mismatch{Expected: "an IANA time zone, such as UTC or America/Sao_Paulo"}
	}
	return nil
}

func isFieldPath(s string) *strictyaml.Mismatch {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || strings.TrimSpace(part) != part || strings.IndexFunc(part, unicode.IsControl) >= 0 {
			return &strictyaml.Mismatch{Expected: "JSON names joined by dots, such as document.number"}
		}
	}
	return nil
}

func isFieldType(s string) *strictyaml.Mismatch {
	if s != "number" && s != "string" {
		return &strictyaml.Mismatch{Expected: "number or string"}
	}
	return nil
}

var rulePattern = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*(\.\*)?$`)

func isRulePattern(s string) *strictyaml.Mismatch {
	if !rulePattern.MatchString(s) || !strings.Contains(s, ".") {
		return &strictyaml.Mismatch{
			Expected: "the ID of a rule, or create.required.* for all that begin so",
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
		c.Hint = "leave the word Bearer out"
	}
	return c
}
