package deployment

import (
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// JSONSchemaExtend adds to the schema of a deployment file what struct tags cannot express.
func (File) JSONSchemaExtend(root *jsonschema.Schema) {
	defaults, samples := documentedDefaults(), sampleValues()
	representative := root.Properties.Value("legal_representative")
	restrictKeys(representative, "fields", "field_path", creationfields.All())
	restrictKeys(representative.Properties.Value("documents"), "parts", "part", uploadParts())
	yamlschema.Walk("", root, func(path string, s *jsonschema.Schema) {
		_, key, ofCredential := strings.Cut(path, "credentials.")
		if at := strings.Index(key, "oauth2."); at >= 0 {
			path = key[at:] // the same for every credential
		}
		if value, ok := defaults[path]; ok {
			s.Default = value
		}
		if sample, ok := samples[path]; ok {
			yamlschema.SetExtra(s, "sample", sample)
		}
		if ofCredential && slices.Contains(publicKeys(), key[strings.LastIndex(key, ".")+1:]) {
			yamlschema.SetExtra(s, "secret", false)
		}
	})
}

// publicKeys returns the keys of a credential that hold no secret.
func publicKeys() []string {
	return []string{"command", "refresh", "token_url", "client_id", "scope"}
}

// documentedDefaults returns defaults by dotted key: those of the API document, and a rate of
// requests that any gateway can handle.
func documentedDefaults() map[string]any {
	return map[string]any{
		"legal_representative.path":                   "/v3/users/legal-representatives",
		"legal_representative.headers.transaction_id": "x-transaction-uuid",
		"legal_representative.headers.nonce":          "nonce",
		"legal_representative.headers.language":       "x-lang",
		"legal_representative.headers.on_behalf_of":   "x-product-target-user-uuid",
		"legal_representative.documents.path":         "/users/legal-representatives/{id}/documents",
		"export.path":                                 "/v1/reports/quote-statement/exports",
		"limits.requests_per_second":                  20,
	}
}

// sampleValues returns, by dotted key, the YAML that the template shows for keys without a
// default.
func sampleValues() map[string]string {
	return map[string]string{ //nolint:gosec // the names of variables, and no secrets
		"name":                                "staging",
		"base_url":                            "${GATEWAY_URL}",
		"headers":                             "{x-environment: staging}",
		"proxy":                               "http://proxy.example:3128",
		"credentials.platform_token":          "${GATEWAY_TOKEN}",
		"credentials.api_key":                 "${GATEWAY_API_KEY}",
		"credentials.expired_token":           "${GATEWAY_EXPIRED_TOKEN}",
		"credentials.not_yet_valid_token":     "${GATEWAY_NOT_YET_VALID_TOKEN}",
		"credentials.revoked_api_key":         "${GATEWAY_REVOKED_API_KEY}",
		"credentials.unprivileged":            `{bearer: "${GATEWAY_UNPRIVILEGED_TOKEN}"}`,
		"credentials.other_user":              `{bearer: "${GATEWAY_OTHER_USER_TOKEN}"}`,
		"legal_representative.field_types":    "{address.number: number}",
		"legal_representative.documents.form": "{identity_document_type: cnh}",
		"export.file.request":                 "GET /v1/files/{file_id}",
		"export.file.headers":                 `{nonce: "{uuid}"}`,
		"export.file.state.pointer":           "/state",
		"export.file.state.ready":             "[READY]",
		"export.file.state.failed":            "[ERROR, ABORTED]",
		"export.file.url":                     "/url",
		"export.csv.columns.id":               "id",
		"export.csv.columns.client_id":        "client_id",
		"export.csv.columns.wallet_id":        "wallet_id",
		"export.csv.columns.quote_created_at": "quote_created_at",
		"export.csv.columns.settled_date":     "settled_date",
		"export.csv.time_zone":                "UTC",
		"fixtures.shareholder_id":             "7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b01",
		"fixtures.foreign_shareholder_id":     "7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b02",
		"fixtures.product_id":                 "7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b03",
		"fixtures.target_user_id":             "7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b04",
		"fixtures.target_user_shareholder_id": "7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b07",
		"fixtures.default_wallet_id":          "7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b05",
		"fixtures.other_wallet_id":            "7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b06",
		"fixtures.client_id":                  `"client-42"`,
		"fixtures.window.start":               "2025-01-01T00:00:00Z",
		"fixtures.window.end":                 "2025-02-01T00:00:00Z",
		"load.max_rate":                       "500",
		"load.credentials":                    "- ${GATEWAY_LOAD_TOKEN}",
		"tls.ca_file":                         "ca.pem",
		"tls.client_cert":                     "client.pem",
		"tls.client_key":                      "client.key",
		"waivers": `- {rule: create.required.*, reason: "GW-123, text until 2.4", ` +
			"until: 2026-12-31}",
		"waivers.rule":         "create.required.*",
		"waivers.reason":       "why it is accepted",
		"waivers.until":        "2026-12-31",
		"oauth2.token_url":     "https://a.example/token",
		"oauth2.client_id":     "gateassay",
		"oauth2.client_secret": "${CLIENT_SECRET}",
	}
}

// uploadParts returns the documents of a representative.
func uploadParts() []creationfields.Field {
	return []creationfields.Field{
		{Name: "selfie", Preset: "selfie", Doc: "The representative's selfie."},
		{Name: "identity_document", Preset: "identity_document", Doc: "The ID, CNH or passport."},
		{
			Name: "qualification_declaration", Preset: "qualification_declaration",
			Doc: "The declaration of powers.",
		},
	}
}

// restrictKeys allows only some keys in a mapping.
func restrictKeys(s *jsonschema.Schema, key, format string, list []creationfields.Field) {
	table := s.Properties.Value(key)
	table.Properties, table.AdditionalProperties = jsonschema.NewProperties(), jsonschema.FalseSchema
	for _, f := range list {
		value := &jsonschema.Schema{Type: "string", Format: format, Default: f.Preset, Description: f.Doc}
		if strings.HasPrefix(f.Name, "address.") { // follows the address
			value.Default, value.Extras = nil, map[string]any{"sample": f.Preset}
		}
		table.Properties.Set(f.Name, value)
	}
}
