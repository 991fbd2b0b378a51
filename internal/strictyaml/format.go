// Package strictyaml reads files that people write in YAML into structs, and says what is wrong with them as compilers
// do: the place, the key, what was expected, the line with a caret below the column, and what to do next.
//
// The tags of a struct make a JSON Schema, by package jsonschema; it is what the file is read with, what editors check
// it with, and what its template and its reference are written from. The comment of a field says what its key means.
// jsonschema_extras adds to the schema:
//
//	sample=8          the value in the template where there is no default
//	optional=true     a mapping whose defaults hold only once it is given
//	format=, names=   of a mapping of names: the Text of each value, and of each name
//	scalar=bearer     a scalar in place of the mapping stands for this key of it; of a list, for its only item
//	secret=true       neither the value nor anything below it is ever shown; secret=false takes a key out
//
// Any text may hold ${NAME}, an environment variable, or be file:PATH, what a file holds.
package strictyaml

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/invopop/jsonschema"
)

// Format is a kind of file that people write.
type Format struct {
	Name   string // such as "plan"
	Of     any    // the struct that it is read into
	Begin  string // what to do where there is none, or an empty one
	Source string // the folder of the package of Of, whose comments say what the keys mean; empty: nothing does

	Texts map[string]Text // the formats that tags name

	// Secret matches the names of map entries that carry a secret; nil: nothing in such a file is secret.
	Secret *regexp.Regexp
	// Explicit makes a key without a value an error; otherwise it counts as not given, as do empty lists and mappings.
	Explicit bool
}

// Schema describes the keys of a format.
func (f *Format) Schema() *jsonschema.Schema {
	r := jsonschema.Reflector{
		Anonymous: true, DoNotReference: true, ExpandedStruct: true, FieldNameTag: "yaml",
		RequiredFromJSONSchemaTags: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if t == reflect.TypeFor[time.Duration]() {
				return &jsonschema.Schema{Type: "string", Format: "duration"}
			}
			return nil
		},
	}
	if f.Source != "" {
		if err := r.AddGoComments(reflect.TypeOf(f.Of).PkgPath(), f.Source); err != nil {
			panic("the comments of " + f.Source + ": " + err.Error()) // who writes pages has the source
		}
		maps.DeleteFunc(r.CommentMap, func(of, _ string) bool { return strings.Count(path.Base(of), ".") < 2 }) // types
	}
	root := r.Reflect(f.Of)
	root.Version = ""
	Walk("", root, func(_ string, s *jsonschema.Schema) {
		s.Description = strings.Join(strings.Fields(s.Description), " ")
		switch {
		case s.Type == "object" && s.Properties == nil:
			s.AdditionalProperties.Format = extra(s, "format")
		case s.Items != nil && s.Items.Type == "object":
			s.Items.Extras = map[string]any{"scalar": extra(s, "scalar")}
			delete(s.Extras, "scalar")
		}
	})
	return root
}

// Walk calls visit for every key below a path, which is dotted; keys of a list's items follow the list's own path.
func Walk(under string, s *jsonschema.Schema, visit func(path string, s *jsonschema.Schema)) {
	if s.Items != nil {
		s = s.Items
	}
	for name, child := range s.Properties.FromOldest() {
		inner := join(under, name)
		visit(inner, child)
		Walk(inner, child, visit)
	}
}

// expectation says what a schema asks for, to complete the sentence "expected ...".
func (f *Format) expectation(s *jsonschema.Schema) string {
	switch {
	case s.MaxItems != nil:
		return fmt.Sprintf("a list of %d items", *s.MaxItems)
	case s.Type == "array":
		return "a list"
	case s.Properties != nil:
		return "a mapping with the keys " + strings.Join(keys(s), ", ")
	case s.Type == "object":
		return "a mapping of names"
	}
	return f.text(s).Expected
}

// extra returns what jsonschema_extras says under a name.
func extra(s *jsonschema.Schema, name string) string {
	if v, ok := s.Extras[name]; ok {
		return fmt.Sprint(v)
	}
	return ""
}

func keys(s *jsonschema.Schema) []string { return slices.Collect(s.Properties.KeysFromOldest()) }

// join returns the dotted path of a key in a mapping.
func join(parent, name string) string { return strings.TrimPrefix(parent+"."+name, ".") }
