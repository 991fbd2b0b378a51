package reference

import (
	"cmp"
	"regexp"
	"strings"
	"time"
)

// Choices are the decisions that the API document leaves to a deployment. Every combination conforms; the zero value
// is the default of each.
type Choices struct {
	InvalidStatus int // a missing or invalid parameter: 400 (default) or 422
	RepeatStatus  int // a repeated creation: 409 (default), or 200 or 201 with the record that exists
	ExportStatus  int // an accepted export: 200 (default), 201 or 202
	BlockStatus   int // a replayed export: 409 (default) or another 4xx

	BasePath      string            // prefix of every path, such as "/gateway"
	CreateHeaders CreateHeaders     // header names of the create operation
	Fields        map[string]string // logical name -> dotted path in the create request; a path without dots is flat
	NumberAsText  bool              // address.number is text in requests; it stays a number in answers
	PerDocument   bool              // each document is uploaded by a request of its own
	DocumentForm  map[string]string // further form fields that an upload must carry
	Retrieval     Retrieval         // how a finished file is handed over
	NestedState   bool              // states are {"status": {"name": "RUNNING", ...}}, with QUEUED before; or else {"state": "PROCESSING"}
	FileDelay     time.Duration     // a file is ready this long after its export
	CSV           CSV               // what the file looks like
	Unsettled     bool              // some quotes have no settled date yet
	Latency       time.Duration     // added to every request
	RateLimit     float64           // requests per second before 429; 0: unlimited
	FailingShare  float64           // share of requests that fail: half of them with 500, the others with 503 or a broken connection
	NoAPIKey      bool              // the deprecated method does not exist
	MinimalFile   bool              // the deployment file gives a name, an address and one credential only
	Unnamed       bool              // the deployment file gives no header and no field of the create operation
	NumericIDs    bool              // file IDs are digits
	HTTP2         bool              // over TLS, under a certificate of its own
	Gzip          bool              // answers are compressed where the client takes that, and chunked
	SlashRedirect bool              // a slash behind the path of an operation is redirected away
	Readings      []string          // names of readings; see Variants
}

// CreateHeaders names the headers that the document describes by meaning; an empty name is the default.
type CreateHeaders struct{ TransactionID, Nonce, Language, OnBehalfOf string }

// Retrieval is a way to hand over a finished file.
type Retrieval string

// The ways to hand over a finished file.
const (
	ByAddress        Retrieval = ""         // JSON with a download address on the same origin
	Direct           Retrieval = "direct"   // JSON until the file is ready, then the file itself
	ByForeignAddress Retrieval = "foreign"  // a download address on another origin, which refuses credentials
	ByReference      Retrieval = "relative" // an address relative to that of the answer, as RFC 3986 has it
)

// CSV is the look of an export file.
type CSV struct {
	Excel  bool      // for a Brazilian Excel: ; separates fields, CR LF lines, and a byte order mark begins the file
	Gzip   bool      // the file itself is compressed
	Dates  Dates     // how dates are written; always to the millisecond
	Titles [5]string // titles of id, client_id, wallet_id, quote_created_at and settled_date; empty: those names
}

// Dates is a way to write dates in the file.
type Dates string

// The ways to write dates.
const (
	UTC      Dates = ""       // 2025-01-02T03:04:05.678Z
	Offset   Dates = "offset" // 2025-01-02T00:04:05.678-03:00
	Zoneless Dates = "local"  // 2025-01-02 00:04:05.678, in America/Sao_Paulo
	YearOne  Dates = "zero"   // as UTC, and 0001-01-01T00:00:00Z where there is none
)

// withDefaults are the names that the export documents where there are no others.
func (h CreateHeaders) withDefaults() CreateHeaders {
	return CreateHeaders{
		cmp.Or(h.TransactionID, "x-transaction-uuid"), cmp.Or(h.Nonce, "nonce"), cmp.Or(h.Language, "x-lang"),
		cmp.Or(h.OnBehalfOf, "x-product-target-user-uuid"),
	}
}

