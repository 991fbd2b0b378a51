package deployment

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/invopop/jsonschema"
)

// reference is what any text may be instead of what its key asks for: it is judged after its references are resolved.
const reference = `^file:|\$\{`

// Schema is the JSON Schema (draft 2020-12) of the deployment file, for editors. It knows the keys, the types and the
// plain formats; what needs the environment or several keys, only Parse sees.
func Schema() ([]byte, error) {
	root := document().schema()
	root.Version = jsonschema.Version
	root.Title = "Deployment file of gateassay"
	root.Description = "Where a gateway is, which credentials and fixtures a run may use, and the names that the API document leaves open."
	data, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(bytes.TrimSpace(data), '\n'), nil
}

// schema describes a key's value. Whatever is not required may be null: a key without a value counts as not given.
func (k *key) schema() *jsonschema.Schema {
	s := k.valueSchema()
	if !k.required && k.name != "" {
		s = nullable(s)
	}
	s.Description = k.doc
	if k.unlocks != "" {
		s.Description += " Unlocks " + k.unlocks + "."
	}
	return s
}

func (k *key) valueSchema() *jsonschema.Schema {
	switch k.kind {
	case mapping:
		s := object(k.keys)
		if k.name == "credentials" {
			s.AnyOf = []*jsonschema.Schema{present("platform_token"), present("api_key")}
		}
		if k.optional && len(s.Required) > 0 { // keys without values are as good as no mapping
			empty := &jsonschema.Schema{Enum: []any{nil, "", []any{}, map[string]any{}}}
			s.AnyOf = []*jsonschema.Schema{{Required: s.Required}, {AdditionalProperties: empty}}
			s.Required = nil
		}
		return s
	case namedTexts:
		return object(k.keys)
	case textMap:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: nullable(&jsonschema.Schema{Type: "string"})}
	case texts:
		s := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string", MinLength: one()}}
		if k.required {
			s.MinItems = one()
		}
		return s
	case mappings:
		return &jsonschema.Schema{Type: "array", Items: object(k.keys)}
	case credentials:
		return &jsonschema.Schema{Type: "array", Items: (&key{kind: credential}).valueSchema()}
	case credential:
		token := func() *jsonschema.Schema { return nullable(&jsonschema.Schema{Type: "string"}) }
		s := jsonschema.NewProperties()
		s.Set(string(Bearer), token())
		s.Set(string(APIKey), token())
		most := uint64(1)
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
			{Type: "string"},
			{Type: "object", Properties: s, AdditionalProperties: jsonschema.FalseSchema, MaxProperties: &most},
		}}
	case whole:
		return orReference(&jsonschema.Schema{Type: "integer", Minimum: k.bound()})
	case number:
		if k.above {
			return orReference(&jsonschema.Schema{Type: "number", ExclusiveMinimum: k.bound()})
		}
		return orReference(&jsonschema.Schema{Type: "number", Minimum: k.bound()})
	case boolean:
		return orReference(&jsonschema.Schema{Type: "boolean"})
	}
	s := &jsonschema.Schema{Type: "string"}
	if k.pattern != "" {
		s.Pattern = k.pattern + "|" + reference
		if !k.required {
			s.Pattern += "|^$"
		}
	}
	if k.required {
		s.MinLength = one()
	}
	return s
}

// object is a mapping with these keys and no other.
func object(keys []key) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	for i := range keys {
		k := &keys[i]
		s.Properties.Set(k.name, k.schema())
		if k.required {
			s.Required = append(s.Required, k.name)
		}
	}
	return s
}

func present(name string) *jsonschema.Schema {
	s := &jsonschema.Schema{Properties: jsonschema.NewProperties(), Required: []string{name}}
	s.Properties.Set(name, &jsonschema.Schema{Not: &jsonschema.Schema{Type: "null"}})
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
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "string", Pattern: reference}}}
}

func (k *key) bound() json.Number { return json.Number(strconv.FormatFloat(k.least, 'f', -1, 64)) }

func one() *uint64 {
	n := uint64(1)
	return &n
}
