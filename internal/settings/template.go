// Package settings writes the settings of a deployment file as a template, as an example of some
// keys, and as a schema for editors.
package settings

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// Line is a line of a deployment file: a dotted key, its value in YAML and a comment. Value and
// Comment may be empty.
type Line = yamlschema.Line

// Starter returns the settings that a new deployment file starts with: those that unlock most
// rules.
func Starter() []Line {
	return []Line{
		{Key: "name", Value: "staging", Comment: "what reports call this deployment"},
		{Key: "base_url", Value: "${GATEWAY_URL}", Comment: "such as https://gateway.example"},
		{
			Key: "credentials.platform_token", Value: "${GATEWAY_TOKEN}",
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

// Replace returns settings with others added; others replace settings of the same keys.
func Replace(settings, others []Line) []Line {
	replaced := func(s Line) bool {
		return slices.ContainsFunc(others, func(o Line) bool { return o.Key == s.Key })
	}
	return append(slices.DeleteFunc(slices.Clone(settings), replaced), others...)
}

// Quote returns a text from elsewhere as the value of a setting. What a deployment or its
// description says must not make a deployment file read from this machine: references are escaped,
// and a text that begins as one to a file gets a space before it, which Refusal then reports.
func Quote(text string) string {
	if strings.HasPrefix(text, "file:") {
		text = " " + text
	}
	return strconv.Quote(strings.ReplaceAll(text, "${", "$${"))
}

// Refusal returns why a deployment file cannot hold some settings; empty: it can. It supplies the
// required ones and skips those without a value.
func Refusal(settings []Line) string {
	usable := []Line{
		{Key: "name", Value: "x"},
		{Key: "base_url", Value: "http://x"},
		{Key: "credentials.platform_token", Value: "x"},
	}
	for _, s := range settings {
		if s.Value != "" {
			usable = Replace(usable, []Line{s})
		}
	}
	_, err := deployment.Parse("", ".", Template(usable),
		func(string) (string, bool) { return "", false })
	if wrong, refused := errors.AsType[*strictyaml.Problems](err); refused {
		return wrong.All[0].Message
	}
	return ""
}

// buildSchema returns the schema of deployment files without descriptions.
func buildSchema() *jsonschema.Schema { return yamlschema.FromStruct(deployment.File{}, "") }

// Template returns a deployment file that starts with some settings. All settings follow,
// commented out, with their meaning.
func Template(settings []Line) []byte {
	return fmt.Appendf(nil, templateFrame, yamlschema.WriteYAML(buildSchema(), settings), allSettings)
}

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (draft 2020-12) of the deployment file, for editors.
func Schema() []byte { return schema }

// Example returns the part of a deployment file that gives some dotted keys, such as
// "fixtures.client_id", the values of the template. Mappings are merged and in the order of the
// template. The text that note returns for a key becomes its comment. Unknown keys are skipped.
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
