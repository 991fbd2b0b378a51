package record

import "strings"

// Finding is what a check found wrong, as values. Reports make sentences of it; no program reads those sentences.
type Finding struct {
	Subject   string    `json:"subject,omitempty"`   // what was sent or looked at: "creation without email"
	Outcome   Became    `json:"outcome,omitempty"`   // of a request; empty: Got says all
	Status    int       `json:"status,omitempty"`    // of the answer that shows it; 0: there was none
	Got       string    `json:"got,omitempty"`       // what came, in a few words: "2 rows dated on the end"
	Want      string    `json:"want,omitempty"`      // what the rule asks for, in a few words: "400 or 422"
	Condition []Setting `json:"condition,omitempty"` // what has to be set for it to happen; empty: nothing does
	Cause     string    `json:"cause,omitempty"`     // name of the defect that is known to explain it
}

// Setting is one choice of what a request carries, such as the header x-lang with the value en-US.
type Setting struct {
	Factor string `json:"factor"`
	Value  string `json:"value,omitempty"`
}

// String is "factor value".
func (s Setting) String() string { return strings.TrimSpace(s.Factor + " " + s.Value) }

// Became says what became of a request.
type Became string

// What can become of a request.
const (
	Accepted    Became = "accepted"
	NotBlocked  Became = "not_blocked" // accepted, although it repeats an earlier one
	Blocked     Became = "blocked"     // refused as a repeat
	Refused     Became = "refused"     // any other 4xx
	ServerError Became = "server_error"
	ErrorInside Became = "error_inside" // a 2xx whose body reports an error
	Throttled   Became = "throttled"
	Redirected  Became = "redirected"
	NoAnswer    Became = "no_answer"
	NotSent     Became = "not_sent"
)
