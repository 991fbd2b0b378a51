// Package deployment reads the deployment file: the YAML document that tells gateassay where a gateway is, which
// credentials and fixtures it may use, and the names that the API document leaves open.
package deployment

import "time"

// File is a deployment file after resolution: every ${ENV} and file:PATH has been replaced, every default applied.
// A zero field means that the file did not give it; Has tells the difference where a default exists.
type File struct {
	Name                string              `yaml:"name"`
	BaseURL             string              `yaml:"base_url"`
	Credentials         Credentials         `yaml:"credentials"`
	LegalRepresentative LegalRepresentative `yaml:"legal_representative"`
	Export              Export              `yaml:"export"`
	Fixtures            Fixtures            `yaml:"fixtures"`
	Limits              Limits              `yaml:"limits"`
	Load                LoadPermission      `yaml:"load"`
	TLS                 TLS                 `yaml:"tls"`
	Waivers             []Waiver            `yaml:"waivers"`

	given map[string]bool // dotted keys present in the document
}

// Credentials holds every identity a run may use. A nil entry was not given.
type Credentials struct {
	PlatformToken *Credential `yaml:"platform_token"` // the recommended method
	APIKey        *Credential `yaml:"api_key"`        // the deprecated method
	ExpiredToken  *Credential `yaml:"expired_token"`
	Unprivileged  *Credential `yaml:"unprivileged"` // authenticated, but may not create representatives
	OtherUser     *Credential `yaml:"other_user"`   // belongs to another legal person
}

// Main is the credential of ordinary requests: the platform token, else the API key.
func (c Credentials) Main() *Credential {
	if c.PlatformToken != nil {
		return c.PlatformToken
	}
	return c.APIKey
}

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

// LegalRepresentative describes how the deployment spells the create operation.
type LegalRepresentative struct {
	Path       string            `yaml:"path"`
	Headers    CreateHeaders     `yaml:"headers"`
	Fields     map[string]string `yaml:"fields"`      // logical name -> dotted JSON path in the request
	FieldTypes map[string]string `yaml:"field_types"` // logical name -> number | string
	Documents  *Documents        `yaml:"documents"`
}

// CreateHeaders are the header names that the document describes by meaning only.
type CreateHeaders struct {
	TransactionID string `yaml:"transaction_id"`
	Nonce         string `yaml:"nonce"`
	Language      string `yaml:"language"`
	OnBehalfOf    string `yaml:"on_behalf_of"`
}

// Documents describes the upload that follows a creation.
type Documents struct {
	Path                  string            `yaml:"path"`  // {id} is the representative's ID
	Parts                 map[string]string `yaml:"parts"` // selfie, identity_document, qualification_declaration -> part name
	OneRequestPerDocument bool              `yaml:"one_request_per_document"`
	Form                  map[string]string `yaml:"form"` // further form fields
}

// Export describes the export operation and how its file is fetched.
type Export struct {
	Path string     `yaml:"path"`
	File *Retrieval `yaml:"file"`
	CSV  CSV        `yaml:"csv"`
}

// Retrieval says how a finished export file is fetched; the document does not show it.
type Retrieval struct {
	Request string            `yaml:"request"` // METHOD PATH, {file_id} is replaced
	Headers map[string]string `yaml:"headers"` // {uuid} is a fresh UUID v4 for each request
	State   *State            `yaml:"state"`
	URL     string            `yaml:"url"` // JSON pointer to a download address; empty: the answer itself is the file
	Timeout time.Duration     `yaml:"timeout"`
}

// State tells how a JSON answer of the retrieval shows the file's state.
type State struct {
	Pointer string   `yaml:"pointer"` // JSON pointer (RFC 6901)
	Ready   []string `yaml:"ready"`
	Failed  []string `yaml:"failed"`
}

// CSV names the columns of the export file and the zone of dates without an offset.
type CSV struct {
	Columns  Columns `yaml:"columns"`
	TimeZone string  `yaml:"time_zone"` // IANA name; empty: not given
}

// Columns maps what the rules need to column titles; an empty title is found by its documented name.
type Columns struct {
	ID             string `yaml:"id"`
	ClientID       string `yaml:"client_id"`
	WalletID       string `yaml:"wallet_id"`
	QuoteCreatedAt string `yaml:"quote_created_at"`
	SettledDate    string `yaml:"settled_date"`
}

// Fixtures are data that exist on the deployment and that rules refer to.
type Fixtures struct {
	ShareholderID        string  `yaml:"shareholder_id"`
	ForeignShareholderID string  `yaml:"foreign_shareholder_id"`
	ProductID            string  `yaml:"product_id"`
	TargetUserID         string  `yaml:"target_user_id"`
	DefaultWalletID      string  `yaml:"default_wallet_id"`
	OtherWalletID        string  `yaml:"other_wallet_id"`
	ClientID             string  `yaml:"client_id"`
	Window               *Window `yaml:"window"`
}

// Window is the date range [Start, End) that holds at least 20 quotes.
type Window struct {
	Start time.Time `yaml:"start"`
	End   time.Time `yaml:"end"`
}

// Limits bound what a conformance run does to the deployment.
type Limits struct {
	RequestsPerSecond float64       `yaml:"requests_per_second"` // 0: unlimited, only for the embedded gateway
	InFlight          int           `yaml:"in_flight"`
	Timeout           time.Duration `yaml:"timeout"` // one request
	MaxCreates        int           `yaml:"max_creates"`
}

// LoadPermission is the interlock of load runs.
type LoadPermission struct {
	Allow   bool    `yaml:"allow"`
	MaxRate float64 `yaml:"max_rate"` // requests per second
	// Credentials are the identities that load is sent as, in turn; see LoadCredentials.
	Credentials []*Credential `yaml:"credentials"`
}

// TLS configures how the deployment's certificate is verified.
type TLS struct {
	CAFile             string `yaml:"ca_file"` // resolved against the deployment file's folder
	InsecureSkipVerify bool   `yaml:"insecure_skip_verify"`
}

// Waiver accepts the failure of the rules it names until a date.
type Waiver struct {
	Rule   string    `yaml:"rule"` // an ID, or a pattern such as create.required.*
	Reason string    `yaml:"reason"`
	Until  time.Time `yaml:"until"` // last day on which the waiver holds, inclusive (UTC)
}

// Has tells whether the document itself gave a key, such as "fixtures.shareholder_id"; defaults do not count.
func (f *File) Has(key string) bool { return f.given[key] }
