// Package yamlschema describes YAML files that people write: their keys, and the format and
// meaning of values.
//
// The tags of a struct define a JSON Schema (see package jsonschema). Package strictyaml reads
// files by it, editors check files with it, and templates and references are generated from it.
// The comment of a field is the description of its key. jsonschema_extras adds to the schema:
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

// FromStruct returns the schema of a struct. source is the folder of its package, whose comments
// become descriptions; empty: no descriptions.
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
			panic("the comments of " + source + ": " + err.Error()) // only generators pass a source
		}
		maps.DeleteFunc(r.CommentMap, func(of, _ string) bool { // comments of types
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

// Walk calls visit for every key below a dotted path. Keys of list items have the path of the
// list.
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

// AddSamples sets the samples of keys, in YAML by dotted key, that do not fit into struct tags.
func AddSamples(root *jsonschema.Schema, samples map[string]string) {
	Walk("", root, func(path string, s *jsonschema.Schema) {
		if sample, ok := samples[path]; ok {
			SetExtra(s, "sample", sample)
		}
	})
}

// SetExtra sets an entry of jsonschema_extras. It copies the extras, because schemas of one type
// may share them.
func SetExtra(s *jsonschema.Schema, name string, value any) {
	if s.Extras = maps.Clone(s.Extras); s.Extras == nil {
		s.Extras = map[string]any{}
	}
	s.Extras[name] = value
}

// ExtraValue returns an entry of jsonschema_extras, or "".
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

// SampleValue returns the value of a key in the template.
func SampleValue(s *jsonschema.Schema) string {
	if sample := ExtraValue(s, "sample"); sample != "" || s.Default == nil {
		return sample
	}
	return fmt.Sprint(s.Default)
}
