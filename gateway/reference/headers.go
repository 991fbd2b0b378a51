package reference

import (
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"
)

var (
	uuidShape   = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	uuidInside  = regexp.MustCompile(strings.Trim(uuidShape.String(), "^$"))
	uuidV4Shape = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
)

// headerID returns a header that holds a UUID v4, and whether it does; an empty value counts as absent.
func (q *call) headerID(header, key string, required bool) (id string, valid bool) {
	value := strings.ToLower(q.r.Header.Get(header))
	ending, why := ".format", "expected a UUID v4"
	switch {
	case value == "" && required:
		ending, why = ".absent", "this header is required: a UUID v4"
	case value == "":
		return "", false
	case uuidV4Shape.MatchString(value):
		return value, true
	case value == uuid.Nil.String():
		ending = ".nil"
	case uuidShape.MatchString(value):
		ending = ".version"
	case uuidInside.MatchString(value):
		ending = ".inside"
	case len(value) == len(uuid.Nil.String()) && !strings.ContainsAny(value, "0123456789abcdef"):
		ending = ".length"
	}
	var sent any = value
	if q.r.Header[http.CanonicalHeaderKey(header)] == nil {
		sent = nil
	}
	q.wrong(0, key+ending, header, sent, why)
	return value, false
}

// context takes what both operations know: the language, and the user that a request is done for, who is the caller
// without the headers.
func (q *call) context(language, onBehalfOf string) {
	if given := q.r.Header.Get(language); !slices.Contains([]string{"", "pt-BR", "en-US"}, given) {
		q.wrong(0, "header.language.set", language, given, "expected pt-BR or en-US")
	}
	q.runsAs = q.caller
	products := q.caller.person.products
	product, valid := q.headerID("x-product-uuid", "header.product", false)
	q.selection.Product = products[0]
	if slices.Contains(products, product) {
		q.selection.Product, q.selection.InProduct = product, true
	} else if valid {
		q.wrong(0, "header.product.unknown", "x-product-uuid", product, "no product of this user has this ID")
	}
	target, valid := q.headerID(onBehalfOf, "header.on_behalf_of", false)
	if target != "" && product == "" {
		q.wrong(0, "header.on_behalf_of.product", onBehalfOf, target, "this header requires x-product-uuid")
	}
	if u := q.g.data.users[target]; valid && u != nil && slices.Contains(u.person.products, products[0]) {
		q.runsAs = u
	} else if valid {
		q.wrong(0, "header.on_behalf_of.unknown", onBehalfOf, target, "no user with this ID in the product")
	}
}

// isMedia reports whether the body is announced as a type, and notes where it is not.
func (q *call) isMedia(expected string) bool {
	media, _, err := mime.ParseMediaType(q.r.Header.Get("Content-Type"))
	if err == nil && media == expected {
		return true
	}
	key := "body.media"
	if expected == "application/json" {
		key += map[string]string{
			"application/x-www-form-urlencoded": ".form", "application/xml": ".xml", "text/xml": ".xml",
		}[media]
	}
	q.wrong(http.StatusUnsupportedMediaType, key, "Content-Type", media, "expected "+expected)
	return false
}
