// Package deployment reads the deployment file. This YAML document says where a gateway is,
// which credentials and fixtures a run may use, and how it names what the API document does not
// specify.
package deployment

import "time"

// File is a deployment file after resolution: every ${ENV} and file:PATH is replaced, every
// default applied. A zero field was not given; for keys with a default, Has tells the
// difference. The comments of fields are the documentation of their keys.
type File struct {
	// What reports call this deployment.
	Name string `yaml:"name" jsonschema:"required,format=name"`
	// Where the gateway is: http or https, a host, and the path before the documented ones if there is
	// any.
	BaseURL string `yaml:"base_url" jsonschema:"required,format=base_url"`
	// Headers that every request to base_url carries. An accept or a user-agent replaces the
	// default. A request's own headers take precedence.
	Headers map[string]string `yaml:"headers" jsonschema_extras:"format=header_text,names=free_header"`
	// The http or https proxy for every request. Without it, the environment's applies:
	// HTTP_PROXY, HTTPS_PROXY, NO_PROXY.
	Proxy string `yaml:"proxy" jsonschema:"format=proxy" jsonschema_extras:"secret=true"`
	// The identities that a run may use. At least one of platform_token and api_key is needed. Keep
	// the values out of this file: ${NAME} reads the environment, file:PATH a file, a command prints
	// one, oauth2 asks a token endpoint.
	Credentials Credentials `yaml:"credentials" jsonschema:"required" jsonschema_extras:"secret=true"`
	// Paths and names for creating a legal representative on this deployment.
	LegalRepresentative LegalRepresentative `yaml:"legal_representative"`
	// Paths and names for the quote statement export on this deployment, and how its file is fetched.
	Export Export `yaml:"export"`
	// Data that exist on the deployment and that rules refer to.
	Fixtures Fixtures `yaml:"fixtures"`
	// What a conformance run may do to the deployment.
	Limits Limits `yaml:"limits"`
	// Whether load runs are allowed on this deployment.
	Load LoadPermission `yaml:"load"`
	// How the deployment's certificate is verified, and which client certificate gateassay
	// presents.
	TLS TLS `yaml:"tls"`
	// Violations that are accepted until a date: the verdict of their rules is waived instead of
	// fail.
	Waivers []Waiver `yaml:"waivers"`

	// Where connections go if the command line says so.
	Route Route `yaml:"-" json:"-"`

	// whether the document gives a key; whether its value is a reference
	isGiven, isReference func(key string) bool
}

// Has reports whether the document itself gives a key, such as "fixtures.shareholder_id".
// Defaults do not count.
func (f *File) Has(key string) bool { return f.isGiven != nil && f.isGiven(key) }

// Credentials holds every identity that a run may use. A nil entry was not given.
type Credentials struct {
	// The token of the recommended method. Ordinary requests use it.
	// Unlocks auth.bearer and auth.bearer.*.
	PlatformToken *Credential `yaml:"platform_token" jsonschema_extras:"scalar=bearer"`
	// The key of the deprecated method. Ordinary requests use it when there is no platform token.
	// Unlocks auth.api_key and auth.api_key.*.
	APIKey *Credential `yaml:"api_key" jsonschema_extras:"scalar=api_key"`
	// A token that was valid and has expired.
	// Unlocks the rule of auth.bearer.* about an expired token.
	ExpiredToken *Credential `yaml:"expired_token" jsonschema_extras:"scalar=bearer"`
	// A token of the platform that is not valid yet.
	// Unlocks the rule of auth.bearer.* about such a token.
	NotYetValidToken *Credential `yaml:"not_yet_valid_token" jsonschema_extras:"scalar=bearer"`
	// A key that was valid and has been revoked.
	// Unlocks the rule of auth.api_key.* about a revoked key.
	RevokedAPIKey *Credential `yaml:"revoked_api_key" jsonschema_extras:"scalar=api_key"`
	// A user who is authenticated, but may not create representatives.
	// Unlocks create.permission.
	Unprivileged *Credential `yaml:"unprivileged" jsonschema_extras:"scalar=bearer"`
	// A user who belongs to another legal person. Unlocks export.isolation, the rules of export.file.*
	// about another user's file, and the cells of replay.* that another user sends.
	OtherUser *Credential `yaml:"other_user" jsonschema_extras:"scalar=bearer"`
}

// LegalRepresentative describes the deployment's create operation.
type LegalRepresentative struct {
	// The path of the creation, after base_url.
	Path string `yaml:"path" jsonschema:"format=path"`
	// The names of the headers that the API document describes by meaning only.
	Headers CreateHeaders `yaml:"headers"`
	// Where each piece of information goes in the request: a dotted path of JSON names. The response's
	// names are the defaults. When address moves, the parts that are not given here move with it.
	Fields map[string]string `yaml:"fields"`
	// The JSON type of a request field, number or string, for what the API document leaves open. A
	// field that is not named here has the type that the response shows.
	FieldTypes map[string]string `yaml:"field_types" jsonschema_extras:"format=type,names=typed_field"`
	// How documents are uploaded after the creation.
	// Unlocks create.documents.*.
	Documents *Documents `yaml:"documents" jsonschema_extras:"optional=true"`
}

