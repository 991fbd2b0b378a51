// Package client sends every request of a run. It paces requests, bounds how many are in
// flight, records each exchange with its secrets redacted, and fetches export files. Only load
// runs send by other means, package transport.
package client

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/reproscript"
)

// Operation is what a request is for. Reports group requests by it.
type Operation string

// The operations.
const (
	OperationCreate    Operation = "create"
	OperationDocuments Operation = "documents"
	OperationExport    Operation = "export"
	OperationFile      Operation = "file"
)

// Request is one request to send.
type Request struct {
	Label string // a short description: "CPF with letters"
	// relevant values beside the body and the sender: "x-lang en-US"
	HeaderSummary  string
	RelevantFields []string // dotted paths of the relevant body fields
	Operation      Operation
	Method         string // default: that of the operation
	Path           string // joined to the deployment's base URL; default: that of the operation
	Query          url.Values
	Header         http.Header
	Body           []byte                 // nil: no body and no Content-Type
	Credential     *deployment.Credential // nil: none is sent
	// headers that hold a fresh UUID v4; curl commands generate new ones
	FreshHeaders []string
	Drawn        []reproscript.DrawnText // other texts of the body that must be unique
	// may create a representative; counts against limits.max_creates before it is sent
	Creates bool
	// gives way: it reserves its creation only when it is sent, others when they queue
	Late          bool
	CreateReserve CreateReserve // how many representatives it leaves for others to create
	// a 429 may be the expected refusal: it is returned, not retried
	MayBlock bool
	Repeats  bool // repeats an export: a conflict is about its identifiers

	at   *url.URL    // replaces Path and Query
	file *fileReader // reads a long answer as a file
}

// Exchange is one request and its answer. Status, Header and Body are as received and only used
// to judge. Everything that is written or shown comes from Recorded, which holds no secret.
type Exchange struct {
	Seq       int // 1, 2, ... in order of sending; 0: never sent and not recorded
	Label     string
	Operation Operation
	Attempt   int // 1, or more for a retry

	StartedAt time.Time     // when it was sent
	Queued    time.Duration // time spent waiting for a slot and for the pace
	Service   time.Duration // from sending to the end of the body
	FirstByte time.Duration // from sending to the first byte of the answer

	Status int         // 0: no answer
	Header http.Header // nil: no answer
	Body   []byte      // decompressed, at most 128 KiB
	Size   int64       // bytes of the body that were read, before decompression
	Err    *Trouble    // nil: there was an answer

	Leaks    []string // credentials that the answer repeats, and where: "api_key in the body"
	Recorded Record

	cut       bool // the body was longer
	postponed bool // see RetryExportsAfter
}

// Record is the part of an exchange that may be written or shown. Credentials are redacted,
// personal data is replaced by pseudonyms.
type Record struct {
	Method         string
	URL            string
	RequestHeader  http.Header
	RequestBody    []byte
	Status         int // as received, even if the answer then broke off and Exchange.Status is 0
	ResponseProto  string
	ResponseHeader http.Header
	ResponseBody   []byte
	Comment        string // why a body is left out or shortened

	step    reproscript.Step // repeats the request, with variables for secrets and new identifiers
	sent    []byte           // the body, as it was sent
	matters []string         // Request.RelevantFields
	details string           // what is relevant beside the body, redacted
}

// TroubleKind is the reason why an exchange has no answer.
type TroubleKind string

// The kinds of trouble.
const (
	TroubleRefused     TroubleKind = "connection refused"
	TroubleReset       TroubleKind = "connection broken"
	TroubleTimeout     TroubleKind = "timed out"
	TroubleDNS         TroubleKind = "name not resolved"
	TroubleTLS         TroubleKind = "TLS failed"
	TroubleCanceled    TroubleKind = "interrupted"
	TroubleMaxCreates  TroubleKind = "limits.max_creates reached"  // never sent
	TroubleMaxRequests TroubleKind = "limits.max_requests reached" // never sent
	TroubleNotHTTP     TroubleKind = "not HTTP"
	// invalid header, path or address; never sent
	TroubleUnsendable TroubleKind = "could not be sent"
	// an answer beyond a limit; it was not read to the end
	TroubleTooLarge TroubleKind = "too large"
	// an answer with damaged or unknown compression
	TroubleDecompression TroubleKind = "cannot be decompressed"
	// the deployment throttled every request; never sent
	TroubleThrottled TroubleKind = "throttled for too long"
	TroubleProxy     TroubleKind = "no way through the proxy"
	// a 401 to an outdated token, which says nothing about the deployment
	TroubleTokenEnded TroubleKind = "refused with an outdated token"
)

// Trouble describes why an exchange has no answer.
type Trouble struct {
	Kind   TroubleKind
	Detail string      // redacted
	Proxy  *ProxyError // of TroubleProxy
}

func (t *Trouble) Error() string {
	return strings.TrimSuffix(string(t.Kind)+": "+t.Detail, ": ")
}

// IsSuccess reports whether the answer is a 2xx.
func (x *Exchange) IsSuccess() bool { return x.Status >= 200 && x.Status < 300 }

// IsClientError reports whether the answer is a 4xx.
func (x *Exchange) IsClientError() bool { return x.Status >= 400 && x.Status < 500 }

// IsServerError reports whether the answer is a 5xx that is not transient.
func (x *Exchange) IsServerError() bool {
	return x.Status >= http.StatusInternalServerError && !x.IsTransient()
}

// IsTransient reports whether the outcome says nothing about the request itself: no answer,
// 429, 502, 503 or 504.
func (x *Exchange) IsTransient() bool {
	return isTransientStatus(x.Status)
}

func isTransientStatus(status int) bool {
	return slices.Contains([]int{
		0, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout,
	}, status)
}
