package deployment

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/gateway/must"
)

//go:generate go test -run TestGeneratedFilesAreFresh -update .

var update = flag.Bool("update", false, "write the generated documents")

// The schema, the settings and the reference follow from the comments of the structs.
func TestGeneratedFilesAreFresh(t *testing.T) {
	f := format()
	f.Source = "."
	root := f.ForEditors()
	root.Title = "Deployment file of gateassay"
	root.Description = "Where a gateway is, which credentials and fixtures a run may use, " +
		"and names that the API document does not specify."
	credentials := root.Properties.Value("credentials")
	credentials.AnyOf = nil
	for _, name := range []string{"platform_token", "api_key"} {
		given := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), Required: []string{name}}
		given.Properties.Set(name, &jsonschema.Schema{Not: &jsonschema.Schema{Type: "null"}})
		credentials.AnyOf = append(credentials.AnyOf, given)
	}
	keys := "```yaml\n" + f.Write(f.Lines()) + "```\n"
	for path, want := range map[string]string{
		"schema.json":              string(must.Get(json.MarshalIndent(root, "", "  "))(t)) + "\n",
		"settings.txt":             f.Commented(),
		"../../docs/deployment.md": strings.Replace(string(must.Get(os.ReadFile("reference.md"))(t)), "<!-- keys -->\n", keys, 1),
	} {
		if *update {
			must.Succeed(t, os.WriteFile(path, []byte(want), 0o644))
		}
		if string(must.Get(os.ReadFile(path))(t)) != want {
			t.Errorf("%s is out of date: go generate ./gateway/deployment writes it again", path)
		}
	}
}
