// Package editor_test tests the schema that editors use for deployment files.
package editor_test

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/settings"
	"github.com/gateassay/gateassay/internal/testmust"
)

const minimal = "name: a\nbase_url: http://localhost:8080/\ncredentials: {api_key: key}\n"

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document := testmust.Get(jsonschema.UnmarshalJSON(bytes.NewReader(settings.Schema())))(t)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	testmust.Succeed(t, compiler.AddResource("deployment.json", document))
	return testmust.Get(compiler.Compile("deployment.json"))(t)
}

// plain converts YAML to the values that an editor's validator sees: dates are text.
func plain(t *testing.T, n *yaml.Node) any {
	t.Helper()
	switch n.Kind {
	case yaml.DocumentNode:
		return plain(t, n.Content[0])
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(t, n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, child := range n.Content {
			list = append(list, plain(t, child))
		}
		return list
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return n.Value == "true"
	case "!!int", "!!float":
		return testmust.Get(strconv.ParseFloat(n.Value, 64))(t)
	}
	return n.Value
}

func validate(t *testing.T, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	var n yaml.Node
	testmust.Succeed(t, yaml.Load(text, &n))
	return schema.Validate(plain(t, &n))
}

func TestSchemaAcceptsWhatParseAccepts(t *testing.T) {
	sample := testmust.Get(os.ReadFile("../../../gateway/deployment/testdata/full.yaml"))(t)
	template := settings.Template(settings.Starter())
	_, all, _ := bytes.Cut(settings.Template(nil), []byte("# All settings."))
	everything := regexp.MustCompile(`(?m)^#(  |[^ ])`).ReplaceAll(append([]byte("# All settings."),
		all...),
		[]byte("$1"))
	schema := compiled(t)
	for name, text := range map[string][]byte{
		"template": template, "everything": everything, "sample": sample, "minimal": []byte(minimal),
		"empty values": []byte(minimal +
			"fixtures: {shareholder_id: '', product_id: , window: }\nlimits: {timeout: }\nwaivers: []\n"),
		"whole float": []byte(minimal + "limits: {requests_per_second: 0.5}\n"),
	} {
		if err := validate(t, schema, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaRejectsWhatParseRejects(t *testing.T) {
	schema := compiled(t)
	for _, text := range []string{
		"tls: {}", "name: 3\nbase_url: http://h\ncredentials: {api_key: k}",
		"name: a\nbase_url: http://h\ncredentials: {other_user: k}",
		"name: a\nbase_url: http://h\ncredentials: {api_key: 3}",
		"name: a\nbase_url: http://h\ncredentials: {api_key: }",
		"name: a\nbase_url: http://h\ncredentials: {api_key: {basic: a}}",
		"name: a\nbase_url: http://h\ncredentials: {api_key: {bearer: a, api_key: b}}",
		"name: a\nbase_url: http://h", "name:\nbase_url: http://h\ncredentials: {api_key: k}",
		minimal + "unknown: 1", minimal + "limits: {inflight: 3}", minimal + "limits: {in_flight: many}",
		minimal + "limits: {in_flight: 0}",
		minimal + "limits: {in_flight: 1.5}", minimal + "limits: {max_creates: -1}",
		minimal + "limits: {timeout: 15}",
		minimal + "limits: {requests_per_second: '20'}", minimal + "load: {allow: yes}",
		minimal + "load: {max_rate: 0}", minimal + "load: always",
		minimal + "fixtures: {client_id: 42}", minimal + "fixtures: {product_id: x}",
		minimal + "fixtures: {window: {start: 3, end: 4}}",
		minimal + "export: {file: {request: 'GET /f/{file_id}', headers: {a: 1}}}",
		minimal + "export: {file: {request: 'GET /f/{file_id}', state: {pointer: /a, ready: []}}}",
		minimal + "export: {file: {request: 'GET /f/{file_id}', state: {pointer: /a, ready: A}}}",
		minimal + "legal_representative: {fields: {adress: a}}",
		minimal + "legal_representative: {field_types: {address.number: integer}}",
		minimal + "legal_representative: {documents: {parts: {selfy: a}}}",
		minimal + "waivers: [{rule: create.a, until: 2026-01-01}]", minimal + "waivers: {rule: a}",
		minimal + "waivers: [{rule: create.a, reason: b, until: soon}]",
	} {
		if _, err := deployment.Parse("t.yaml", "", []byte(text),
			func(string) (string, bool) { return "", false }); err == nil {
			t.Errorf("Parse accepts:\n%s", text)
		}
		if err := validate(t, schema, []byte(text)); err == nil {
			t.Errorf("the schema accepts:\n%s", text)
		}
	}
}
