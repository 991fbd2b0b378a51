package settings

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

//go:generate go test -run TestGeneratedFilesAreFresh -update .

var update = flag.Bool("update", false, "write the generated documents")

// TestGeneratedFilesAreFresh checks that the schema, the settings and the reference match the
// comments of the structs.
func TestGeneratedFilesAreFresh(t *testing.T) {
	root := yamlschema.FromStruct(deployment.File{}, "../../gateway/deployment")
	lines := yamlschema.SampleLines(root)
	keys := yamlschema.WriteYAML(root, lines)
	yamlschema.Walk("", root, func(_ string, s *jsonschema.Schema) { loosen(s) })
	root.Version = jsonschema.Version
	root.Title = "Deployment file of gateassay"
	root.Description = "Where a gateway is, which credentials and fixtures a run may use, " +
		"and names that the API document does not specify."
	credentials := root.Properties.Value("credentials")
	credentials.AnyOf = nil
	for _, name := range []string{"platform_token", "api_key"} {
		given := &jsonschema.Schema{
			Type: "object", Properties: jsonschema.NewProperties(), Required: []string{name},
		}
		given.Properties.Set(name, &jsonschema.Schema{Not: &jsonschema.Schema{Type: "null"}})
		credentials.AnyOf = append(credentials.AnyOf, given)
	}
	commented := "#" + strings.ReplaceAll(strings.ReplaceAll(keys, "\n#", "\n"), "\n", "\n#")
	for path, want := range map[string]string{
		"schema.json":  string(testmust.Get(json.MarshalIndent(root, "", "  "))(t)) + "\n",
		"settings.txt": strings.TrimSuffix(commented, "#"),
		"../../docs/deployment.md": strings.Replace(string(testmust.Get(os.ReadFile("reference.md"))(t)),
			"<!-- keys -->\n", "```yaml\n"+keys+"```\n", 1),
	} {
		if *update {
			testmust.Succeed(t, os.WriteFile(path, []byte(want), 0o644))
		}
		if string(testmust.Get(os.ReadFile(path))(t)) != want {
			t.Errorf("%s is out of date: go generate ./internal/settings writes it again", path)
		}
	}
}

// loosen makes a schema accept everything that an editor cannot judge: references, short forms,
// and keys without values. Problems that depend on the environment or on several keys only show
// when a file is read.
func loosen(s *jsonschema.Schema) {
	forms := []*jsonschema.Schema{{Type: s.Type, OneOf: s.OneOf}, {Type: "null"}}
	switch {
	case s.Items != nil:
		loosen(s.Items)
	case s.Type == "object" && s.Properties == nil:
		loosen(s.AdditionalProperties)
	case s.Type != "object" && s.Type != "string":
		forms = append(forms, &jsonschema.Schema{Type: "string", Pattern: `^file:|\$\{`})
	}
	if short, _ := s.Extras["scalar"].(string); short != "" {
		forms = append(forms, &jsonschema.Schema{Type: "string"})
	}
	s.AnyOf, s.OneOf, s.Type, s.Format, s.Extras = forms, nil, "", "", nil
	s.PropertyNames = nil
}
