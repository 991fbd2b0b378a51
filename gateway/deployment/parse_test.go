package deployment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// environment looks variables up in a map.
func environment(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := pairs[name]
		return value, ok
	}
}

var fullEnvironment = environment(map[string]string{
	"GATEWAY_TOKEN": "main-token", "GATEWAY_API_KEY": "main-key", "GATEWAY_EXPIRED": "old-token",
	"GATEWAY_UNPRIVILEGED": "small-token", "IN_FLIGHT": "8",
})

func full(t *testing.T) *File {
	t.Helper()
	data, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := Parse("full.yaml", "testdata", data, fullEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestEveryKeyIsRead(t *testing.T) {
	f := full(t)
	equal(t, "name", f.Name, "staging")
	equal(t, "platform_token", *f.Credentials.PlatformToken, Credential{"platform_token", Bearer, "main-token"})
	equal(t, "api_key", *f.Credentials.APIKey, Credential{"api_key", APIKey, "main-key"})
	equal(t, "expired_token", *f.Credentials.ExpiredToken, Credential{"expired_token", Bearer, "old-token"})
	equal(t, "unprivileged", *f.Credentials.Unprivileged, Credential{"unprivileged", Bearer, "small-token"})
	equal(t, "other_user", *f.Credentials.OtherUser, Credential{"other_user", APIKey, "other-key"})
	equal(t, "address.city", f.LegalRepresentative.Fields["address.city"], "addr.town")
	equal(t, "address.zip_code", f.LegalRepresentative.Fields["address.zip_code"], "addr.zip_code")
	equal(t, "mother_name", f.LegalRepresentative.Fields["mother_name"], "mother_name")
	equal(t, "field type", f.LegalRepresentative.FieldTypes["address.number"], "number")
	equal(t, "part", f.LegalRepresentative.Documents.Parts["selfie"], "photo")
	equal(t, "request", f.Export.File.Request, "GET /v1/files/{file_id}")
	equal(t, "header", f.Export.File.Headers["nonce"], "{uuid}")
	equal(t, "states", strings.Join(f.Export.File.State.Failed, " "), "ERROR ABORTED")
	equal(t, "retrieval timeout", f.Export.File.Timeout, 90*time.Second)
	equal(t, "zone", f.Export.CSV.TimeZone, "America/Sao_Paulo")
	equal(t, "window", f.Fixtures.Window.End.Sub(f.Fixtures.Window.Start), 31*24*time.Hour)
	equal(t, "rate", f.Limits.RequestsPerSecond, 0)
	equal(t, "in flight", f.Limits.InFlight, 8)
	equal(t, "load", f.Load.Allow, true)
	equal(t, "rate of load", f.Load.MaxRate, 500)
	equal(t, "waiver", f.Waivers[0].Until, time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC))
	equal(t, "fields", len(f.LegalRepresentative.Fields), len(LogicalFields()))
}

func TestLoadMayBeSentAsSeveralUsers(t *testing.T) {
	f, err := parse(minimal + "load: {allow: true, credentials: [one-token-of-many, {api_key: key-of-another}]}\n")
	if err != nil {
		t.Fatal(err)
	}
	users := f.LoadCredentials()
	if len(users) != 2 || users[0].Method != Bearer || users[0].Value != "one-token-of-many" || users[1].Method != APIKey || users[1].Name != "load.credentials[1]" {
		t.Fatalf("%v", users)
	}
	if f.Secrets()["load.credentials[0]"] != "one-token-of-many" {
		t.Error("the redactor would not know them")
	}
	_, err = parse(minimal + "load: {credentials: [{token: secret-token-here}]}\n")
	if err == nil || strings.Contains(err.Error(), "secret-token-here") {
		t.Errorf("%v", err)
	}
	if f, err = parse(minimal); err != nil || len(f.LoadCredentials()) != 1 || f.LoadCredentials()[0].Name != "api_key" {
		t.Errorf("without the list: %v, %v", f.LoadCredentials(), err)
	}
}

const minimal = "name: a\nbase_url: http://localhost:8080/\ncredentials: {api_key: key}\n"

func parse(text string) (*File, error) {
	return Parse("t.yaml", "testdata", []byte(text), fullEnvironment)
}

func TestDefaults(t *testing.T) {
	f, err := parse(minimal)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "base_url", f.BaseURL, "http://localhost:8080")
	equal(t, "main credential", f.Credentials.Main().Name, "api_key")
	equal(t, "create path", f.LegalRepresentative.Path, "/v3/users/legal-representatives")
	equal(t, "headers", f.LegalRepresentative.Headers, CreateHeaders{"x-transaction-uuid", "nonce", "x-lang", "x-product-target-user-uuid"})
	equal(t, "qualification", f.LegalRepresentative.Fields["qualification"], "representor_type")
	equal(t, "export path", f.Export.Path, "/v1/reports/quote-statement/exports")
	equal(t, "limits", f.Limits, Limits{RequestsPerSecond: 20, InFlight: 16, Timeout: 15 * time.Second, MaxCreates: 80})
	equal(t, "load", f.Load.Allow, false)
	if f.Export.File != nil || f.LegalRepresentative.Documents != nil || f.Fixtures.Window != nil {
		t.Error("defaults made up a mapping that the document does not have")
	}
	f, err = parse(minimal + "export: {file: {request: 'GET /f/{file_id}'}}\nlegal_representative: {documents: {one_request_per_document: true}}")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "retrieval timeout", f.Export.File.Timeout, time.Minute)
	equal(t, "documents path", f.LegalRepresentative.Documents.Path, "/users/legal-representatives/{id}/documents")
	equal(t, "parts", len(f.LegalRepresentative.Documents.Parts), 3)
}

