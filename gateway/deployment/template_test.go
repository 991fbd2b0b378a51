package deployment

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/gateassay/gateassay/gateway/strictyaml"
)

var templateEnvironment = environment(map[string]string{
	"GATEWAY_URL": "https://gw.example", "GATEWAY_TOKEN": "t", "GATEWAY_API_KEY": "k", "GATEWAY_EXPIRED_TOKEN": "e",
	"GATEWAY_UNPRIVILEGED_TOKEN": "u", "GATEWAY_OTHER_TOKEN": "o",
	"GATEWAY_REVOKED_API_KEY": "r", "GATEWAY_LOAD_TOKEN": "l",
})

// everything is the template with every setting in use.
func everything() []byte {
	return regexp.MustCompile(`(?m)^( *)#([^ ])`).ReplaceAll(Template(), []byte("$1$2"))
}

func TestTemplateParses(t *testing.T) {
	f, err := Parse("t.yaml", t.TempDir(), Template(), templateEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "base_url", f.BaseURL, "https://gw.example")
	equal(t, "keys in use", len(f.given), 4) // name, base_url, credentials and the token
}

func TestTemplateParsesWithEverythingInUse(t *testing.T) {
	dir := t.TempDir()
	certificate, key := pair(t)
	for name, text := range map[string]string{"ca.pem": certificate, "client.pem": certificate, "client.key": key} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Parse("t.yaml", dir, everything(), templateEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "CA file", f.TLS.CAFile, filepath.Join(dir, "ca.pem"))
	equal(t, "other user", f.Credentials.OtherUser.Value, "o")
	inner := regexp.MustCompile(`^(waivers|credentials\.\w+|load\.credentials)\.`) // of items, and of other ways to write one
	var missing []string
	format().Root(File{}).Walk(func(path string, k *strictyaml.Key) {
		if (k.Sample != "" || k.Default != "") && !inner.MatchString(path) && !f.Has(path) {
			missing = append(missing, path)
		}
	})
	if len(missing) > 0 {
		t.Errorf("the template lacks %v", missing)
	}
	for _, k := range format().Root(File{}).Keys {
		if !regexp.MustCompile("\n#?" + k.Name + ":").Match(Template()) {
			t.Errorf("no %s", k.Name)
		}
	}
}
