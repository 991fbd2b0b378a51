package deployment

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/invopop/jsonschema"
)

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of the deployment file, for editors.
func Schema() []byte { return schema }

// pages are the files that follow from the comments of the structs, which are in the folder of this package.
func pages() (map[string]string, error) {
	f := format()
	f.Source = "."
	root := f.ForEditors()
	root.Title = "Deployment file of gateassay"
	root.Description = "Where a gateway is, which credentials and fixtures a run may use, " +
		"and names that the API document does not specify."
	credentials, _ := root.Properties.Get("credentials")
	credentials.AnyOf = []*jsonschema.Schema{present("platform_token"), present("api_key")}
	data, err := json.MarshalIndent(root, "", "  ")
	return map[string]string{
		"schema.json":              string(bytes.TrimSpace(data)) + "\n",
		"settings.txt":             f.Commented(),
		"../../docs/deployment.md": strings.Replace(reference, "<!-- keys -->\n", "```yaml\n"+f.Write(f.Lines())+"```\n", 1),
	}, err
}

func present(name string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), Required: []string{name}}
	s.Properties.Set(name, &jsonschema.Schema{Not: &jsonschema.Schema{Type: "null"}})
	return s
}

// Example is the part of a deployment file that gives some keys, dotted as in "fixtures.client_id", with the values
// that the template shows: each mapping once, in the order of the template. What note says of a key becomes a comment
// above it. Keys that no deployment file has are left out.
func Example(keys []string, note func(key string) string) string {
	if len(keys) == 0 {
		return ""
	}
	lines := format().Lines(keys...)
	for i := range lines {
		lines[i].Comment = note(lines[i].Key)
	}
	return format().Write(lines)
}

// reference is the prose of docs/deployment.md: what comes before the keys, about credentials, and after them.
//
//go:embed reference.md
var reference string
