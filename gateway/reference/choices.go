package reference

import (
	"cmp"
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
	OmitAbsent    bool              // the record leaves out what the request left out, instead of null
	FlagsDefault  bool              // pep and is_public_server are false when omitted, instead of null
	CheckDigits   bool              // the check digits of a CPF are verified
	Narrow        bool              // long texts, distant dates, enormous amounts and rare values are rejected
	NonceOnce     bool              // a nonce used by an earlier creation is rejected
	PerDocument   bool              // each document is uploaded by a request of its own
	DocumentForm  map[string]string // further form fields that an upload must carry
	RejectQuery   bool              // unknown query parameters of the export operation are rejected
	RawReplayBody bool              // replay protection compares the bytes of the body, not what they mean
	ModesApart    bool              // each replay mode only remembers the requests that were sent in it
	Retrieval     Retrieval         // how a finished file is handed over
	FileState     FileState         // how states look
	FileDelay     time.Duration     // a file is ready this long after its export
	CSV           CSV               // what the file looks like
	Unsettled     bool              // some quotes have no settled date yet
	Latency       time.Duration     // added to every request
	RateLimit     float64           // requests per second before 429; 0: unlimited
	FlakyShare    float64           // share of requests answered by 503 or a broken connection, in equal parts
	CrashShare    float64           // share of requests answered by 500
	NoAPIKey      bool              // the deprecated method does not exist
	MinimalFile   bool              // the deployment file gives a name, an address and one credential only
	Unnamed       bool              // the deployment file gives no header and no field of the create operation
	NumericIDs    bool              // file IDs are digits
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

// FileState is a shape of the file's state.
type FileState string

// The shapes of the file's state.
const (
	PlainState  FileState = ""       // {"state": "PROCESSING"}
	NestedState FileState = "nested" // {"status": {"name": "RUNNING", ...}}, with a state QUEUED before it
)

// CSV is the look of an export file.
type CSV struct {
	Semicolon bool      // fields are separated by ; instead of ,
	BOM       bool      // the file starts with a byte order mark
	CRLF      bool      // lines end with CR LF
	Gzip      bool      // the file itself is compressed
	Dates     Dates     // how dates are written; always to the millisecond
	Totals    bool      // a last row holds the sum of the amounts
	Total     string    // what that row has in place of an ID; then it has the count of rows as the settled date
	Titles    [5]string // titles of id, client_id, wallet_id, quote_created_at and settled_date; empty: those names
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

func (c Choices) withDefaults() Choices {
	c.InvalidStatus, c.RepeatStatus = cmp.Or(c.InvalidStatus, 400), cmp.Or(c.RepeatStatus, 409)
	c.ExportStatus, c.BlockStatus = cmp.Or(c.ExportStatus, 200), cmp.Or(c.BlockStatus, 409)
	names := &c.CreateHeaders
	names.TransactionID, names.Nonce = cmp.Or(names.TransactionID, "x-transaction-uuid"), cmp.Or(names.Nonce, "nonce")
	names.Language = cmp.Or(names.Language, "x-lang")
	names.OnBehalfOf = cmp.Or(names.OnBehalfOf, "x-product-target-user-uuid")
	for i, title := range defaultTitles {
		c.CSV.Titles[i] = cmp.Or(c.CSV.Titles[i], title)
	}
	return c
}