func TestHasKnowsWhatTheDocumentGave(t *testing.T) {
	f := full(t)
	for _, key := range []string{
		"fixtures.shareholder_id", "export.file", "credentials.other_user", "legal_representative.documents", "export.csv.time_zone",
		"legal_representative.headers.nonce", "export.csv.columns.id", "legal_representative.fields.address.city", "waivers", "load.allow",
	} {
		equal(t, "Has("+key+")", f.Has(key), true)
	}
	for _, key := range []string{"tls.ca_file", "legal_representative.fields.address.street", "legal_representative.documents.form"} {
		equal(t, "Has("+key+")", f.Has(key), false)
	}
	f, err := parse(minimal + "fixtures: {shareholder_id: '', product_id: , window: {}}\nexport:\n  file:\n    timeout:\nlimits: {timeout: }\nwaivers: []")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"fixtures", "fixtures.shareholder_id", "fixtures.product_id", "fixtures.window", "export", "export.file", "limits.timeout", "waivers"} {
		equal(t, "Has("+key+") of an empty value", f.Has(key), false)
	}
}

func TestReferences(t *testing.T) {
	env := environment(map[string]string{"HOST": "gw.example", "PORT": "8443", "ON": "true"})
	text := "name: 'a$${b}${PORT}'\nbase_url: https://${HOST}:${PORT}/x\ncredentials: {api_key: file:other.key}\nload: {allow: '${ON}'}\n" +
		"waivers: [{rule: create.required.*, reason: \"${HOST}\", until: '2026-12-31'}]\n"
	f, err := Parse("t.yaml", "testdata", []byte(text), env)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "name", f.Name, "a${b}8443")
	equal(t, "base_url", f.BaseURL, "https://gw.example:8443/x")
	equal(t, "key", f.Credentials.APIKey.Value, "other-key")
	equal(t, "allow", f.Load.Allow, true)
	equal(t, "reason", f.Waivers[0].Reason, "gw.example")
}

func TestAnchorsAreFollowed(t *testing.T) {
	f, err := parse("name: &n a\nbase_url: http://h\ncredentials: {api_key: k}\nfixtures: {client_id: *n}\n")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "client_id", f.Fixtures.ClientID, "a")
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.yaml")
	_, err := Load(path)
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "deployment init") {
		t.Errorf("a missing file gave %v", err)
	}
	if _, err := Load(t.TempDir()); err == nil {
		t.Error("a folder was read")
	}
	if err := os.WriteFile(path, []byte(minimal), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "name", f.Name, "a")
}

func TestCredentialsDoNotPrint(t *testing.T) {
	f := full(t)
	c := f.Credentials.PlatformToken
	text, err := c.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	for _, printed := range []string{fmt.Sprintf("%v %+v %#v %s %q %d %x", c, c, c, c, c, c, c), fmt.Sprintf("%v %+v %#v", *c, *c, *c), string(text)} {
		if strings.Contains(printed, "main-token") {
			t.Errorf("printed the secret: %s", printed)
		}
	}
	equal(t, "secrets", len(f.Secrets()), 5)
	equal(t, "secret", f.Secrets()["other_user"], "other-key")
}
