package judge

// A Class is the kind of outcome of a request.
type Class uint8

// Classes. Every request of a run is in exactly one.
const (
	ClassAccepted       Class = iota // 2xx with file_id, file_state and created_at as documented
	ClassBlocked                     // a deliberate repeat, refused as documented
	ClassFalseBlock                  // a fresh request, blocked: a violation
	ClassMissedBlock                 // a repeat of an accepted request, accepted: a violation
	ClassThrottled                   // 429, or another 4xx with Retry-After
	ClassClientError                 // any other 4xx, which says nothing about replay protection
	ClassServerError                 // 5xx
	ClassTransportError              // no answer; Judgement.Failure says why
	ClassTimeout                     // no answer in time
	ClassMalformed                   // unusable, or any other answer: it violates Judgement.Rule
	NumClasses          = iota
)

// classTable holds the names of classes for records, thresholds, metrics, pages and comparisons.
var classTable = [NumClasses]struct {
	name  string // in records, in series.csv and on pages
	count string // name of the count, in run.json and in thresholds
	noun  string // a request of the class, in a sentence
}{
	ClassAccepted:       {"accepted", "accepted", "accepted request"},
	ClassBlocked:        {"blocked", "blocked", "blocked repeat"},
	ClassFalseBlock:     {"false_block", "false_blocks", "false block"},
	ClassMissedBlock:    {"missed_block", "missed_blocks", "missed block"},
	ClassThrottled:      {"throttled", "throttled", "throttled request"},
	ClassClientError:    {"client_error", "client_errors", "client error"},
	ClassServerError:    {"server_error", "server_errors", "server error"},
	ClassTransportError: {"transport_error", "transport_errors", "transport error"},
	ClassTimeout:        {"timeout", "timeouts", "timeout"},
	ClassMalformed:      {"malformed", "malformed", "malformed answer"},
}

// Classes lists the classes in the order in which they are shown.
func Classes() (list [NumClasses]Class) {
	for c := range list {
		list[c] = Class(c)
	}
	return list
}

// String returns the class's name in records, such as "false_block".
func (c Class) String() string {
	if int(c) < len(classTable) {
		return classTable[c].name
	}
	return "unknown"
}

// ClassByName returns the class with a name in records.
func ClassByName(name string) (c Class, known bool) {
	for c := range classTable {
		if classTable[c].name == name {
			return Class(c), true
		}
	}
	return 0, false
}

// CountName returns the name of the number of requests of a class, such as "false_blocks".
func (c Class) CountName() string { return classTable[c].count }

// Noun returns what one request of a class is called in a sentence, such as "false block".
func (c Class) Noun() string { return classTable[c].noun }

// IsBad reports whether a request of the class is neither accepted nor rightly blocked.
func (c Class) IsBad() bool { return c != ClassAccepted && c != ClassBlocked }
