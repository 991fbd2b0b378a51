package strictyaml

import (
	"slices"

	"github.com/invopop/jsonschema"
)

// anyReference is what any text may be instead of what its key asks for: it is judged later.
const anyReference = `^file:|\$\{`

// ForEditors is the JSON Schema (draft 2020-12) of a format, for editors. It knows the keys, the types and the plain
// formats; what needs the environment or several keys, only a Reader sees.
func (f *Format) ForEditors() *jsonschema.Schema {
	s := f.loosen(f.Schema(), true)
	s.Version = jsonschema.Version
	return s
}

// loosen makes a schema accept every way to write what it describes: references, short forms, and keys without values.
func (f *Format) loosen(s *jsonschema.Schema, required bool) *jsonschema.Schema {
	short := extra(s, "scalar")
	s.Extras = nil
	switch {
	case s.Type == "array":
		s.Items = f.loosen(s.Items, true)
	case isTable(s):
		s.AdditionalProperties, s.PropertyNames = f.loosen(s.AdditionalProperties, false), nil
	case s.Type == "object":
		f.loosenKeys(s, required || short != "")
	default:
		s = f.loosenText(s, required)
	}
	if short != "" {
		s = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, s}, Description: s.Description}
	}
	switch {
	case required:
	case s.Type == "":
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Type: "null"})
	default:
		s.Extras = map[string]any{"type": []string{s.Type, "null"}}
		s.Type = ""
	}
	return s
}

// loosenKeys loosens the keys of a mapping. One that may be left out may also have nothing but keys without values.
func (f *Format) loosenKeys(s *jsonschema.Schema, required bool) {
	relaxed := !required && len(s.Required) > 0
	given := &jsonschema.Schema{Required: s.Required, Properties: jsonschema.NewProperties()}
	for name, child := range s.Properties.FromOldest() {
		needed := slices.Contains(s.Required, name)
		s.Properties.Set(name, f.loosen(child, needed && !relaxed))
		if needed && relaxed {
			given.Properties.Set(name, &jsonschema.Schema{Not: &jsonschema.Schema{Type: "null"}})
		}
	}
	if relaxed {
		empty := &jsonschema.Schema{Enum: []any{nil, "", []any{}, map[string]any{}}}
		s.AnyOf, s.Required = []*jsonschema.Schema{given, {AdditionalProperties: empty}}, nil
	}
}

func (f *Format) loosenText(s *jsonschema.Schema, required bool) *jsonschema.Schema {
	t := f.text(s)
	s.Format = ""
	if t.Style == Literal {
		reference := &jsonschema.Schema{Type: "string", Pattern: anyReference}
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, reference}, Description: s.Description}
	}
	if s.Pattern = t.Pattern; s.Pattern != "" {
		if s.Pattern += "|" + anyReference; !required {
			s.Pattern += "|^$"
		}
	}
	if required {
		s.MinLength = new(uint64(1))
	}
	return s
}
