package settings

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// templateEnvironment looks up the variables that the template uses.
func templateEnvironment(name string) (string, bool) {
	value, ok := map[string]string{
		"GATEWAY_URL": "https://gw.example", "GATEWAY_TOKEN": "t", "GATEWAY_API_KEY": "k",
		"GATEWAY_EXPIRED_TOKEN": "e", "GATEWAY_NOT_YET_VALID_TOKEN": "n",
		"GATEWAY_UNPRIVILEGED_TOKEN": "u", "GATEWAY_OTHER_USER_TOKEN": "o",
		"GATEWAY_REVOKED_API_KEY": "r", "GATEWAY_LOAD_TOKEN": "l",
	}[name]
	return value, ok
}

// everything returns the settings of the template, uncommented.
func everything() []byte {
	_, rest, _ := bytes.Cut(Template(nil), []byte("# All settings."))
	return regexp.MustCompile(`(?m)^#(  |[^ ])`).ReplaceAll(append([]byte("# All settings."), rest...),
		[]byte("$1"))
}

func TestTemplateBeginsWithWhatUnlocksMost(t *testing.T) {
	empty := testmust.Get(deployment.Parse("t.yaml", t.TempDir(), Template(Starter()),
		templateEnvironment))(t)
	for _, key := range []string{"fixtures", "fixtures.window", "export"} {
		if empty.Has(key) { // keys without values count as not given
			t.Errorf("%s is given", key)
		}
	}
	head, _, _ := strings.Cut(string(Template(Starter())), "\n\n")
	if lines := strings.Count(head, "\n") + 1; lines > 15 {
		t.Errorf("the head has %d lines:\n%s", lines, head)
	}
	filled := strings.NewReplacer("  shareholder_id:",
		"  shareholder_id: 7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b01", "    start:",
		"    start: 2025-01-01T00:00:00Z", "    end:", "    end: 2025-02-01T00:00:00Z", "    request:",
		"    request: GET /v1/files/{file_id}").Replace(head)
	f := testmust.Get(deployment.Parse("t.yaml", t.TempDir(), []byte(filled), templateEnvironment))(t)
	for _, key := range []string{"fixtures.shareholder_id", "fixtures.window", "export.file"} {
		if !f.Has(key) {
			t.Errorf("%s is not in use when it is filled in", key)
		}
	}
}

func TestTemplateParsesWithEverythingInUse(t *testing.T) {
	dir := t.TempDir()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	pair := server.TLS.Certificates[0]
	secret := testmust.Get(x509.MarshalPKCS8PrivateKey(pair.PrivateKey))(t)
	certificate := pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}
	for name, block := range map[string]pem.Block{
		"ca.pem": certificate, "client.pem": certificate,
		"client.key": {Type: "PRIVATE KEY", Bytes: secret},
	} {
		testmust.Succeed(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(&block), 0o600))
	}
	f := testmust.Get(deployment.Parse("t.yaml", dir, everything(), templateEnvironment))(t)
	testmust.Equal(t, f.TLS.CAFile, filepath.Join(dir, "ca.pem"))
	testmust.Equal(t, f.Credentials.OtherUser.Value, "o")
	// keys of list items and of credentials in long form
	inner := regexp.MustCompile(`^(waivers|credentials\.\w+|load\.credentials)\.`)
	var missing []string
	yamlschema.Walk("", buildSchema(), func(path string, s *jsonschema.Schema) {
		if (s.Extras["sample"] != nil || s.Default != nil) && !inner.MatchString(path) && !f.Has(path) {
			missing = append(missing, path)
		}
	})
	if len(missing) > 0 {
		t.Errorf("the template lacks %v", missing)
	}
	for name := range buildSchema().Properties.KeysFromOldest() {
		if !regexp.MustCompile("\n#" + name + ":").Match(Template(nil)) {
			t.Errorf("no %s", name)
		}
	}
}

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

// TestExampleCompletesADeploymentFile checks that the example, put into a minimal deployment
// file, gives the requested keys.
func TestExampleCompletesADeploymentFile(t *testing.T) {
	keys := strings.Fields(
		"credentials.api_key credentials.expired_token credentials.unprivileged fixtures.client_id " +
			"credentials.other_user export.file legal_representative.documents fixtures.shareholder_id " +
			"fixtures.window fixtures.foreign_shareholder_id fixtures.product_id fixtures.target_user_id " +
			"fixtures.default_wallet_id legal_representative.headers.nonce",
	)
	lines := Example(append(keys, "no.such_key", "fixtures.no_such"),
		func(key string) string { return map[string]string{"export.file": "unlocks 21 rules"}[key] })
	for _, want := range []string{
		"\n  client_id: \"client-42\"\n  window:\n    start: 2025-01-01T00:00:00Z\n    end: " +
			"2025-02-01T00:00:00Z\n",
		"export:\n  file:  # unlocks 21 rules\n    request: GET /v1/files/{file_id}\n",
		"    state:\n      pointer: /state\n",
	} {
		if !strings.Contains(lines, want) || strings.Contains(lines, "no_such") {
			t.Errorf("%q is missing from\n%s", want, lines)
		}
	}
	if all := Example(nil, nil); all != "" {
		t.Errorf("without keys, the example is\n%s", all)
	}
	lines = strings.Replace(lines, "credentials:\n",
		"credentials:\n  platform_token: t0ken-of-the-platform\n", 1)
	got, err := deployment.Parse("x.yaml", t.TempDir(),
		[]byte("name: x\nbase_url: https://gateway.example\n"+lines),
		func(name string) (string, bool) { return "value-of-" + name, true })
	if err != nil {
		t.Fatalf("%v\n%s", err, lines)
	}
	for _, key := range keys {
		if !got.Has(key) {
			t.Errorf("%s is not given by\n%s", key, lines)
		}
	}
}
