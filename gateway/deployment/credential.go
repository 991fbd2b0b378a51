package deployment

import (
	"cmp"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/token"
)

// AuthMethod is one of the two documented authentication methods.
type AuthMethod string

// The documented methods.
const (
	AuthBearer AuthMethod = "bearer"  // Authorization: Bearer <token>
	AuthAPIKey AuthMethod = "api_key" // x-api-key: <key>
)

// Credential is one secret and the method that sends it. It never prints its value.
type Credential struct {
	Name   string     `yaml:"-"` // key in the deployment file: platform_token, api_key, ...
	Method AuthMethod `yaml:"-"`
	// for an issued credential, the first value that client.ObtainCredentials obtained
	Value  string  `yaml:"-"`
	Issuer *Issuer `yaml:"-"` // nil: Value is fixed
	// what a run sends in place of a credential: made of Source by Edit, and Name says how in words
	Edit   *token.Edit `yaml:"-"` // nil: it is of the deployment file
	Source *Credential `yaml:"-"` // nil: it is made up

	CredentialSpec `yaml:",inline"`
}

// CredentialSpec is a credential as the deployment file writes it.
type CredentialSpec struct {
	// A token, sent as Authorization: Bearer TOKEN.
	Bearer string `yaml:"bearer" jsonschema:"oneof_required=bearer,format=credential"`
	// A key, sent as x-api-key: KEY.
	APIKey string `yaml:"api_key" jsonschema:"oneof_required=api_key,format=credential"`
	// A program with its arguments that prints the token; it runs in the folder of this file, for half
	// a minute at most.
	Command []string `yaml:"command" jsonschema:"oneof_required=command"`
	// A token endpoint that issues tokens to a client by its secret (OAuth 2.0, client credentials).
	OAuth2 *OAuth2 `yaml:"oauth2" jsonschema:"oneof_required=oauth2" jsonschema_extras:"optional=true"`
	// How often the token of a command or a token endpoint is renewed. It is also renewed before
	// it expires, if the token endpoint or the JWT says when.
	Refresh time.Duration `yaml:"refresh" jsonschema:"format=positive"`
}

// Main returns the credential of ordinary requests: the platform token, or else the API key.
func (c Credentials) Main() *Credential {
	if c.PlatformToken != nil {
		return c.PlatformToken
	}
	return c.APIKey
}

// All returns every given credential, in the order of the deployment file.
func (c Credentials) All() []*Credential {
	var given []*Credential
	for _, credential := range c.allByKey() {
		if credential != nil {
			given = append(given, credential)
		}
	}
	return given
}

// AllCredentials returns every given credential of the file, those of load runs last.
func (f *File) AllCredentials() []*Credential {
	return append(f.Credentials.All(), f.Load.Credentials...)
}

// SettingKey returns the credential's key in the deployment file, such as
// "credentials.platform_token".
func (c *Credential) SettingKey() string {
	if strings.HasPrefix(c.Name, "load.") {
		return c.Name
	}
	return "credentials." + c.Name
}

// allByKey yields every credential with its key, in the order of the deployment file. Those not
// given are nil.
func (c Credentials) allByKey() iter.Seq2[string, *Credential] {
	return func(yield func(string, *Credential) bool) {
		_ = yield("platform_token", c.PlatformToken) && yield("api_key", c.APIKey) &&
			yield("expired_token", c.ExpiredToken) &&
			yield("not_yet_valid_token", c.NotYetValidToken) && yield("revoked_api_key", c.RevokedAPIKey) &&
			yield("unprivileged", c.Unprivileged) && yield("other_user", c.OtherUser)
	}
}

// resolveFrom builds the credential of a key from its CredentialSpec, and returns how many ways
// to write it were given. dir is the folder that its command runs in.
func (c *Credential) resolveFrom(name, dir string) (ways int) {
	s := c.CredentialSpec
	for _, given := range []bool{s.Bearer != "", s.APIKey != "", s.Command != nil, s.OAuth2 != nil} {
		if given {
			ways++
		}
	}
	*c = Credential{Name: name, Method: AuthBearer, Value: cmp.Or(s.Bearer, s.APIKey)}
	if s.APIKey != "" || s.Bearer == "" && strings.HasSuffix(name, "api_key") {
		c.Method = AuthAPIKey
	}
	if c.Value == "" {
		c.Issuer = &Issuer{Command: s.Command, Dir: dir, Refresh: s.Refresh, OAuth2: s.OAuth2}
	}
	return ways
}

// Secrets returns every secret value of the file by its key ("platform_token",
// "export.file.headers.cookie"), so that callers can redact them. Values of headers and form
// fields count if their name indicates a secret, or if they come from the environment or a file.
func (f *File) Secrets() map[string]string {
	secrets := map[string]string{}
	set := func(name, value string) {
		if value != "" {
			secrets[name] = value
		}
	}
	for _, credential := range f.AllCredentials() {
		set(credential.Name, credential.Value)
		if credential.Issuer != nil && credential.Issuer.OAuth2 != nil {
			set(credential.Name+".oauth2.client_secret", credential.Issuer.OAuth2.ClientSecret)
		}
	}
	add := func(under string, values map[string]string) {
		for name, value := range values {
			if f.isAuthHeader(under, name, value) {
				set(under+"."+name, value)
			}
		}
	}
	add("headers", f.Headers)
	if f.Export.File != nil {
		add("export.file.headers", f.Export.File.Headers)
	}
	if f.LegalRepresentative.Documents != nil {
		add("legal_representative.documents.form", f.LegalRepresentative.Documents.Form)
	}
	if u, err := url.Parse(f.Proxy); err == nil && u.User != nil {
		password, _ := u.User.Password()
		set("proxy", password)
	}
	return secrets
}

func (f *File) isAuthHeader(under, name, value string) bool {
	return secretKeyPattern.MatchString(name) ||
		f.isReference != nil && f.isReference(under+"."+name) &&
			len(value) >= strictyaml.MinSecretLength
}

// String hides the secret, so that messages and logs cannot leak it.
func (c *Credential) String() string {
	if c == nil {
		return "no credential"
	}
	return c.Name + " (" + string(c.Method) + ", redacted)"
}

// Format hides the secret from all verbs of package fmt, even if the credential is passed by
// value.
func (c Credential) Format(state fmt.State, _ rune) { fmt.Fprint(state, c.String()) }

// MarshalText hides the secret from encoders (JSON, YAML, slog).
func (c Credential) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
