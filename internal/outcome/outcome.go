// Package outcome names the outcomes of requests and of what their answers contain.
package outcome

import (
	"bytes"
	"net/http"

	"github.com/gateassay/gateassay/internal/client"
)

// Outcome is the outcome of a request, or of a value or row in its answer.
type Outcome string

// Outcomes of a request.
const (
	Accepted Outcome = "accepted"
	// accepted, not blocked by replay protection
	Passed Outcome = "passed"
	// accepted, although replay protection should block it
	NotBlocked   Outcome = "not_blocked"
	SecondRecord Outcome = "second_record" // accepted, and created a second record
	OthersRecord Outcome = "others_record" // accepted, with the record of another creation
	Blocked      Outcome = "blocked"       // refused as a repeat
	Refused      Outcome = "refused"       // any other 4xx
	Performed    Outcome = "performed"     // a 4xx whose body shows the result all the same
	ServerError  Outcome = "server_error"
	ErrorInside  Outcome = "error_inside" // a 2xx whose body reports an error
	Page         Outcome = "page"         // a 2xx with an HTML page, such as a proxy's error page
	Throttled    Outcome = "throttled"
	Redirected   Outcome = "redirected"
	NoAnswer     Outcome = "no_answer"
	NotSent      Outcome = "not_sent"
)

// Outcomes of a value and of rows.
const (
	Changed    Outcome = "changed"
	Nulled     Outcome = "null" // in place of a value
	OutOfOrder Outcome = "out_of_order"
)

// verbs describe outcomes within a sentence.
var verbs = map[Outcome]string{
	Accepted: "accepted", NotBlocked: "is not blocked", SecondRecord: "makes a second record",
	OthersRecord: "gets the record of another creation",
	Blocked:      "is blocked", Refused: "refused", Performed: "is carried out all the same",
	ServerError: "ends in a server error", ErrorInside: "answered with an error inside",
	Page:      "answered with a page",
	Throttled: "throttled", Redirected: "redirected", NoAnswer: "got no answer",
	NotSent: "was not sent", Changed: "came back changed", Nulled: "came back changed",
	OutOfOrder: "is out of order",
}

// Verb returns the words for the outcome within a sentence; "": the answer says it all.
func (o Outcome) Verb() string { return verbs[o] }

// Of returns the outcome of a request.
func Of(x *client.Exchange) Outcome {
	switch {
	case x == nil:
		return NotSent
	case x.Err != nil || x.Status < 200:
		return NoAnswer
	case x.Status >= 500:
		return ServerError
	case x.Status == http.StatusTooManyRequests:
		return Throttled
	case x.Status >= 400 && x.PerformedMember() != "":
		return Performed
	case x.Status >= 400:
		return Refused
	case x.Status >= 300:
		return Redirected
	case isPage(x.Body):
		return Page
	case x.HasErrorBody():
		return ErrorInside
	}
	return Accepted
}

func isPage(body []byte) bool {
	start := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 1024)]))
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
}
