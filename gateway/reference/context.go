package reference

import (
	"crypto/subtle"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"
)

func constantTimeEqual(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

var (
	uuidShape   = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	uuidInside  = regexp.MustCompile(strings.Trim(uuidShape.String(), "^$"))
	uuidV4Shape = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
)

// headerID returns a header that holds a UUID v4, and what is wrong with it; an empty value counts as absent.
func headerID(r *http.Request, header, key string, required bool) (string, []issue) {
	value := strings.ToLower(r.Header.Get(header))
	switch {
	case value == "" && required:
		return "", wrong(key+".absent", header, "this header is required: a UUID v4")
	case value == "":
		return "", nil
	case !uuidShape.MatchString(value):
		switch {
		case uuidInside.MatchString(value):
			key += ".inside"
		case len(value) == len(uuid.Nil.String()) && !strings.ContainsAny(value, "0123456789abcdefABCDEF"):
			key += ".length"
		default:
			key += ".format"
		}
		return value, wrong(key, header, "expected a UUID v4")
	case value == uuid.Nil.String():
		return value, wrong(key+".nil", header, "expected a UUID v4, not the nil UUID")
	case !uuidV4Shape.MatchString(value):
		return value, wrong(key+".version", header, "expected a UUID of version 4")
	}
	return value, nil
}

func languageIssues(r *http.Request, header string) []issue {
	switch r.Header.Get(header) {
	case "", "pt-BR", "en-US":
		return nil
	}
	return wrong("header.language.set", header, "expected pt-BR or en-US")
}

// behalf finds the user that a request is done for, who is the caller without the headers.
func (q *call) behalf(onBehalfOf string) []issue {
	q.runsAs = q.caller
	products := q.caller.person.products
	product, issues := headerID(q.r, "x-product-uuid", "header.product", false)
	if product != "" && len(issues) == 0 && !slices.Contains(products, product) {
		issues = append(issues, wrong("header.product.unknown", "x-product-uuid",
			"no product of this user has this ID")...)
	}
	q.selection.Product = products[0]
	if slices.Contains(products, product) {
		q.selection.Product, q.selection.InProduct = product, true
	}
	target, more := headerID(q.r, onBehalfOf, "header.on_behalf_of", false)
	issues = append(issues, more...)
	if q.r.Header.Get(onBehalfOf) != "" && q.r.Header.Get("x-product-uuid") == "" {
		issues = append(issues, wrong("header.on_behalf_of.product", onBehalfOf,
			"this header requires x-product-uuid")...)
	}
	if target == "" || len(more) > 0 {
		return issues
	}
	if u := q.g.data.users[target]; u != nil && slices.Contains(u.person.products, products[0]) {
		q.runsAs = u
		return issues
	}
	return append(issues, wrong("header.on_behalf_of.unknown", onBehalfOf, "no user with this ID in the product")...)
}

// mediaIssues checks that the body is announced as JSON.
func mediaIssues(r *http.Request) []issue {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && media == "application/json" {
		return nil
	}
	key := "body.media"
	switch media {
	case "application/x-www-form-urlencoded":
		key += ".form"
	case "application/xml", "text/xml":
		key += ".xml"
	}
	return []issue{{key, "Content-Type", "expected application/json", http.StatusUnsupportedMediaType}}
}
