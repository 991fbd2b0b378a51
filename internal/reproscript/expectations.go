// Package reproscript renders a finding as a bash script that sends the requests which show it
// again, and tells by its exit code whether it is still there: 1 while it is, 0 when it is gone, 2
// where that could not be told.
package reproscript

import (
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/curl"
)

// Script is a finding, the requests that show it, and the expectation to look for in their answers.
type Script struct {
	Rule, Level, Statement string
	Finding                string // in a sentence
	BaseURL                string // that the steps were sent to; GATEWAY_URL replaces it
	// in the order of sending; the expectation is looked for in the answer to the last
	Steps       []Step
	Expectation Expectation
	File        *deployment.Retrieval // how files are fetched; nil: not known
	Headers     []string              // names of those that go along with every request
}

// Step is one request of a script.
type Step struct {
	Request curl.Request
	// Answer is the redacted body of the answer it got: what later steps carry of it, such as an ID or
	// an address, they take from the new answer.
	Answer []byte
	// Drawn are texts of the request that no other request may share: each run of the script draws
	// them anew, the same one for the same text in every step. Headers of Request.Fresh are drawn
	// without being listed here. They are replaced in the texts of the expectation as well.
	Drawn []DrawnText
	After time.Duration // passes before it is sent
	Times int           // more than 1: it is sent so many times at one instant
	// it is sent at one instant with the next step, which waits for both
	WithNext bool
	reached  bool // the download that its answer leads to is asked for, too
	Refused  bool // it may be refused on the way: the finding is gone then
	Open     bool // it may be accepted or refused: the expectation is in later ones
	// the file of the export is awaited and read; of a request for a file: it is sent until that is
	// there
	Fetch bool
}

// DrawnText is a text of a request that is unique to it.
type DrawnText struct {
	Text string // as the request shows it
	Kind DrawnKind
}

// DrawnKind says how a text is drawn anew.
type DrawnKind string

// The kinds of drawn texts.
const (
	DrawnUUID    DrawnKind = "uuid"    // a version 4 UUID
	DrawnInstant DrawnKind = "instant" // an ISO date-time: its seconds and milliseconds change
	DrawnCPF     DrawnKind = "cpf"     // eleven digits with valid check digits
	DrawnEmail   DrawnKind = "email"   // an address that hexadecimal digits make unique
)

// Expectation is what tells whether a finding is there. What it describes is right: where it holds
// the finding is gone. It is one of the types below.
type Expectation interface{ expectation() }

// ExpectStatus holds where the last answer has one of the statuses of Right, such as "201", "2xx" or
// "4xx", and none of Except, and its body has no JSON member called Without.
type ExpectStatus struct {
	Right, Except []string
	Without       string // empty: the body does not matter
}

// ExpectBlocked holds where the last answer starts no export: it is no 2xx that names a file_id.
// Where the first request of the script is not accepted, nothing can be told.
type ExpectBlocked struct{}

// ExpectEnvelope holds where the last answer shows one of the paths at its top.
type ExpectEnvelope struct{ Paths []string }

// ExpectValue holds where the JSON value at a dotted path of the last answer, as it is written
// there (texts in quotes, \u escapes undone), matches an extended regular expression as a whole. A
// value that is absent reads "absent", one of an object "object", one of an array "array". The
// record may lie in one more object. The last answer has to be a 2xx, or with Refused may be a
// refusal. With Not it holds where the value does not match.
type ExpectValue struct {
	Path, Right  string
	Not, Refused bool
}

// ExpectCurrentTime holds where the date-time at a path of the last answer is within five minutes
// of its Date header or of our clock.
type ExpectCurrentTime struct{ Path string }

// ExpectJSONObject holds where the body of the last answer is one JSON object.
type ExpectJSONObject struct{}

// ExpectOneRecord holds where the last answer is a 409, or names the id that the first one names.
// With Other it holds where the last answer names no other id than the first one does, whatever
// its status. With Two it holds where both name an id, and not the same.
type ExpectOneRecord struct{ Other, Two bool }

// ExpectUnchanged holds where the last answer shows the same values as the first at dotted paths,
// as far as it shows them.
type ExpectUnchanged struct{ Paths []string }

// ExpectDifferent holds where the first answer and the last show two different values at a path.
type ExpectDifferent struct{ Path string }

// ExpectAtMostOne holds where, of the requests that are sent at once, at most one is accepted; a
// script tries a few times. With Records it holds where all that are accepted name one id, and
// the others get 409.
type ExpectAtMostOne struct{ Records bool }

// ExpectRows holds where the file of the last step holds the rows that it should hold, by texts
// that each fill one cell of a row: a row for each of With, none that has all texts of one of
// Without in their order, and of Order the row of the first before that of the second. Once lists
// IDs of which each stands in at most one row. Where Refused is set, a 4xx is right as well.
type ExpectRows struct {
	Refused    bool
	With, Once []string
	Without    [][]string
	Order      [2]string
}

// ExpectSameRows holds where the files of the last two steps agree on some rows, by texts that
// stand in cells of each in that order: both have it, or neither.
type ExpectSameRows struct{ Rows [][]string }

// ExpectFileFetched holds where the file of the last step could be fetched.
type ExpectFileFetched struct{}

// ExpectCSV holds where the file is CSV: all of its lines have as many fields as the first, and
// quotes are closed.
type ExpectCSV struct{}

// ExpectNoLeak holds where the last answer, with its headers, does not hold any credential of the
// script.
type ExpectNoLeak struct{}

// ExpectSameMessages holds where the last two answers have the same texts of several words in
// their JSON: messages.
type ExpectSameMessages struct{}

// ExpectSameStatus holds where the last two steps have the same status.
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
