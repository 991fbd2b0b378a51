package description

import (
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"
)

// place is where a description has a value: a property of a body, given by its path, or a header.
type place struct {
	path        []string
	types       []string // JSON types; none: any
	values      []string // the allowed values, or the default
	description string   // text about the value
	required    bool
	choice      bool // one of several alternatives
	file        bool // a file in a form
	unique      bool // a UUID
	taken       bool // already matched

	pathWords, nameWords, descriptionWords []string
}

func (p *place) dottedPath() string { return strings.Join(p.path, ".") }

// hasType reports whether values may have a JSON type.
func (p *place) hasType(kind string) bool {
	return len(p.types) == 0 || slices.Contains(p.types, kind)
}

// A few lines can describe billions of places, so these numbers of schemas are read per body and
// in total.
const maxSchemasOfBody, maxSchemas = 2_000, 30_000

// schemaReader reads schemas, up to left more.
type schemaReader struct{ left int }

// places adds what a schema says to top, and returns the places of its properties. It treats
// allOf, anyOf and oneOf alike and does not follow cycles.
func (r *schemaReader) places(ref *openapi3.SchemaRef, top *place) (all []*place) {
	known, within := map[string]*place{}, map[*openapi3.Schema]bool{}
	end := max(r.left-maxSchemasOfBody, 0)
	var visit func(at *place, ref *openapi3.SchemaRef, choice bool)
	visit = func(at *place, ref *openapi3.SchemaRef, choice bool) {
		if ref == nil || ref.Value == nil || ref.Value.ReadOnly || within[ref.Value] || r.left == end {
			return
		}
		s := ref.Value
		within[s] = true
		defer delete(within, s)
		r.left--
		at.addSchema(s)
		either := slices.Concat(s.AnyOf, s.OneOf)
		for i, inner := range slices.Concat(either, s.AllOf) {
			visit(at, inner, choice || i < len(either))
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if name == "" || strings.ContainsFunc(name,
				func(r rune) bool { return r == '.' || !unicode.IsPrint(r) }) {
				continue // a deployment file cannot name it
			}
			inner := &place{path: append(slices.Clone(at.path), name)}
			if other := known[inner.dottedPath()]; other != nil {
				inner = other
			} else {
				known[inner.dottedPath()], all = inner, append(all, inner)
			}
			inner.required, inner.choice = inner.required || slices.Contains(s.Required, name), choice
			visit(inner, s.Properties[name], false)
		}
	}
	visit(top, ref, false)
	for _, p := range append(all, top) {
		last := p.path[max(len(p.path)-1, 0):]
		p.pathWords, p.nameWords = wordSet(p.path...), wordSet(last...)
		p.descriptionWords = wordSet(p.description)
	}
	return all
}

// addSchema adds what a schema says about the value itself.
func (p *place) addSchema(s *openapi3.Schema) {
	for _, kind := range s.Type.Slice() {
		if kind != openapi3.TypeNull {
			p.types = append(p.types, kind)
		}
	}
	if len(s.Properties) > 0 {
		p.types = append(p.types, openapi3.TypeObject)
	}
	for _, value := range append(slices.Clone(s.Enum), s.Const, s.Default) {
		if value != nil && !slices.Contains(p.values, fmt.Sprint(value)) {
			p.values = append(p.values, fmt.Sprint(value))
		}
	}
	untyped := len(p.types)+len(p.values) == 0 // since OpenAPI 3.1, this means a file
	p.file = p.file || untyped || s.Format == "binary" || s.ContentMediaType != "" ||
		s.ContentEncoding != ""
	p.unique = p.unique || s.Format == "uuid"
	p.description += " " + s.Title + " " + s.Description
}

// operation is a GET or POST operation of a description.
type operation struct {
	method, path, name string
	headers            []*place
	body, form         []*place // of requests
	answer             []*place // of successful JSON answers
}

func (r *schemaReader) operations(doc *openapi3.T) (all []*operation) {
	for _, path := range doc.Paths.InMatchingOrder() {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			item := doc.Paths.Value(path)
			if item == nil || item.GetOperation(method) == nil {
				continue
			}
			o := item.GetOperation(method)
			found := &operation{
				method: method, path: path,
				name: strings.ToLower(path + " " + o.OperationID + " " + o.Summary),
			}
			for _, ref := range slices.Concat(o.Parameters, item.Parameters) {
				if h := ref.Value; h != nil && h.In == openapi3.ParameterInHeader &&
					!strings.EqualFold(h.Name, "x-product-uuid") {
					at := &place{path: []string{h.Name}, description: h.Description, required: h.Required}
					r.places(h.Schema, at)
					found.headers = append(found.headers, at)
				}
			}
			if o.RequestBody != nil && o.RequestBody.Value != nil {
				found.body = r.mediaTypePlaces(o.RequestBody.Value.Content, "application/json")
				found.form = r.mediaTypePlaces(o.RequestBody.Value.Content, "multipart/form-data")
			}
			for _, status := range slices.Sorted(maps.Keys(o.Responses.Map())) {
				if answer := o.Responses.Value(status).Value; answer != nil && strings.HasPrefix(status, "2") {
					found.answer = append(found.answer, r.mediaTypePlaces(answer.Content, "application/json")...)
				}
			}
			all = append(all, found)
		}
	}
	return all
}

// mediaTypePlaces returns the places in the content of a media type.
func (r *schemaReader) mediaTypePlaces(all openapi3.Content, wanted string) (found []*place) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if media, _, _ := mime.ParseMediaType(name); media == wanted && all[name] != nil {
			found = append(found, r.places(all[name].Schema, &place{})...)
		}
	}
	return found
}

// scoreName returns 1 if the operation's name contains one of some words, otherwise 0.
func (o *operation) scoreName(any ...string) int {
	if slices.ContainsFunc(any, func(word string) bool { return strings.Contains(o.name, word) }) {
		return 1
	}
	return 0
}

// scorePathBelow returns 1 if the operation's path is below that of other, otherwise 0.
func (o *operation) scorePathBelow(other *operation) int {
	if other != nil && strings.HasPrefix(o.path, other.path+"/") {
		return 1
	}
	return 0
}

// fileParts returns the file parts of the form.
func (o *operation) fileParts() []*place {
	return slices.DeleteFunc(slices.Clone(o.form),
		func(at *place) bool { return !at.file || len(at.path) > 1 })
}
