// Package outcome says what became of a request, or of what came in answer.
package outcome

import (
	"encoding/json"
	"net/http"

	"github.com/gateassay/gateassay/internal/client"
)

// Outcome is what became of a request, or of what came in answer.
type Outcome string

// What can become of a request.
const (
	Accepted Outcome = "accepted"
	// accepted, as replay protection has nothing against it
	Passed Outcome = "passed"
	// accepted, although it repeats an earlier one
	NotBlocked   Outcome = "not_blocked"
	SecondRecord Outcome = "second_record" // accepted, and made one more
	Blocked      Outcome = "blocked"       // refused as a repeat
	Refused      Outcome = "refused"       // any other 4xx
	Performed    Outcome = "performed"     // a 4xx whose body shows the result all the same
	ServerError  Outcome = "server_error"
	ErrorInside  Outcome = "error_inside" // a 2xx whose body reports an error
	Throttled    Outcome = "throttled"
	Redirected   Outcome = "redirected"
	NoAnswer     Outcome = "no_answer"
	NotSent      Outcome = "not_sent"
)

// What can become of a value, and of rows.
const (
	Changed    Outcome = "changed"
	OutOfOrder Outcome = "out_of_order"
)

// verbs say each outcome in the words of a sentence.
var verbs = map[Outcome]string{
	Accepted: "accepted", NotBlocked: "is not blocked", SecondRecord: "makes a second record",
	Blocked: "is blocked", Refused: "refused", Performed: "is carried out all the same", ServerError: "ends in a server error",
	ErrorInside: "answered with an error inside", Throttled: "throttled", Redirected: "redirected",
	NoAnswer: "got no answer", NotSent: "was not sent",
	Changed: "came back changed", OutOfOrder: "is out of order",
}

// Verb says the outcome in the words of a sentence; empty: what came says all.
func (o Outcome) Verb() string { return verbs[o] }

// Of is what became of a request.
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
	case hasErrorBody(x):
		return ErrorInside
	}
	return Accepted
}

// hasErrorBody reports whether an answer is a JSON object that says that the request failed.
func hasErrorBody(x *client.Exchange) bool {
	var parts map[string]any
	return json.Unmarshal(x.Body, &parts) == nil &&
		(parts["error"] != nil || parts["success"] == false)
}
