package deployment_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
)

func TestExampleIsWhatADeploymentFileTakes(t *testing.T) {
	keys := []string{
		"fixtures.client_id", "export.file", "fixtures.window", "credentials.other_user", "credentials.expired_token",
		"credentials.api_key", "fixtures.shareholder_id", "no.such_key", "fixtures.no_such",
		"legal_representative.headers.nonce", "legal_representative.documents",
	}
	got := deployment.Example(
		keys, func(key string) string { return map[string]string{"export.file": "unlocks 21 rules"}[key] })
	for _, want := range []string{
		"fixtures:\n  shareholder_id: ",
		"\n  client_id: \"client-42\"\n  window:\n    start: 2025-01-01T00:00:00Z\n    end: 2025-02-01T00:00:00Z\n",
		"export:\n  # unlocks 21 rules\n  file:\n    request: GET /v1/files/{file_id}\n",
		"    state:\n      pointer: /state\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from\n%s", want, got)
		}
	}
	if strings.Contains(got, "no_such") || strings.Count(got, "\nfixtures:") != 1 {
		t.Error(got)
	}
}

// The lines, put into the least that a deployment file needs, are a deployment file, in which those keys are given.
func TestExampleCompletesADeploymentFile(t *testing.T) {
	keys := []string{
		"credentials.api_key", "credentials.expired_token", "credentials.unprivileged", "credentials.other_user",
		"export.file", "legal_representative.documents", "fixtures.shareholder_id", "fixtures.foreign_shareholder_id",
		"fixtures.product_id", "fixtures.target_user_id", "fixtures.default_wallet_id", "fixtures.client_id",
		"fixtures.window", "legal_representative.headers.nonce",
	}
	lines := deployment.Example(keys, func(string) string { return "a comment" })
	lines = strings.Replace(lines, "credentials:\n", "credentials:\n  platform_token: t0ken-of-the-platform\n", 1)
	got, err := deployment.Parse("x.yaml", t.TempDir(), []byte("name: x\nbase_url: https://gateway.example\n"+lines),
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
