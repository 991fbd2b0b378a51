package strictyaml

import (
	"encoding/json"
	"strconv"

	"github.com/invopop/jsonschema"
)

// anyReference is what any text may be instead of what its key asks for: it is judged later.
const anyReference = `^file:|\$\{`

// Schema is the JSON Schema (draft 2020-12) of a format, for editors. It knows the keys, the types and the plain
// formats; what needs the environment or several keys, only a Reader sees.
func (k *Key) Schema() *jsonschema.Schema {
	s := k.valueSchema()
	if !k.Required && k.Name != "" { // a key without a value counts as not given
		s = nullable(s)
	}
	s.Description = k.Doc
	return s
}

func (k *Key) valueSchema() *jsonschema.Schema {
	switch k.kind {
	case mapping:
		s := object(k)
		if k.optional && len(s.Required) > 0 && k.scalar == "" { // keys without values are as good as no mapping
			empty := &jsonschema.Schema{Enum: []any{nil, "", []any{}, map[string]any{}}}
			given := &jsonschema.Schema{Required: s.Required, Properties: jsonschema.NewProperties()}
			for _, name := range s.Required {
				given.Properties.Set(name, &jsonschema.Schema{Not: &jsonschema.Schema{Type: "null"}})
				s.Properties.Set(name, nullable(k.child(name).Schema()))
			}
			s.AnyOf = []*jsonschema.Schema{given, {AdditionalProperties: empty}}
			s.Required = nil
		}
		if k.scalar != "" {
			return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, s}}
		}
		return s
	case table:
		if !k.free {
			return object(k)
		}
		item := *k
		item.kind = leaf
		return &jsonschema.Schema{Type: "object", AdditionalProperties: nullable(item.leafSchema())}
	case list, mappings:
		item := *k
		item.kind, item.Required = leaf, true
		s := &jsonschema.Schema{Type: "array"}
		if k.kind == mappings {
			item.kind = mapping
		}
		s.Items = item.valueSchema()
		if k.Required {
			s.MinItems = new(uint64(1))
		}
		return s
	}
	return k.leafSchema()
}

func (k *Key) leafSchema() *jsonschema.Schema {
	if t := k.leafType(); t.schema != "" {
		return orReference(k.limit(&jsonschema.Schema{Type: t.schema}))
	}
	s := &jsonschema.Schema{Type: "string"}
	pattern := k.check.Pattern
	if k.day {
		pattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`
	}
	if pattern != "" {
		s.Pattern = pattern + "|" + anyReference
		if !k.Required {
			s.Pattern += "|^$"
		}
	}
	if k.Required {
		s.MinLength = new(uint64(1))
	}
	return s
}

func (k *Key) limit(s *jsonschema.Schema) *jsonschema.Schema {
	number := func(f *float64) json.Number { return json.Number(strconv.FormatFloat(*f, 'f', -1, 64)) }
	switch {
	case k.least != nil && k.above:
		s.ExclusiveMinimum = number(k.least)
	case k.least != nil:
		s.Minimum = number(k.least)
	}
	if k.most != nil {
		s.Maximum = number(k.most)
	}
	return s
}

// object is a mapping with the keys of k and no other.
func object(k *Key) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", AdditionalProperties: jsonschema.FalseSchema}
	s.Properties = jsonschema.NewProperties()
	for _, child := range k.Keys {
		s.Properties.Set(child.Name, child.Schema())
		if child.Required {
			s.Required = append(s.Required, child.Name)
		}
		if child.choice {
			s.OneOf = append(s.OneOf, &jsonschema.Schema{Required: []string{child.Name}})
		}
	}
	return s
}

func nullable(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Type == "" {
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Type: "null"})
		return s
	}
	s.Extras = map[string]any{"type": []string{s.Type, "null"}}
	s.Type = ""
	return s
}

func orReference(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "string", Pattern: anyReference}}}
}
