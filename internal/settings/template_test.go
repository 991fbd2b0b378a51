package settings

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
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
