// Package repeat renders a finding as a bash script that sends the requests which show it again, and tells by its exit
// code whether it is still there: 1 while it is, 0 when it is gone, 2 where that could not be told.
package repeat

import (
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/curl"
)

// Script is a finding, the requests that show it, and the sign to look for in their answers.
type Script struct {
	Rule, Level, Statement string
	Finding                string // in a sentence
	BaseURL                string // that the steps were sent to; GATEWAY_URL replaces it
	Steps                  []Step // in the order of sending; the sign is looked for in the answer to the last
	Sign                   Sign
	File                   *deployment.Retrieval // how files are fetched; nil: not known
	Headers                []string              // names of those that go along with every request
}

// Step is one request of a script.
type Step struct {
	Request curl.Request
	// Answer is the redacted body of the answer it got: what later steps carry of it, such as an ID or an address, they
	// take from the new answer.
	Answer []byte
	// Drawn are texts of the request that no other request may share: each run of the script draws them anew, the same one
	// for the same text in every step. Headers of Request.Fresh are drawn without being listed here.
	// They are replaced in the texts of the sign as well.
	Drawn   []Drawn
	After   time.Duration // passes before it is sent
	Times   int           // more than 1: it is sent so many times at one instant
	reached bool          // the download that its answer leads to is asked for, too
	Refused bool          // it may be refused on the way: the finding is gone then
	Open    bool          // it may be accepted or refused: the sign is in later ones
	Fetch   bool          // the file of the export is awaited and read; of a request for a file: it is sent until that is there
}

// Drawn is a text of a request that is unique to it.
type Drawn struct {
	Text string // as the request shows it
	Kind Kind
}

// Kind says how a text is drawn anew.
type Kind string

// The kinds of drawn texts.
const (
	UUID    Kind = "uuid"    // a version 4 UUID
	Instant Kind = "instant" // an ISO date-time: its seconds and milliseconds change
	CPF     Kind = "cpf"     // eleven digits with valid check digits
)

// Sign is what tells whether a finding is there. What it describes is right: where it holds the finding is gone.
// It is one of the types below.
type Sign interface{ sign() }

// Status is right where the last answer has one of the statuses: "201", "2xx", "4xx". Those of Except are not right.
type Status struct{ Right, Except []string }

// Blocked is right where the last answer starts no export: it is no 2xx that names a file_id. Where the first request
// of the script is not accepted, nothing can be told.
type Blocked struct{}

// Enveloped is right where the last answer shows one of the paths at its top.
type Enveloped struct{ Paths []string }

// Value is right where the JSON value at a dotted path of the last answer, as it is written there (texts in quotes, \u
// escapes undone), matches an extended regular expression as a whole. A value that is absent reads "absent", one of an
// object "object", one of an array "array". The record may lie in one more object. The last answer has to be a 2xx, or with
// Refused may be a refusal. With Not it is right where the value does not match.
type Value struct {
	Path, Right  string
	Not, Refused bool
}

// Now is right where the date-time at a path of the last answer is within five minutes of its Date header or of our
// clock.
type Now struct{ Path string }

// Document is right where the body of the last answer is one JSON object.
type Document struct{}

// OneRecord is right where the last answer is a 409, or names the id that the first one names.
// With Other it is right where the last answer names no other id than the first one does, whatever its status.
// With Two it is right where both name an id, and not the same.
type OneRecord struct{ Other, Two bool }

// Unchanged is right where the last answer shows the same values as the first at dotted paths, as far as it shows them.
type Unchanged struct{ Paths []string }

// Differ is right where the first answer and the last show two different values at a path.
type Differ struct{ Path string }

// AtMostOne is right where, of the requests that are sent at once, at most one is accepted; a script tries a few times.
// With Records it is right where all that are accepted name one id, and the others get 409.
type AtMostOne struct{ Records bool }

// Rows is right where the file of the last step holds the rows that it should hold, by texts that stand in one cell of
// a row: each of With in one row, none of Without, and of Order the first in a row before that of the second.
// Once lists IDs of which each stands in at most one row.
// Where Refused is set, a 4xx is right as well.
type Rows struct {
	Refused             bool
	With, Without, Once []string
	Order               [2]string
}

// File is right where the file of the last step could be fetched.
type File struct{}

// Table is right where the file is CSV: all of its lines have as many fields as the first, and quotes are closed.
type Table struct{}

// NoLeak is right where the last answer, with its headers, does not hold any credential of the script.
type NoLeak struct{}

// SameWords is right where the last two answers have the same texts of several words in their JSON: messages.
type SameWords struct{}

// SameStatus is right where the last two steps have the same status.
type SameStatus struct{}

func (Status) sign()     {}
func (Blocked) sign()    {}
func (Enveloped) sign()  {}
func (Value) sign()      {}
func (Now) sign()        {}
func (Document) sign()   {}
func (OneRecord) sign()  {}
func (Unchanged) sign()  {}
func (Differ) sign()     {}
func (AtMostOne) sign()  {}
func (Rows) sign()       {}
func (File) sign()       {}
func (Table) sign()      {}
func (NoLeak) sign()     {}
func (SameWords) sign()  {}
func (SameStatus) sign() {}
