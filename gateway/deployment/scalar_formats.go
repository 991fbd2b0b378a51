package deployment

import (
	"cmp"
	"math"
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

	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// scalarFormats returns the formats of texts in a deployment file, by the names that struct
// tags use.
func scalarFormats() map[string]yamlschema.ScalarFormat {
	check := yamlschema.NewScalarFormat
	return map[string]yamlschema.ScalarFormat{
		"hour": yamlschema.TimeoutFormat(time.Hour), "day": yamlschema.TimeoutFormat(24 * time.Hour),
		"positive": yamlschema.TimeoutFormat(math.MaxInt64),
		"name": check("a name: one line of at most 100 characters",
			func(s string) bool { return len([]rune(s)) <= 100 && isPrintableLine(s) }),
		"line": check("one line without control characters or white space around it", isPrintableLine),
		"header": check("the name of a header: letters, digits and hyphens",
			httpguts.ValidHeaderFieldName),
		"create_header": check(
			"a distinct header without another meaning in requests",
			headerNameExcept("authorization", "x-api-key", "x-product-uuid", "content-type",
				"content-length", "host", "accept", "connection", "transfer-encoding"),
		),
		"free_header": check("a header that no rule uses (credentials go under credentials)",
			headerNameExcept("authorization", "x-api-key", "content-type", "content-length", "host",
				"connection", "transfer-encoding", "nonce", "x-transaction-uuid", "x-lang", "x-wallet-uuid",
				"x-product-uuid", "x-product-target-user-uuid", "x-include-replay-protection-schema")),
		"header_text": check(
			"a header's value: one line without control characters or white space around it",
			func(s string) bool { return httpguts.ValidHeaderFieldValue(s) && isPrintableLine(s) }),
		"part": check("the name of a form field, without quotes and backslashes",
			func(s string) bool { return isPrintableLine(s) && !strings.ContainsAny(s, `"\`) }),
		"form_value": check("text without NUL",
			func(s string) bool { return !strings.ContainsRune(s, 0) }),
		"base_url": check(
			"an address such as https://gateway.example: http or https, without user, query and fragment",
			httpAddressWithout("@?#")),
		"proxy": check("the address of a proxy, such as http://proxy.example:3128",
			httpAddressWithout("?#")),
		"token_url": check("the address of a token endpoint, such as https://login.example/token",
			httpAddressWithout("@")),
		"path": check("a path that begins with /, without query and placeholders",
			pathWithPlaceholder("")),
		"documents_path": check(
			"a path that begins with / and holds {id}, without query and other placeholders",
			pathWithPlaceholder("{id}")),
		"retrieval": check("METHOD /path with {file_id} in it, such as GET /v1/files/{file_id}",
			func(s string) bool {
				method, path, _ := strings.Cut(s, " ")
				return httpMethodPattern.MatchString(method) && pathWithPlaceholder("{file_id}")(path)
			}),
		"pointer": check("a JSON pointer, such as /data/url, which writes ~ as ~0",
			func(s string) bool { return jsontext.Pointer(s).IsValid() }),
		"time_zone": check("an IANA time zone, such as UTC or America/Sao_Paulo", isTimeZone),
		"uuid": check("a UUID, such as 7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b01",
			func(s string) bool { return len(s) == 36 && uuid.Validate(s) == nil }),
		"depth":      yamlschema.OneOfWords("quick, standard or thorough", Depths()...),
		"type":       yamlschema.OneOfWords("number or string", "number", "string"),
		"field_path": check("JSON names joined by dots, such as document.number", isFieldPath),
		"typed_field": yamlschema.OneOfWords("one of the fields, other than address",
			slices.DeleteFunc(creationfields.Names(),
				func(name string) bool { return name == "address" })...),
		"rule": check(
			"the ID of a rule, or a pattern such as create.required.* (gateassay rules lists them)",
			func(s string) bool { return rulePatternFormat.MatchString(s) && strings.Contains(s, ".") }),
		"credential": check(
			"a credential without white space and control characters, and without the word Bearer",
			func(s string) bool {
				return !strings.ContainsFunc(s,
					func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsGraphic(c) })
			}),
	}
}

// isPrintableLine reports whether s is one line without control characters or surrounding space.
func isPrintableLine(s string) bool {
	return strings.TrimSpace(s) == s && !strings.ContainsFunc(s, unicode.IsControl)
}

// headerNameExcept returns a check for header names other than some.
func headerNameExcept(taken ...string) func(string) bool {
	return func(s string) bool {
		return httpguts.ValidHeaderFieldName(s) && !slices.Contains(taken, strings.ToLower(s))
	}
}

// httpAddressWithout returns a check for http and https URLs without some characters.
func httpAddressWithout(without string) func(string) bool {
	return func(s string) bool {
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || !isPrintableLine(s) ||
			strings.ContainsAny(s, " "+without) {
			return false
		}
		port, err := strconv.ParseUint(cmp.Or(u.Port(), "80"), 10, 16)
		return err == nil && port > 0 && u.Hostname() != "" && !strings.HasSuffix(u.Host, ":")
	}
}

var (
	httpMethodPattern = regexp.MustCompile(`^[A-Z]+$`)
	rulePatternFormat = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*(\.\*)?$`)
)

// pathWithPlaceholder returns a check for request paths with the wanted placeholder and no
// other. Only the path of a file may have a query.
func pathWithPlaceholder(wanted string) func(string) bool {
	return func(s string) bool {
		plain := s
		if wanted != "" {
			plain = strings.ReplaceAll(s, wanted, "x")
		}
		odd := func(c rune) bool {
			return unicode.IsSpace(c) || unicode.IsControl(c) || strings.ContainsRune(`{}#\`, c)
		}
		_, err := url.ParseRequestURI(plain)
		return err == nil && strings.Contains(s, wanted) && strings.HasPrefix(plain, "/") &&
			!strings.HasPrefix(plain, "//") && !strings.ContainsFunc(plain, odd) &&
			(wanted == "{file_id}" || !strings.Contains(plain, "?"))
	}
}

func isTimeZone(s string) bool {
	_, err := time.LoadLocation(s)
	return err == nil && s != "Local"
}

func isFieldPath(s string) bool {
	return !slices.ContainsFunc(strings.Split(s, "."),
		func(part string) bool { return part == "" || !isPrintableLine(part) })
}
