package deployment

import "fmt"

// Secrets gives every secret value of the file by the name of its key ("platform_token", "export.file.headers.cookie"),
// for whoever must keep them out of what is written. Header values and form fields count when their name says that
// they authenticate.
func (f *File) Secrets() map[string]string {
	secrets := map[string]string{}
	c := f.Credentials
	for _, credential := range append([]*Credential{c.PlatformToken, c.APIKey, c.ExpiredToken, c.Unprivileged, c.OtherUser}, f.Load.Credentials...) {
		if credential != nil {
			secrets[credential.Name] = credential.Value
		}
	}
	if f.Export.File != nil {
		for name, value := range f.Export.File.Headers {
			if authenticates(name) {
				secrets["export.file.headers."+name] = value
			}
		}
	}
	if f.LegalRepresentative.Documents != nil {
		for name, value := range f.LegalRepresentative.Documents.Form {
			if authenticates(name) {
				secrets["legal_representative.documents.form."+name] = value
			}
		}
	}
	return secrets
}

// LoadCredentials are the identities that load is sent as, in turn: those of load.credentials, else the main one.
func (f *File) LoadCredentials() []*Credential {
	if main := f.Credentials.Main(); len(f.Load.Credentials) == 0 && main != nil {
		return []*Credential{main}
	}
	return f.Load.Credentials
}

// Format hides the secret from every verb of package fmt, also where the credential is passed by value.
func (c Credential) Format(state fmt.State, _ rune) { fmt.Fprint(state, c.String()) }

// MarshalText hides the secret from encoders (JSON, YAML, slog).
func (c Credential) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
