package deployment

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/internal/yamlschema"
)

// SettingLine is a line of a deployment file: a dotted key, its value in YAML and a comment. Either
// may be empty.
type SettingLine = yamlschema.Line

// StarterSettings are the settings that a deployment file begins with: those that unlock most
// rules.
func StarterSettings() []SettingLine {
	return []SettingLine{
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

// ReplaceSettings returns the settings with others: those of the same keys are replaced.
func ReplaceSettings(settings, others []SettingLine) []SettingLine {
	replaced := func(s SettingLine) bool {
		return slices.ContainsFunc(others, func(o SettingLine) bool { return o.Key == s.Key })
	}
	return append(slices.DeleteFunc(slices.Clone(settings), replaced), others...)
}

// Template is a deployment file that begins with some settings; every setting with its meaning
// follows, commented out.
func Template(settings []SettingLine) []byte {
	return fmt.Appendf(nil, templateFrame, yamlschema.WriteYAML(buildSchema(), settings), allSettings)
}

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of the deployment file, for editors.
func Schema() []byte { return schema }

// ExampleYAML is the part of a deployment file that gives some keys, dotted as in
// "fixtures.client_id", with the values that the template shows: each mapping once, in the order of
// the template. What note says of a key becomes a comment above it. Keys that no deployment file
// has are left out.
func ExampleYAML(keys []string, note func(key string) string) string {
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
