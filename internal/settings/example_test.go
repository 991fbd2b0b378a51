package settings_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/settings"
)

// TestExampleCompletesADeploymentFile checks that the example, put into a minimal deployment
// file, gives the requested keys.
func TestExampleCompletesADeploymentFile(t *testing.T) {
	keys := strings.Fields(
		"credentials.api_key credentials.expired_token credentials.unprivileged fixtures.client_id " +
			"credentials.other_user export.file legal_representative.documents fixtures.shareholder_id " +
			"fixtures.window fixtures.foreign_shareholder_id fixtures.product_id fixtures.target_user_id " +
			"fixtures.default_wallet_id legal_representative.headers.nonce",
	)
	lines := settings.Example(append(keys, "no.such_key", "fixtures.no_such"),
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
	if all := settings.Example(nil, nil); all != "" {
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