func (c Choices) withDefaults() Choices {
	c.InvalidStatus, c.RepeatStatus = cmp.Or(c.InvalidStatus, 400), cmp.Or(c.RepeatStatus, 409)
	c.ExportStatus, c.BlockStatus = cmp.Or(c.ExportStatus, 200), cmp.Or(c.BlockStatus, 409)
	c.CreateHeaders = c.CreateHeaders.withDefaults()
	for i, title := range defaultTitles {
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

// flatFields are names in camel case without objects, as a deployment with flat bodies has them.
func flatFields() map[string]string {
	breaks, flat := regexp.MustCompile(`[._].`), map[string]string{}
	for _, field := range requestFields {
		flat[field] = breaks.ReplaceAllStringFunc(field, func(s string) string { return strings.ToUpper(s[1:]) })
	}
	delete(flat, "address")
	return flat
}

// hiddenFields are names that nobody guesses for whatever the document does not name.
var hiddenFields = map[string]string{
	"document_number": "taxpayer.code", "document_country_of_issue": "taxpayer.issued_in", "birth_date": "born_on",
	"pep": "politically_exposed", "is_public_server": "civil_servant", "qualification": "capacity",
	"relationship_end_date": "linked_until", "address.zip_code": "address.post_code", "address.street": "address.way",
	"address.number": "address.door", "address.neighborhood": "address.district", "address.city": "address.town",
	"address.federative_unit": "address.region", "address.country": "address.nation",
	"address.complement": "address.more",
}

// Variants lists the ready-made variants. Most differ from the default gateway in several points at once. Each reading
// is that of one at the least.
func Variants() []Variant {
	otherHeaders := CreateHeaders{"transaction-id", "request-nonce", "accept-language-tag", "acting-for"}
	return []Variant{
		{"lax", "PHP: much that is nearly right is read as what it means, and trimmed; new quotes come in", Choices{Readings: []string{
			"new-quotes", "php-numbers", "trimmed",
			"null-absent", "any-media-type", "coerced", "punctuated-cpf", "any-case", "loose-dates", "negative-money",
			"any-uuid-version", "any-language", "any-schema", "bare-export", "some-documents", "foreign-wallet-empty",
			"either-credential",
		}}},
		{"strict-creations", "money in DECIMAL; creations name a product and nothing rare, nor a CPF or a nonce twice", Choices{
			Readings: []string{
				"check-digits", "rare-refused", "known-fields", "whole-address", "plausible-dates", "target-apart", "one-nonce",
				"one-cpf", "product-required", "decimals",
			},
		}},
		{"strict-exports", "exports name bounds in seconds of UTC, and nothing unknown; documents are photographs", Choices{
			Readings: []string{
				"no-query", "known-fields", "whole-bounds", "utc-bounds", "turned-refused", "filter-pair", "transaction-needed",
				"rejected-counts", "exact-scheme", "photographs",
			},
		}},
		{"eventual", "numbers are doubles; files take three seconds and lie elsewhere, documents are taken later; nested answers", Choices{
			RepeatStatus: 201, ExportStatus: 201, BlockStatus: 400,
			Retrieval: ByForeignAddress, NestedState: true, FileDelay: 3 * time.Second, CSV: CSV{
				Dates: Offset, Titles: [5]string{"Quote ID", "Customer", "Wallet", "Created At", "Settled At"},
			},
			Readings: []string{
				"flags-default", "enveloped", "lower-email", "shareholder-403", "later-documents", "doubles", "whole-seconds",
			},
		}},
		{"mainframe", "upper case, bare digits and days, two rows for a quote, behind a firewall that stops strangers and attacks", Choices{
			Unsettled: true, Readings: []string{
				"gate", "firewall", "two-rows", "notation", "upper-names", "zoneless-created", "plain-address-id", "more-fields", "settled-day",
			},
		}},
		{"colleague", "the API key is a colleague's; modes stand apart; zipped answers; ties in any order; some dates are 0001-01-01", Choices{
			Retrieval: ByReference, PerDocument: true, NumericIDs: true, Unsettled: true, CSV: CSV{Dates: YearOne},
			Gzip: true, SlashRedirect: true,
			DocumentForm: map[string]string{"identity_document_type": "cnh"},
			Readings:     []string{"key-of-colleague", "modes-apart", "unlabelled-total", "title-lines", "any-ties"},
		}},
		{"other-names", "HTTP/2, other names of headers and fields, paths behind /gateway; files come at once, with a total", Choices{
			CreateHeaders: otherHeaders, Fields: hiddenFields, BasePath: "/gateway", Retrieval: Direct, Unsettled: true,
			CSV: CSV{Gzip: true}, HTTP2: true, Readings: []string{
				"raw-bodies", "labelled-total", "more-columns", "composed", "lower-domain",
			},
		}},
		{"unreliable", "one request in fifty fails with 500, one with 503 or a broken connection; 50 per second", Choices{
			FailingShare: 0.04, RateLimit: 50, Latency: 50 * time.Millisecond,
		}},
		{"hidden-minimal", "the deployment file gives an address and a credential only; fields have other names", Choices{
			MinimalFile: true, Fields: hiddenFields,
		}},
		{"hidden-headers", "other header names for the create operation, missing from the deployment file", Choices{
			CreateHeaders: CreateHeaders{"x-object-key", "x-once", "x-tongue", "x-for"}, Unnamed: true,
		}},
		{"hidden-fields", "other names of request fields and optional headers, missing from the deployment file", Choices{
			CreateHeaders: CreateHeaders{Language: "x-tongue", OnBehalfOf: "x-for"}, Fields: hiddenFields, Unnamed: true,
		}},
		{"far-away", "flat bodies, 422 and 202, terse answers, zipped files for a Brazilian Excel, and no API keys", Choices{
			InvalidStatus: 422, RepeatStatus: 200, ExportStatus: 202, BlockStatus: 422, CreateHeaders: otherHeaders,
			Fields: flatFields(), NumberAsText: true, BasePath: "/api/v2",
			Retrieval: ByForeignAddress, NestedState: true, Unsettled: true, NoAPIKey: true,
			CSV: CSV{
				Excel: true, Gzip: true, Dates: Zoneless,
				Titles: [5]string{"Cotação", "Cliente", "Carteira", "Criada em", "Liquidada em"},
			},
			Readings: []string{
				"nulls-left-out", "plain-errors", "upper-ids", "offset-created", "elsewhere-404", "check-digits", "one-nonce",
			},
		}},
	}
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
	return Variant{}, unknown("variant", name, names)
}
