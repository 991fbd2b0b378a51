package deployment

import (
	"fmt"
)

// Method is one of the two documented ways to authenticate.
type Method string

// The two documented methods.
const (
	Bearer Method = "bearer"  // Authorization: Bearer <token>
	APIKey Method = "api_key" // x-api-key: <key>
)

// Credential is one secret and the method that sends it. It never prints its value.
type Credential struct {
	Name   string // key in the deployment file: platform_token, api_key, ...
	Method Method
	Value  string

	spelling `yaml:",inline"`
}

// spelling is how the deployment file writes a credential.
type spelling struct {
	// A token, sent as Authorization: Bearer TOKEN.
	Bearer string `yaml:"bearer" jsonschema:"oneof" check:"credential"`
	// A key, sent as x-api-key: KEY.
	APIKey string `yaml:"api_key" jsonschema:"oneof" check:"credential"`
}

// Main is the credential of ordinary requests: the platform token, else the API key.
func (c Credentials) Main() *Credential {
	if c.PlatformToken != nil {
		return c.PlatformToken
	}
	return c.APIKey
}

// All returns every credential that was given, in the order of the deployment file.
func (c Credentials) All() []*Credential {
	var given []*Credential
	for _, credential := range []*Credential{c.PlatformToken, c.APIKey, c.ExpiredToken, c.Unprivileged, c.OtherUser} {
		if credential != nil {
			given = append(given, credential)
		}
	}
	return given
}

// settle makes the credential of a key out of how it is written.
func (c *Credential) settle(name string) {
	if c == nil {
		return
	}
	s := c.spelling
	c.Name, c.spelling = name, spelling{}
	switch {
	case s.APIKey != "":
		c.Method, c.Value = APIKey, s.APIKey
	default:
		c.Method, c.Value = Bearer, s.Bearer
	}
}

// Secrets returns every secret value of the file by the name of its key ("platform_token",
// "export.file.headers.cookie"), for whoever must keep them out of what is written. Header values and form fields count
// when their name says that they authenticate.
func (f *File) Secrets() map[string]string {
	secrets := map[string]string{}
	for _, credential := range f.Credentials.All() {
		secrets[credential.Name] = credential.Value
	}
	add := func(under string, values map[string]string) {
		for name, value := range values {
			if secretWord.MatchString(name) {
				secrets[under+"."+name] = value
			}
		}
	}
	if f.Export.File != nil {
		add("export.file.headers", f.Export.File.Headers)
	}
	if f.LegalRepresentative.Documents != nil {
		add("legal_representative.documents.form", f.LegalRepresentative.Documents.Form)
	}
	return secrets
}

// String hides the secret, so that a credential in a message or a log cannot leak.
func (c *Credential) String() string {
	if c == nil {
		return "no credential"
	}
	return c.Name + " (" + string(c.Method) + ", redacted)"
}

// GoString hides the secret from %#v.
func (c *Credential) GoString() string { return c.String() }

// Format hides the secret from every verb of package fmt, also where the credential is passed by value.
func (c Credential) Format(state fmt.State, _ rune) { fmt.Fprint(state, c.String()) }

// MarshalText hides the secret from encoders (JSON, YAML, slog).
func (c Credential) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
