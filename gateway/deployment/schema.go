package deployment

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// JSONSchemaExtend adds to the schema of a deployment file what struct tags cannot express.
func (File) JSONSchemaExtend(root *jsonschema.Schema) {
	tables := loadKeyTables()
	representative := root.Properties.Value("legal_representative")
	restrictKeys(representative, "fields", "field_path", creationfields.All())
	restrictKeys(representative.Properties.Value("documents"), "parts", "part", uploadParts())
	yamlschema.Walk("", root, func(path string, s *jsonschema.Schema) {
		_, key, ofCredential := strings.Cut(path, "credentials.")
		if at := strings.Index(key, "oauth2."); at >= 0 {
			path = key[at:] // the same for every credential
		}
		if value, ok := tables.Defaults[path]; ok {
			s.Default = value
		}
		if sample, ok := tables.Samples[path]; ok {
			yamlschema.SetExtra(s, "sample", sample)
		}
		if ofCredential && slices.Contains(publicKeys(), key[strings.LastIndex(key, ".")+1:]) {
			yamlschema.SetExtra(s, "secret", false)
		}
	})
}

// publicKeys returns the keys of a credential that hold no secret.
func publicKeys() []string {
	return []string{"command", "refresh", "token_url", "client_id", "scope"}
}

//go:embed schema.yaml
var schemaYAML []byte

// keyTables are the tables of schema.yaml.
type keyTables struct {
	Defaults map[string]any
	Samples  map[string]string
}

var loadKeyTables = sync.OnceValue(func() (tables keyTables) {
	if err := yaml.Load(schemaYAML, &tables, yaml.WithKnownFields()); err != nil {
		panic("schema.yaml: " + err.Error()) // it is part of the program
	}
	return tables
})

// uploadParts returns the documents of a representative.
func uploadParts() []creationfields.Field {
	return []creationfields.Field{
		{Name: "selfie", Preset: "selfie", Doc: "The representative's selfie."},
		{Name: "identity_document", Preset: "identity_document", Doc: "The ID, CNH or passport."},
		{
			Name: "qualification_declaration", Preset: "qualification_declaration",
			Doc: "The declaration of powers.",
		},
	}
}

// restrictKeys allows only some keys in a mapping.
func restrictKeys(s *jsonschema.Schema, key, format string, list []creationfields.Field) {
	table := s.Properties.Value(key)
	table.Properties, table.AdditionalProperties = jsonschema.NewProperties(), jsonschema.FalseSchema
	for _, f := range list {
		value := &jsonschema.Schema{Type: "string", Format: format, Default: f.Preset, Description: f.Doc}
		if strings.HasPrefix(f.Name, "address.") { // follows the address
			value.Default, value.Extras = nil, map[string]any{"sample": f.Preset}
		}
		table.Properties.Set(f.Name, value)
	}
}
