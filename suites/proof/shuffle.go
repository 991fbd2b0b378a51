package proof

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Flights lists how many requests the runs of Shuffled have in flight, in turn.
func Flights() []int { return []int{1, 4, 16, 64} }

// Shuffled makes runs with the same seed against the same healthy gateway, each with its checks in another order and
// with another number of requests in flight.
func Shuffled(runs int, seed int64) []Subject {
	var list []Subject
	flights := Flights()
	for run := range runs {
		list = append(list, Subject{
			Seed: seed, Random: true, Order: int64(run + 1), InFlight: flights[run%len(flights)],
		})
	}
	return list
}

// Sameness is what differs between runs that should be the same.
type Sameness struct {
	Runs     int
	Requests int      // of each run
	Rules    int      // judged in each
	Differs  []string // what differs, run by run; empty: nothing
}

// NewSameness compares the findings about the subjects that Shuffled made with the first of them. A race needs two
// requests in flight, so that a run with one is compared with others that have one.
func NewSameness(findings []Finding) Sameness {
	s := Sameness{Runs: len(findings)}
	likes := map[bool]Finding{} // the first run that may race, and the first that may not
	for i, f := range findings {
		s.Requests, s.Rules = max(s.Requests, len(f.Sent)), max(s.Rules, len(f.Verdicts))
		races := f.Subject.InFlight != 1
		like, known := likes[races]
		if !known {
			likes[races] = f
			like = f
		}
		name := fmt.Sprintf("order %d with %d in flight: ", f.Subject.Order, f.Subject.InFlight)
		first := findings[0]
		for _, rule := range slices.Sorted(maps.Keys(first.Verdicts)) {
			against := first
			if strings.Contains(rule, ".race") {
				against = like
			}
			if f.Verdicts[rule] != against.Verdicts[rule] {
				s.Differs = append(s.Differs, fmt.Sprintf("%s%s is %s, and %s with order %d", name, rule,
					f.Verdicts[rule], against.Verdicts[rule], against.Subject.Order))
			}
		}
		if i == 0 {
			continue
		}
		for _, text := range lacking(f.Sent, like.Sent) {
			s.Differs = append(s.Differs, fmt.Sprintf("%sorder %d does not send %s", name, like.Subject.Order, text))
		}
		for _, text := range lacking(like.Sent, f.Sent) {
			s.Differs = append(s.Differs, fmt.Sprintf("%sonly order %d sends %s", name, like.Subject.Order, text))
		}
	}
	return s
}

// lacking lists what of a list another lacks. How often each of them is sent is left out: a race has as many as may be
// in flight.
func lacking(list, other []string) (all []string) {
	for _, text := range list {
		if !slices.Contains(other, text) {
			all = append(all, text)
		}
	}
	return all
}

// listener notes what a gateway is asked, but for the fetching of files, which takes as long as it takes.
type listener struct {
	next http.Handler
	mu   sync.Mutex
	sent []string
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			r.Body = io.NopCloser(bytes.NewReader(body))
			l.note(r, body)
		}
	}
	l.next.ServeHTTP(w, r)
}

// What has to be unique in each run, so that no two runs disturb each other: identifiers, the run's marker, CPF, phone
// number and email of a person, the seconds of a bound, credentials that were made up.
var unique = []struct {
	of   *regexp.Regexp
	name string
}{
	{regexp.MustCompile(`(?i)[0-9a-f]{7,8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{11,12}`), "ID"},
	{regexp.MustCompile(`(?i)[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}`), "ID"},
	{regexp.MustCompile(`\bID-[0-9a-f]{8}\b`), "ID and more"},
	{regexp.MustCompile(`not-a-uuid-[0-9a-f]{8}`), "not-a-uuid"},
	{regexp.MustCompile(`[g-v]{8}-[g-v]{4}-[g-v]{4}-[g-v]{4}-[g-v]{12}`), "ID"},
	{regexp.MustCompile(`(?i)(gateassay|ga|brien|conceição|\\"|\\\\)[ +-][a-z]{8}`), "$1 RUN"},
	{regexp.MustCompile(`\.[0-9a-f]{12}\b`), ".PERSON"},
	{regexp.MustCompile(`\d{3}\.\d{3}\.\d{3}-\d{2}|\d{6} \d{5}|[A-Z]{0,2}\d{9,14}\b|\b\d{10}X\b|\p{Nd}{11}`), "DIGITS"},
	{regexp.MustCompile(`(:\d\d):\d\d(\.\d+)?Z"`), `$1:SECONDZ"`},
	{regexp.MustCompile(`boundary=\w+|--[0-9a-f]{30,}`), "BOUNDARY"},
}

func (l *listener) note(r *http.Request, body []byte) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", r.Method, r.URL.Path)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		switch name {
		case "Authorization", "X-Api-Key":
			fmt.Fprintf(&b, " %s of %d characters", name, len(r.Header.Get(name)))
		case "Content-Length", "User-Agent", "Accept-Encoding", "Connection":
		default:
			fmt.Fprintf(&b, " %s=%s", name, r.Header.Get(name))
		}
	}
	text := b.String() + " " + string(body)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		text = b.String() // pictures that were drawn for it
	}
	for _, u := range unique {
		text = u.of.ReplaceAllString(text, u.name)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, text)
}