// CreateHeaders are the header names that the document describes only by meaning.
type CreateHeaders struct {
	// Carries the transaction ID.
	TransactionID string `yaml:"transaction_id" jsonschema:"format=create_header"`
	// Carries the nonce.
	Nonce string `yaml:"nonce" jsonschema:"format=create_header"`
	// Carries the preferred language.
	Language string `yaml:"language" jsonschema:"format=create_header"`
	// Carries the user for whom the request runs.
	OnBehalfOf string `yaml:"on_behalf_of" jsonschema:"format=create_header"`
}

// Documents describes the upload that follows a creation.
type Documents struct {
	// The path of the upload, after base_url. {id} stands for the representative's ID.
	Path string `yaml:"path" jsonschema:"format=documents_path"`
	// The name of the multipart part that each document is sent as.
	Parts map[string]string `yaml:"parts"`
	// Whether each document is uploaded by its own request.
	OneRequestPerDocument bool `yaml:"one_request_per_document" jsonschema:"default=false"`
	// Extra form fields of the upload.
	Form map[string]string `yaml:"form" jsonschema_extras:"format=form_value,names=part"`
}

// Export describes the export operation and how its file is fetched.
type Export struct {
	// The path of the export, after base_url.
	Path string `yaml:"path" jsonschema:"format=path"`
	// How a finished file is fetched; the API document does not show it.
	// Unlocks export.file.*, and with fixtures.window every rule that compares rows.
	File *Retrieval `yaml:"file" jsonschema_extras:"optional=true"`
	// How the file's columns are read.
	CSV CSV `yaml:"csv"`
}

// Retrieval describes how a finished export file is fetched; the document does not.
type Retrieval struct {
	// METHOD and path, after base_url. {file_id} stands for the ID that the export gave.
	Request string `yaml:"request" jsonschema:"required,format=retrieval"`
	// Headers of that request, in addition to the credential. {uuid} is a fresh UUID v4 for each
	// request.
	Headers map[string]string `yaml:"headers" jsonschema_extras:"format=header_text,names=header"`
	// How an answer in JSON says that the file is not ready yet. Without it, the first successful
	// answer is the file.
	State *FileState `yaml:"state" jsonschema_extras:"optional=true"`
	// The JSON pointer of a download address in the answer. Without it, the answer itself is the file.
	URL string `yaml:"url" jsonschema:"format=pointer"`
	// How long a file may take to become ready. Files that queue behind others
	// get longer.
	Timeout time.Duration `yaml:"timeout" jsonschema:"format=day,default=60s"`
}

// FileState describes how a JSON answer of the retrieval states the file's state.
type FileState struct {
	// The JSON pointer of the state.
	Pointer string `yaml:"pointer" jsonschema:"required,format=pointer"`
	// The states in which the file can be fetched.
	Ready []string `yaml:"ready" jsonschema:"required,format=line"`
	// The states that end the wait without a file.
	Failed []string `yaml:"failed" jsonschema:"format=line"`
}

// CSV names the columns of the export file and the zone of dates without an offset.
type CSV struct {
	// The titles of the columns. A column that is not given here is found by its documented name.
	Columns Columns `yaml:"columns"`
	// The IANA zone of date columns that carry no offset.
	// Unlocks export.range.* on a deployment whose dates carry no offset.
	TimeZone string `yaml:"time_zone" jsonschema:"format=time_zone"`
}

// Columns maps the columns that the rules need to their titles. A column without a title is
// found by its documented name.
type Columns struct {
	// The quote's ID.
	ID string `yaml:"id" jsonschema:"format=line"`
	// The client's ID.
	ClientID string `yaml:"client_id" jsonschema:"format=line"`
	// The wallet's ID.
	WalletID string `yaml:"wallet_id" jsonschema:"format=line"`
	// When the quote was created.
	QuoteCreatedAt string `yaml:"quote_created_at" jsonschema:"format=line"`
	// When the quote was settled.
	SettledDate string `yaml:"settled_date" jsonschema:"format=line"`
}

