package reference

import (
	"cmp"
	_ "embed"
	"time"

	"go.yaml.in/yaml/v4"
)

// Choices are the decisions that the API document leaves to a deployment. Every combination
// conforms. The zero value stands for the defaults.
type Choices struct {
	// Status of a missing or invalid parameter: 400 (default) or 422.
	InvalidStatus int `yaml:"invalid_status"`
	// Status of a repeated creation: 409 (default), or 200 or 201 with the existing record.
	RepeatStatus int `yaml:"repeat_status"`
	// Status of an accepted export: 200 (default), 201 or 202.
	ExportStatus int `yaml:"export_status"`
	// Status of a replayed export: 409 (default) or another 4xx.
	BlockStatus int `yaml:"block_status"`

	// Prefix of every path, such as "/gateway".
	BasePath string `yaml:"base_path"`
	// Header names of the create operation.
	CreateHeaders CreateHeaders `yaml:"create_headers"`
	// Logical name -> dotted path in the create request; a path without dots is at the top level.
	Fields map[string]string `yaml:"fields"`
	// address.number is text in requests; it stays a number in answers.
	NumberAsText bool `yaml:"number_as_text"`
	// Each document is uploaded in a separate request.
	PerDocument bool `yaml:"per_document"`
	// Extra form fields that an upload must carry.
	DocumentForm map[string]string `yaml:"document_form"`
	// How a finished file is handed over.
	Retrieval Retrieval `yaml:"retrieval"`
	// States are {"status": {"name": "RUNNING", ...}} and start with QUEUED; otherwise {"state":
	// "PROCESSING"}.
	NestedState bool `yaml:"nested_state"`
	// Time from an export until its file is ready.
	FileDelay time.Duration `yaml:"file_delay"`
	// Format of the file.
	CSV CSV `yaml:"csv"`
	// Some quotes have no settled date yet.
	Unsettled bool `yaml:"unsettled"`
	// Delay added to every request.
	Latency time.Duration `yaml:"latency"`
	// Requests per second before 429; 0: no limit.
	RateLimit float64 `yaml:"rate_limit"`
	// Share of requests that fail: half with 500, the rest with 503 or a dropped connection.
	FailingShare float64 `yaml:"failing_share"`
	// The deprecated API key method does not exist.
	NoAPIKey bool `yaml:"no_api_key"`
	// The deployment file holds only a name, an address and one credential.
	MinimalFile bool `yaml:"minimal_file"`
	// The deployment file names no header and no field of the create operation.
	Unnamed bool `yaml:"unnamed"`
	// File IDs are digits.
	NumericIDs bool `yaml:"numeric_ids"`
	// Serves HTTP/2 over TLS with a self-signed certificate.
	HTTP2 bool `yaml:"http2"`
	// Answers are compressed if the client accepts it, and chunked.
	Gzip bool `yaml:"gzip"`
	// A path with a trailing slash redirects to the path without it.
	SlashRedirect bool `yaml:"slash_redirect"`
	// Names of readings; see allowedReadings.
	Readings []string `yaml:"readings"`
}

// CreateHeaders names the headers that the document describes only by meaning. An empty name
// stands for the default.
type CreateHeaders struct {
	TransactionID string `yaml:"transaction_id"`
	Nonce         string
	Language      string
	OnBehalfOf    string `yaml:"on_behalf_of"`
}

// Retrieval is a way to deliver a finished file.
type Retrieval string

// The ways to deliver a finished file.
const (
	RetrievalByURL  Retrieval = ""       // JSON with a download address on the same origin
	RetrievalDirect Retrieval = "direct" // JSON until the file is ready, then the file itself
	// a download address on another origin that refuses credentials
	RetrievalByForeignURL Retrieval = "foreign"
	// a download address relative to that of the answer (RFC 3986)
	RetrievalByRelativeURL Retrieval = "relative"
)

// CSV is the format of an export file.
type CSV struct {
	// As Brazilian Excel writes it: a byte order mark, fields separated by ;, lines ended by CR
	// LF.
	Excel bool
	Gzip  bool      // the file itself is compressed
	Dates DateStyle // how dates are written, always with milliseconds
	// Titles of id, client_id, wallet_id, quote_created_at and settled_date; empty: these names.
	Titles [5]string
}

// DateStyle is a way to write dates in the file.
type DateStyle string

// The ways to write dates.
const (
	DatesInUTC          DateStyle = ""       // 2025-01-02T03:04:05.678Z
	DatesWithOffset     DateStyle = "offset" // 2025-01-02T00:04:05.678-03:00
	DatesWithoutZone    DateStyle = "local"  // 2025-01-02 00:04:05.678, in America/Sao_Paulo
	EmptyDatesAsYearOne DateStyle = "zero"   // in UTC; a missing date is 0001-01-01T00:00:00Z
)

// withDefaults replaces empty names with those that the document gives for exports.
func (h CreateHeaders) withDefaults() CreateHeaders {
	return CreateHeaders{
		cmp.Or(h.TransactionID, "x-transaction-uuid"), cmp.Or(h.Nonce, "nonce"),
		cmp.Or(h.Language, "x-lang"),
		cmp.Or(h.OnBehalfOf, "x-product-target-user-uuid"),
	}
}

func (c Choices) withDefaults() Choices {
	c.InvalidStatus, c.RepeatStatus = cmp.Or(c.InvalidStatus, 400), cmp.Or(c.RepeatStatus, 409)
	c.ExportStatus, c.BlockStatus = cmp.Or(c.ExportStatus, 200), cmp.Or(c.BlockStatus, 409)
	c.CreateHeaders = c.CreateHeaders.withDefaults()
	for i, title := range defaultColumnTitles {
		c.CSV.Titles[i] = cmp.Or(c.CSV.Titles[i], title)
	}
	return c
}

// Variant is a named set of choices: a conformant gateway that differs from the default one.
type Variant struct {
	Name        string
	Description string
	Choices     Choices
}

//go:embed variants.yaml
var variantsYAML []byte

// Variants lists the ready-made variants.
func Variants() []Variant {
	var file struct {
		Names    any
		Variants []Variant
	}
	if err := yaml.Load(variantsYAML, &file, yaml.WithKnownFields()); err != nil {
		panic("variants.yaml: " + err.Error()) // it is part of the program
	}
	return file.Variants
}

// FindVariant returns the variant of a name. The error for an unknown name suggests similar
// ones.
func FindVariant(name string) (Variant, error) {
	var names []string
	for _, v := range Variants() {
		if v.Name == name {
			return v, nil
		}
		names = append(names, v.Name)
	}
	return Variant{}, unknownNameError("variant", name, names)
}
