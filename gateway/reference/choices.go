package reference

import (
	"cmp"
	_ "embed"
	"time"

	"go.yaml.in/yaml/v4"
)

// Choices are the decisions that the API document leaves to a deployment. Every combination
// conforms; the zero value is the default of each.
type Choices struct {
	// A missing or invalid parameter: 400 (default) or 422.
	InvalidStatus int `yaml:"invalid_status"`
	// A repeated creation: 409 (default), or 200 or 201 with the record that exists.
	RepeatStatus int `yaml:"repeat_status"`
	// An accepted export: 200 (default), 201 or 202.
	ExportStatus int `yaml:"export_status"`
	// A replayed export: 409 (default) or another 4xx.
	BlockStatus int `yaml:"block_status"`

	// Prefix of every path, such as "/gateway".
	BasePath string `yaml:"base_path"`
	// Header names of the create operation.
	CreateHeaders CreateHeaders `yaml:"create_headers"`
	// Logical name -> dotted path in the create request; a path without dots is flat.
	Fields map[string]string `yaml:"fields"`
	// address.number is text in requests; it stays a number in answers.
	NumberAsText bool `yaml:"number_as_text"`
	// Each document is uploaded by its own request.
	PerDocument bool `yaml:"per_document"`
	// Further form fields that an upload must carry.
	DocumentForm map[string]string `yaml:"document_form"`
	// How a finished file is handed over.
	Retrieval Retrieval `yaml:"retrieval"`
	// States are {"status": {"name": "RUNNING", ...}}, with QUEUED before; or else {"state":
	// "PROCESSING"}.
	NestedState bool `yaml:"nested_state"`
	// A file is ready this long after its export.
	FileDelay time.Duration `yaml:"file_delay"`
	// What the file looks like.
	CSV CSV `yaml:"csv"`
	// Some quotes have no settled date yet.
	Unsettled bool `yaml:"unsettled"`
	// Added to every request.
	Latency time.Duration `yaml:"latency"`
	// Requests per second before 429; 0: unlimited.
	RateLimit float64 `yaml:"rate_limit"`
	// Share of requests that fail: half of them with 500, the others with 503 or a broken connection.
	FailingShare float64 `yaml:"failing_share"`
	// The deprecated method does not exist.
	NoAPIKey bool `yaml:"no_api_key"`
	// The deployment file gives a name, an address and one credential only.
	MinimalFile bool `yaml:"minimal_file"`
	// The deployment file gives no header and no field of the create operation.
	Unnamed bool `yaml:"unnamed"`
	// File IDs are digits.
	NumericIDs bool `yaml:"numeric_ids"`
	// Over TLS, under a certificate of its own.
	HTTP2 bool `yaml:"http2"`
	// Answers are compressed where the client takes that, and chunked.
	Gzip bool `yaml:"gzip"`
	// A slash behind the path of an operation is redirected away.
	SlashRedirect bool `yaml:"slash_redirect"`
	// Names of readings; see Variants.
	Readings []string `yaml:"readings"`
}

// CreateHeaders names the headers that the document describes by meaning; an empty name is the
// default.
type CreateHeaders struct {
	TransactionID string `yaml:"transaction_id"`
	Nonce         string
	Language      string
	OnBehalfOf    string `yaml:"on_behalf_of"`
}

// Retrieval is a way to hand over a finished file.
type Retrieval string

// The ways to hand over a finished file.
const (
	RetrievalByURL  Retrieval = ""       // JSON with a download address on the same origin
	RetrievalDirect Retrieval = "direct" // JSON until the file is ready, then the file itself
	// a download address on another origin, which refuses credentials
	RetrievalByForeignURL Retrieval = "foreign"
	// an address relative to that of the answer, as RFC 3986 has it
	RetrievalByRelativeURL Retrieval = "relative"
)

// CSV is the look of an export file.
type CSV struct {
	// For a Brazilian Excel: ; separates fields, CR LF lines, and a byte order mark begins the file.
	Excel bool
	Gzip  bool      // the file itself is compressed
	Dates DateStyle // how dates are written; always to the millisecond
	// Titles of id, client_id, wallet_id, quote_created_at and settled_date; empty: those names.
	Titles [5]string
}

// DateStyle is a way to write dates in the file.
type DateStyle string

// The ways to write dates.
const (
	DatesInUTC          DateStyle = ""       // 2025-01-02T03:04:05.678Z
	DatesWithOffset     DateStyle = "offset" // 2025-01-02T00:04:05.678-03:00
	DatesWithoutZone    DateStyle = "local"  // 2025-01-02 00:04:05.678, in America/Sao_Paulo
	EmptyDatesAsYearOne DateStyle = "zero"   // as UTC, and 0001-01-01T00:00:00Z where there is none
)

// withDefaults are the names that the export documents where there are no others.
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

// Variant is a named set of choices: a gateway that conforms and looks unlike the default one.
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

// FindVariant finds a variant by its name; the error of an unknown one names those that are near.
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
