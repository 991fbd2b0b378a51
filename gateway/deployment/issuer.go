package deployment

import (
	"sync"
	"time"
)

// Issuer says how the value of a credential is obtained during a run: by a command or from a token endpoint.
type Issuer struct {
	Command []string      // program and arguments; it prints the token
	Dir     string        // where it runs
	Refresh time.Duration // how often it is obtained anew; 0: before it expires
	OAuth2  *OAuth2

	once   sync.Once
	source any
}

// Source returns what make made the first time: one source for all that use the credential.
func (i *Issuer) Source(make func() any) any {
	i.once.Do(func() { i.source = make() })
	return i.source
}

// OAuth2 is a token endpoint that issues tokens to a client by its secret.
type OAuth2 struct {
	// The address of the token endpoint.
	TokenURL string `yaml:"token_url" jsonschema:"required,format=token_url" jsonschema_extras:"secret=false,sample=https://a.example/token"`
	// The ID of the client.
	ClientID string `yaml:"client_id" jsonschema:"required,format=line" jsonschema_extras:"secret=false,sample=gateassay"`
	// The secret of the client.
	ClientSecret string `yaml:"client_secret" jsonschema:"required,format=line" jsonschema_extras:"sample=${CLIENT_SECRET}"`
	// The scopes to ask for, separated by spaces.
	Scope string `yaml:"scope" jsonschema:"format=line" jsonschema_extras:"secret=false,sample=exports"`
}
