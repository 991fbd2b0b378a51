// Package reproscript renders a finding as a bash script that sends the requests which show it
// again. The script exits with 1 if the finding persists, 0 if it is gone, and 2 if it cannot
// tell.
package reproscript

import (
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/curl"
)

// Script is a finding, the requests that show it, and the expectation that their answers
// violate.
type Script struct {
	Rule, Level, Statement string
	Finding                string // one sentence
	BaseURL                string // where the steps were sent; GATEWAY_URL replaces it
	// in the order of sending; the expectation applies to the last answer
	Steps       []Step
	Expectation Expectation
	File        *deployment.Retrieval // how files are fetched; nil: unknown
	Headers     []string              // names of headers that every request carries
}

// Step is one request of a script.
type Step struct {
	Request curl.Request
	// Answer is the redacted body of the original answer. Values that later steps took from it,
	// such as an ID or an address, are taken from the new answer.
	Answer []byte
	// Drawn lists texts that must be unique to a run. Each run draws new ones, the same for the
	// same text in every step and in the expectation. Values of Request.FreshHeaders need not be
	// listed.
	Drawn []DrawnText
	After time.Duration // how long to wait before sending it
	Times int           // more than 1: send it so many times at once
	// send it at once with the next step, which waits for both
	WithNext bool
	reached  bool // also request the download that its answer leads to
	Refused  bool // a refusal means that the finding is gone
	Open     bool // it may be accepted or refused: the expectation is about later steps
	// wait for the export's file and read it; for a request for a file: poll until it is ready
	Fetch bool
}

// DrawnText is a text of a request that is unique to it.
type DrawnText struct {
	Text string // as in the request
	Kind DrawnKind
}

// DrawnKind is how a new text is drawn.
type DrawnKind string

// The kinds of drawn texts.
const (
	DrawnUUID    DrawnKind = "uuid"    // a version 4 UUID
	DrawnInstant DrawnKind = "instant" // an ISO date-time: its seconds and milliseconds change
	DrawnCPF     DrawnKind = "cpf"     // eleven digits with valid check digits
	DrawnEmail   DrawnKind = "email"   // an email address made unique by hexadecimal digits
)

// Expectation is what a correct gateway answers. If it holds, the finding is gone. It is one of
// the types below.
type Expectation interface{ expectation() }

// ExpectStatus expects one of the statuses Right ("201", "2xx", "4xx") and none of Except, and a
// body that does not contain the text Without.
type ExpectStatus struct {
	Right, Except []string
	Without       string // empty: any body will do
}

// ExpectBlocked expects that the last answer starts no export: it is not a 2xx with a file_id.
// Where it starts none, the request is sent once more. The script cannot tell if the first request
// is not accepted.
type ExpectBlocked struct {
	// AfterMore is how many new requests like the first are sent where it is blocked, before it is
	// sent once more: a deployment may remember so many. 0: none.
	AfterMore int
}

// ExpectEnvelope expects one of the paths at the top level of the last answer.
type ExpectEnvelope struct{ Paths []string }

// ExpectValue expects that the JSON value at a dotted path of the last answer matches an
// extended regular expression as a whole. Texts have quotes, but no \u escapes. Absent values
// read "absent", objects "object", arrays "array". The record may be inside one more object.
// The last answer must be a 2xx, or a refusal with Refused. Not inverts the match.
type ExpectValue struct {
	Path, Right  string
	Not, Refused bool
}

// ExpectCurrentTime expects that a date-time of the last answer is within five minutes of its
// Date header or of the local clock.
type ExpectCurrentTime struct{ Path string }

// ExpectJSONObject expects that the body of the last answer is one JSON object.
type ExpectJSONObject struct{}

// ExpectOneRecord expects that the last answer is a 409 or has the id of the first. With Other
// it expects only that the last answer has no other id, whatever its status. With Two it
// expects two different ids.
type ExpectOneRecord struct{ Other, Two bool }

// ExpectUnchanged expects that the values at dotted paths are the same in the first and the
// last answer, if the last has them.
type ExpectUnchanged struct{ Paths []string }

// ExpectDifferent expects two different values at a path of the first and the last answer.
type ExpectDifferent struct{ Path string }

// ExpectAtMostOne expects that at most one of the concurrent requests is accepted; the script
// tries a few times. With Records it expects that all accepted ones have one id, and that the
// others get 409.
type ExpectAtMostOne struct{ Records bool }

// ExpectRows expects rows in the file of the last step. A row is given by texts that each fill
// a cell: every row of With, no row that has all texts of one of Without in order, and the
// first row of Order before the second. Once lists IDs that occur in at most one row. With
// Refused, a 4xx is right, too.
type ExpectRows struct {
	Refused    bool
	With, Once []string
	Without    [][]string
	Order      [2]string
}

// ExpectSameRows expects that the files of the last two steps agree on some rows, given by
// texts of their cells in order: both have a row, or neither.
type ExpectSameRows struct{ Rows [][]string }

// ExpectFileFetched expects that the file of the last step can be fetched.
type ExpectFileFetched struct{}

// ExpectCSV expects that the file is CSV: lines have equally many fields, and quotes are closed.
type ExpectCSV struct{}

// ExpectNoLeak expects that the last answer, including headers, holds no credential of the
// script.
type ExpectNoLeak struct{}

// ExpectSameMessages expects that the last two answers have the same messages: JSON texts of
// several words.
type ExpectSameMessages struct{}

// ExpectSameStatus expects that the last two answers have the same status.
type ExpectSameStatus struct{}

func (ExpectStatus) expectation()       {}
func (ExpectBlocked) expectation()      {}
func (ExpectEnvelope) expectation()     {}
func (ExpectValue) expectation()        {}
func (ExpectCurrentTime) expectation()  {}
func (ExpectJSONObject) expectation()   {}
func (ExpectOneRecord) expectation()    {}
func (ExpectUnchanged) expectation()    {}
func (ExpectDifferent) expectation()    {}
func (ExpectAtMostOne) expectation()    {}
func (ExpectRows) expectation()         {}
func (ExpectSameRows) expectation()     {}
func (ExpectFileFetched) expectation()  {}
func (ExpectCSV) expectation()          {}
func (ExpectNoLeak) expectation()       {}
func (ExpectSameMessages) expectation() {}
func (ExpectSameStatus) expectation()   {}