// Fixtures are data on the deployment that rules refer to.
type Fixtures struct {
	// A shareholder of the main credential's legal person; created representatives are linked to it.
	// Unlocks every rule of create.* that needs an accepted creation.
	ShareholderID string `yaml:"shareholder_id" jsonschema:"format=uuid"`
	// A shareholder of other_user's legal person.
	// Unlocks the rule of create.shareholder.* about another legal person.
	ForeignShareholderID string `yaml:"foreign_shareholder_id" jsonschema:"format=uuid"`
	// A product of the main credential.
	// Unlocks the rules of create.header.* and export.header.* about x-product-uuid.
	ProductID string `yaml:"product_id" jsonschema:"format=uuid"`
	// A user for whom the main credential may act within product_id, of the same legal person:
	// shareholder_id has to be usable for this user, too, unless target_user_shareholder_id names
	// another one. Unlocks the rules of create.header.* and export.header.* about acting on behalf of
	// a user.
	TargetUserID string `yaml:"target_user_id" jsonschema:"format=uuid"`
	// A shareholder that target_user_id may use, and the caller may not: it shows as which user a
	// creation runs.
	TargetUserShareholderID string `yaml:"target_user_shareholder_id" jsonschema:"format=uuid"`
	// The main credential's default wallet.
	// Unlocks the rule of export.default.* about the wallet.
	DefaultWalletID string `yaml:"default_wallet_id" jsonschema:"format=uuid"`
	// Another wallet of the main credential, with its own quotes.
	// Unlocks what the rule of export.default.* needs to distinguish wallets.
	OtherWalletID string `yaml:"other_wallet_id" jsonschema:"format=uuid"`
	// The ID of a client with quotes in the window.
	// Unlocks export.filter.*.
	ClientID string `yaml:"client_id" jsonschema:"format=line"`
	// The range of dates [start, end) that holds at least 20 quotes. If it holds more than 2,000,
	// a part with a few hundred is compared. Unlocks export.range.*, export.order.*,
	// export.default.*, export.filter.* and export.isolation.
	Window *Window `yaml:"window" jsonschema_extras:"optional=true"`
}

// Window is the date range [Start, End) that holds at least 20 quotes.
type Window struct {
	// The first instant of the range, with its offset.
	Start time.Time `yaml:"start" jsonschema:"required"`
	// The instant after the range, with its offset.
	End time.Time `yaml:"end" jsonschema:"required"`
}

// Limits bound what a conformance run does to the deployment.
type Limits struct {
	// The rate of requests, over all operations. 0: no limit.
	RequestsPerSecond float64 `yaml:"requests_per_second" jsonschema:"minimum=0,maximum=1000000"`
	// How many requests may wait for their answers at once.
	InFlight int `yaml:"in_flight" jsonschema:"minimum=1,maximum=10000,default=16"`
	// How long one request may take.
	Timeout time.Duration `yaml:"timeout" jsonschema:"format=hour,default=15s"`
	// The largest export file that is read, in MiB, decompressed. Any other answer is read up to 128
	// KiB, its headers up to 32 KiB.
	MaxFile int `yaml:"max_file_mib" jsonschema:"minimum=1,maximum=1048576,default=1024"`
	// How many of the possible tests a run makes: quick, standard or thorough. See
	// docs/first-steps.md.
	Depth string `yaml:"depth" jsonschema:"format=depth,default=standard"`
	// How many requests a run may send, not counting polls for files. A thorough run may send four
	// times as many. A standard run sends about 1,100; the rest is for retries after throttling,
	// server errors and lost connections.
	MaxRequests int `yaml:"max_requests" jsonschema:"minimum=1,maximum=1000000,default=2000"`
	// How many legal representatives a run may leave on the deployment. 0 allows none.
	MaxCreates int `yaml:"max_creates" jsonschema:"minimum=0,maximum=1000000,default=80"`
}

// LoadPermission permits and limits load runs.
type LoadPermission struct {
	// Load runs are refused unless this is true.
	// Unlocks gateassay load.
	Allow bool `yaml:"allow" jsonschema:"default=false"`
	// The highest rate, in requests per second, that a plan may ask for.
	MaxRate float64 `yaml:"max_rate" jsonschema:"minimum=0.001,maximum=10000000"`
	// Identities that take turns in a load run, each written as one of the credentials. Without
	// them, the main one sends everything.
	Credentials []*Credential `yaml:"credentials" jsonschema_extras:"secret=true,scalar=bearer"`
}

// TLS configures the verification of the deployment's certificate, and the client certificate.
type TLS struct {
	// A PEM file of certificates to trust in addition to the system's, relative to the folder of
	// this file.
	CAFile string `yaml:"ca_file" jsonschema:"format=line"`
	// A PEM file of the client certificate that gateassay presents, relative to the folder of
	// this file.
	ClientCert string `yaml:"client_cert" jsonschema:"format=line"`
	// A PEM file of the client certificate's key, not encrypted.
	ClientKey string `yaml:"client_key" jsonschema:"format=line"`
	// Whether any certificate is accepted. Anyone on the network path can then read the
	// credentials.
	InsecureSkipVerify bool `yaml:"insecure_skip_verify" jsonschema:"default=false"`
}

// Waiver accepts failures of some rules until a date.
type Waiver struct {
	// The rule's ID, or a pattern such as create.required.*
	Rule string `yaml:"rule" jsonschema:"required,format=rule"`
	// Why the violation is accepted, and which ticket resolves it.
	Reason string `yaml:"reason" jsonschema:"required"`
	// The last day on which the waiver holds, in UTC: YYYY-MM-DD.
	Until time.Time `yaml:"until" jsonschema:"required,format=date"`
}
