// Package reproscript renders a finding as a bash script that sends the requests which show it
// again. The script exits with 1 if the finding persists, 0 if it is gone, and 2 if it cannot
// tell.
package reproscript

import (
	"slices"
	"strings"
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
	// Tries is how often the steps are sent until one try shows the finding; 0: once.
	Tries int
	// MayMiss: where no try shows it, the script cannot tell.
	MayMiss bool
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

	RefusalIsFixed bool // a refusal means that the finding is gone
	AnyStatus      bool // it may be accepted or refused: the expectation is about later steps
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
type Expectation interface {
	// call returns the call of the shell function that checks it; n is the number of the last step.
	call(w *scriptWriter, n string) []string
}

// ExpectStatus expects one of the statuses Right ("201", "2xx", "4xx") and none of Except, and a
// body that does not contain the text Without.
type ExpectStatus struct {
	Right, Except []string
	Without       string // empty: any body will do
}

func (e ExpectStatus) call(w *scriptWriter, n string) []string {
	// the first request may be blocked as a repeat, too
	if strings.HasPrefix(w.Rule, "replay.") && slices.Contains(e.Right, "2xx") {
		w.writeLine("right_status 1 2xx '' ''")
	}
	return []string{
		"right_status", n, strings.Join(e.Right, " "), strings.Join(e.Except, " "), e.Without,
	}
}

// ExpectBlocked expects that the last answer starts no export: it is not a 2xx with a file_id.
// Where it starts none, the request is sent once more. The script cannot tell if the first request
// is not accepted.
type ExpectBlocked struct {
	// AfterMore is how many new requests like the first are sent where it is blocked, before it is
	// sent once more: a deployment may remember so many. 0: none.
	AfterMore int
}

func (ExpectBlocked) call(_ *scriptWriter, n string) []string {
	return []string{"right_blocked", n}
}

// ExpectEnvelope expects one of the paths at the top level of the last answer.
type ExpectEnvelope struct{ Paths []string }

func (e ExpectEnvelope) call(_ *scriptWriter, n string) []string {
	return []string{"right_enveloped", n, strings.Join(e.Paths, " ")}
}

// ExpectValue expects that the JSON value at a dotted path of the last answer matches an
// extended regular expression as a whole. Texts have quotes, but no \u escapes. Absent values
// read "absent", objects "object", arrays "array". The record may be inside one more object.
// The last answer must be a 2xx, or a refusal with Refused. Not inverts the match.
type ExpectValue struct {
	Path, Right  string
	Not, Refused bool
}

func (e ExpectValue) call(w *scriptWriter, n string) []string {
	w.patternsOfDrawn(e.Right)
	return []string{"right_value", n, e.Path, e.Right, wordIf(e.Not, "not")}
}

// ExpectCurrentTime expects that a date-time of the last answer is within five minutes of its
// Date header or of the local clock.
type ExpectCurrentTime struct{ Path string }

func (e ExpectCurrentTime) call(_ *scriptWriter, n string) []string {
	return []string{"right_now", n, e.Path}
}

// ExpectJSONObject expects that the body of the last answer is one JSON object.
type ExpectJSONObject struct{}

func (ExpectJSONObject) call(_ *scriptWriter, n string) []string {
	return []string{"right_document", n}
}

// ExpectOneRecord expects that the last answer is a 409 or has the id of the first. With Other
// it expects only that the last answer has no other id, whatever its status. Where it has none,
// the last request is sent once more. With Two it expects two different ids.
type ExpectOneRecord struct{ Other, Two bool }

func (e ExpectOneRecord) call(_ *scriptWriter, n string) []string {
	return []string{"right_one_record", "1", n, wordIf(e.Other, "other") + wordIf(e.Two, "two")}
}

// ExpectUnchanged expects that the values at dotted paths are the same in the first and the
// last answer, if the last has them.
type ExpectUnchanged struct{ Paths []string }

func (e ExpectUnchanged) call(_ *scriptWriter, n string) []string {
	return append([]string{"right_unchanged", "1", n}, e.Paths...)
}

// ExpectDifferent expects two different values at a path of the first and the last answer.
type ExpectDifferent struct{ Path string }

func (e ExpectDifferent) call(_ *scriptWriter, n string) []string {
	return []string{"right_differ", "1", n, e.Path}
}

// ExpectAtMostOne expects that at most one of the concurrent requests is accepted; the script
// tries a few times. With Records it expects that all accepted ones have one id, and that the
// others get 409.
type ExpectAtMostOne struct{ Records bool }

func (e ExpectAtMostOne) call(_ *scriptWriter, n string) []string {
	return []string{"right_at_most_one", n, wordIf(e.Records, "records")}
}

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

func (e ExpectRows) call(_ *scriptWriter, n string) []string {
	with, once := strings.Join(e.With, "\n"), strings.Join(e.Once, "\n")
	return []string{"right_rows", n, with, joinRows(e.Without), once, e.Order[0], e.Order[1]}
}

// ExpectSameRows expects that the files of the last two steps agree on some rows, given by
// texts of their cells in order: both have a row, or neither.
type ExpectSameRows struct{ Rows [][]string }

func (e ExpectSameRows) call(w *scriptWriter, n string) []string {
	return []string{"right_same_rows", w.stepBeforeLast(), n, joinRows(e.Rows)}
}

// ExpectFileFetched expects that the file of the last step can be fetched.
type ExpectFileFetched struct{}

func (ExpectFileFetched) call(_ *scriptWriter, n string) []string {
	return []string{"right_file", n}
}

// ExpectCSV expects that the file is CSV: lines have equally many fields, and quotes are closed.
type ExpectCSV struct{}

func (ExpectCSV) call(_ *scriptWriter, n string) []string { return []string{"right_table", n} }

// ExpectNoLeak expects that the last answer, including headers, holds no credential of the
// script.
type ExpectNoLeak struct{}

func (ExpectNoLeak) call(_ *scriptWriter, n string) []string { return []string{"right_no_leak", n} }

// ExpectSameMessages expects that the last two answers have the same messages: JSON texts of
// several words.
type ExpectSameMessages struct{}

func (ExpectSameMessages) call(w *scriptWriter, n string) []string {
	return []string{"right_same_words", w.stepBeforeLast(), n}
}

// ExpectSameStatus expects that the last two answers have the same status.
type ExpectSameStatus struct{}

func (ExpectSameStatus) call(w *scriptWriter, n string) []string {
	return []string{"right_same_status", w.stepBeforeLast(), n}
}
