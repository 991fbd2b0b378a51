// Package yamlschema describes files that people write in YAML: which keys they have, how values
// are written, and what they mean.
//
// The tags of a struct make a JSON Schema, by package jsonschema. It is what package strictyaml
// reads a file with, what editors check it with, and what its template and its reference are
// written from. The comment of a field says what its key means. jsonschema_extras adds to the
// schema:
//
//	sample=8          the value in the template where there is no default
//	optional=true     a mapping whose defaults hold only once it is given
//	format=, names=   of a mapping of names: the ScalarFormat of each value, and of each name
//	scalar=bearer     a scalar in place of the mapping stands for this key of it; of a list, for its
//	                  only item
//	secret=true       neither the value nor anything below it is ever shown; secret=false takes a key
//	                  out
package yamlschema

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/invopop/jsonschema"
)

// FromStruct describes the keys of a struct. source is the folder of its package, whose comments
// say what the keys mean; where it is empty, nothing does.
func FromStruct(v any, source string) *jsonschema.Schema {
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
	if source != "" {
		if err := r.AddGoComments(reflect.TypeOf(v).PkgPath(), source); err != nil {
			panic("the comments of " + source + ": " + err.Error()) // who writes pages has the source
		}
		maps.DeleteFunc(r.CommentMap, func(of, _ string) bool { // of types
			return strings.Count(path.Base(of), ".") < 2
		})
	}
	root := r.Reflect(v)
	root.Version = ""
	Walk("", root, func(_ string, s *jsonschema.Schema) {
		s.Description = strings.Join(strings.Fields(s.Description), " ")
		switch {
		case s.Type == "object" && s.Properties == nil:
			s.AdditionalProperties.Format = ExtraValue(s, "format")
			s.PropertyNames = &jsonschema.Schema{Type: "string", Format: ExtraValue(s, "names")}
		case s.Items != nil && s.Items.Type == "object":
			s.Items.Extras = map[string]any{"scalar": ExtraValue(s, "scalar")}
			delete(s.Extras, "scalar")
		}
	})
	return root
}

// Walk calls visit for every key below a path, which is dotted; keys of a list's items follow the
// list's own path.
func Walk(under string, s *jsonschema.Schema, visit func(path string, s *jsonschema.Schema)) {
	if s.Items != nil {
		s = s.Items
	}
	for name, child := range s.Properties.FromOldest() {
		inner := JoinPath(under, name)
		visit(inner, child)
		Walk(inner, child, visit)
	}
}

// AddSamples gives keys the value that a template shows, by dotted key, in YAML: what the tag of
// the field has no room for.
func AddSamples(root *jsonschema.Schema, samples map[string]string) {
	Walk("", root, func(path string, s *jsonschema.Schema) {
		if sample, ok := samples[path]; ok {
			SetExtra(s, "sample", sample)
		}
	})
}

// SetExtra adds to a schema what jsonschema_extras would say under a name. Schemas of one type may
// share their extras, so it copies them.
func SetExtra(s *jsonschema.Schema, name string, value any) {
	if s.Extras = maps.Clone(s.Extras); s.Extras == nil {
		s.Extras = map[string]any{}
	}
	s.Extras[name] = value
}

// ExtraValue returns what jsonschema_extras says under a name.
func ExtraValue(s *jsonschema.Schema, name string) string {
	if v, ok := s.Extras[name]; ok {
		return fmt.Sprint(v)
	}
	return ""
}

// MappingKeys lists the keys of a mapping.
func MappingKeys(s *jsonschema.Schema) []string {
	return slices.Collect(s.Properties.KeysFromOldest())
}

// JoinPath returns the dotted path of a key in a mapping.
func JoinPath(parent, name string) string { return strings.TrimPrefix(parent+"."+name, ".") }

// SampleValue returns the value that a key has in the template.
func SampleValue(s *jsonschema.Schema) string {
	if sample := ExtraValue(s, "sample"); sample != "" || s.Default == nil {
		return sample
	}
	return fmt.Sprint(s.Default)
}
