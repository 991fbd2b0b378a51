// Package settings writes what a deployment file may hold: as a template, as an example of some
// keys and as a schema for editors.
package settings

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// Line is a line of a deployment file: a dotted key, its value in YAML and a comment. Either
// may be empty.
type Line = yamlschema.Line

// Starter are the settings that a deployment file begins with: those that unlock most
// rules.
func Starter() []Line {
	return []Line{
		{Key: "name", Value: "staging", Comment: "what reports call this deployment"},
		{Key: "base_url", Value: "${GATEWAY_URL}", Comment: "such as https://gateway.example"},
		{
			Key:     "credentials.platform_token",
			Value:   "${GATEWAY_TOKEN}",
			Comment: "from the environment: keep secrets out of this file",
		},
		{Key: "fixtures.shareholder_id", Comment: "UUID of a shareholder of that user: unlocks create.*"},
		{
			Key:     "fixtures.window",
			Comment: "two dates with at least 20 quotes between them: unlocks export.range.* and others",
		},
		{Key: "fixtures.window.start", Comment: "such as 2025-01-01T00:00:00Z"},
		{Key: "fixtures.window.end", Comment: "such as 2025-02-01T00:00:00Z"},
		{Key: "export.file", Comment: "how a finished file is fetched: unlocks export.file.*"},
		{Key: "export.file.request", Comment: "such as GET /v1/files/{file_id}"},
	}
}

//go:embed settings.txt
var allSettings string

//go:embed template.txt
var templateFrame string

// Replace returns the settings with others: those of the same keys are replaced.
func Replace(settings, others []Line) []Line {
	replaced := func(s Line) bool {
		return slices.ContainsFunc(others, func(o Line) bool { return o.Key == s.Key })
	}
	return append(slices.DeleteFunc(slices.Clone(settings), replaced), others...)
}

// buildSchema is the schema of deployment files without comments.
func buildSchema() *jsonschema.Schema { return yamlschema.FromStruct(deployment.File{}, "") }

// Template is a deployment file that begins with some settings; every setting with its meaning
// follows, commented out.
func Template(settings []Line) []byte {
	return fmt.Appendf(nil, templateFrame, yamlschema.WriteYAML(buildSchema(), settings), allSettings)
}

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of the deployment file, for editors.
func Schema() []byte { return schema }

// Example is the part of a deployment file that gives some keys, dotted as in
// "fixtures.client_id", with the values that the template shows: each mapping once, in the order of
// the template. What note says of a key becomes a comment above it. Keys that no deployment file
// has are left out.
func Example(keys []string, note func(key string) string) string {
	if len(keys) == 0 {
		return ""
	}
	root := buildSchema()
	lines := yamlschema.SampleLines(root, keys...)
	for i := range lines {
		lines[i].Comment = note(lines[i].Key)
	}
	return yamlschema.WriteYAML(root, lines)
}
