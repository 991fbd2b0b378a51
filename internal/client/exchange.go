// Package client sends every request of a run: it paces them, bounds what is in flight, records
// each exchange with its secrets redacted, and fetches export files. Nothing else in gateassay
// talks to a deployment.
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

// Operation says what a request is for; reports group by it.
type Operation string

// The operations that requests belong to.
const (
	OperationCreate    Operation = "create"
	OperationDocuments Operation = "documents"
	OperationExport    Operation = "export"
	OperationFile      Operation = "file"
	OperationOther     Operation = "other"
)

// Request is one request to send.
type Request struct {
	Label string // what it is, in a few words: "CPF with letters"
	// what of it matters beside its body and who sends it, in values: "x-lang en-US"
	HeaderSummary  string
	RelevantFields []string  // dotted paths of what matters of its body
	Operation      Operation //
	Method         string    // default: that of the operation
	Path           string    // joined to the deployment's base URL; default: that of the operation
	Query          url.Values
	Header         http.Header
	Body           []byte                 // nil: no body and no content type of our own
	Credential     *deployment.Credential // nil: none is sent
	// what Header holds in place of a credential on purpose: "an unsigned token"
	AlteredCredential string
	// headers whose value is a fresh UUID v4: curl generates them anew
	FreshHeaders []string
	Drawn        []reproscript.DrawnText // what else no other request may share, as it is sent
	// may create a representative: counted against limits.max_creates beforehand
	Creates bool
	// counted when it is sent; others are as soon as they queue, and so come first
	Late          bool
	CreateReserve CreateReserve // how many representatives it leaves for others to create
	// a 429 may be the refusal that is looked for: it is returned at once
	MayBlock bool

	at   *url.URL    // in place of Path and Query
	file *fileReader // reads a file that is not a short answer
}

// Exchange is one request and what came back. Status, Header and Body are as received and serve
// judging only; what is written anywhere comes from Recorded, which holds no secret.
type Exchange struct {
	Seq       int // 1, 2, ... in order of sending; 0: never sent, so recorded nowhere
	Label     string
	Operation Operation
	Attempt   int // 1, or more when an earlier attempt was throttled

	StartedAt time.Time     // when it was sent
	Queued    time.Duration // waited for a slot and for the pace
	Service   time.Duration // from sending to the end of the body
	FirstByte time.Duration // from sending to the first byte of the answer

	Status int         // 0: no answer
	Header http.Header // nil: no answer
	Body   []byte      // decompressed, at most 128 KiB
	Size   int64       // bytes of the body that were read
	Err    *Trouble    // nil: there was an answer

	Leaks    []string // names of the credentials whose value the answer repeats
	Recorded Record

	cut bool // the body was longer
}

// Record is what may be written to a file or shown: credentials redacted, personal data replaced by
// pseudonyms.
type Record struct {
	Method         string
	URL            string
	RequestHeader  http.Header
	RequestBody    []byte
	Status         int // as received, also when the answer then broke off and Exchange.Status is 0
	ResponseProto  string
	ResponseHeader http.Header
	ResponseBody   []byte
	Comment        string // why a body is left out or shortened

	step    reproscript.Step // sends the request again; secrets are variables, identifiers are fresh
	sent    []byte           // the body, as it went out
	matters []string         // see Request
	details string           // what matters beside the body, redacted
}

// TroubleKind says why there is no answer.
type TroubleKind string

// Kinds of trouble.
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
	// an impossible header, path or address; never sent
	TroubleUnsendable TroubleKind = "could not be sent"
	// an answer beyond a limit, which was not read to its end
	TroubleTooLarge TroubleKind = "too large"
	// an answer with damaged or unknown compression
	TroubleDecompression TroubleKind = "cannot be decompressed"
	// the deployment kept throttling; never sent
	TroubleThrottled TroubleKind = "throttled for too long"
	TroubleProxy     TroubleKind = "no way through the proxy"
	// a 401 that says nothing about the deployment
	TroubleTokenEnded TroubleKind = "refused with a token that no longer holds"
)

// Trouble is the reason why an exchange has no answer.
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

// IsServerError reports a server error that is not the deployment being out of order.
func (x *Exchange) IsServerError() bool {
	return x.Status >= http.StatusInternalServerError && !x.IsTransient()
}

// IsTransient reports whether the outcome says nothing about the request itself: no answer, 429,
// 502, 503 or 504.
func (x *Exchange) IsTransient() bool {
	return isTransientStatus(x.Status)
}

func isTransientStatus(status int) bool {
	return slices.Contains([]int{
		0, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout,
	}, status)
}
