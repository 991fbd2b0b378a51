package proof_test

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
	"testing"

	"github.com/gateassay/gateassay/suites/proof"
)

// Runs with one seed send the same and find the same, whatever their order and pace.
func TestShuffledRunsAreTheSame(t *testing.T) {
	var subjects []proof.Subject
	var heard []*listener
	for i, inFlight := range []int{1, 4, 16, 64} {
		l := &listener{}
		heard = append(heard, l)
		subjects = append(subjects, proof.Subject{
			Seed: 7, Random: true, Order: int64(i + 1), InFlight: inFlight, Around: l.around,
		})
	}
	findings, err := proof.Examine(t.Context(), subjects, proof.Options{SideBySide: 2})
	if err != nil {
		t.Fatal(err)
	}
	like, sent := findings[1], heard[1].distinct()
	if len(sent) < 500 || len(like.Verdicts) < 100 {
		t.Errorf("%d different requests, %d verdicts", len(sent), len(like.Verdicts))
	}
	for i, f := range findings {
		for rule, verdict := range f.Verdicts {
			if f.Subject.InFlight == 1 && strings.Contains(rule, ".race") {
				continue // a race needs two requests in flight
			}
			if verdict != like.Verdicts[rule] {
				t.Errorf("order %d: %s is %s, and %s with order %d", i+1, rule, verdict, like.Verdicts[rule],
					like.Subject.Order)
			}
		}
		if f.Subject.InFlight == 1 {
			continue
		}
		for _, text := range lacking(heard[i].distinct(), sent) {
			t.Errorf("only order %d sends %s", i+1, text)
		}
		for _, text := range lacking(sent, heard[i].distinct()) {
			t.Errorf("order %d does not send %s", i+1, text)
		}
	}
}

// lacking lists what of a list another lacks.
func lacking(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(text string) bool { return slices.Contains(other, text) })
}

// listener notes what a gateway is asked, but for the fetching of files, which takes as long as it takes.
type listener struct {
	next http.Handler
	mu   sync.Mutex
	sent []string
}

func (l *listener) around(next http.Handler) http.Handler {
	l.next = next
	return l
}

// distinct lists the requests without what has to be unique, each once: a race has as many as may be in flight.
func (l *listener) distinct() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(l.sent)))
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
	{regexp.MustCompile(`(?i)(gateassay|ga|brien|conceição|\\"|\\\\)[ +-](\S )?[a-z]{8}`), "$1 RUN"},
	{regexp.MustCompile(`\b[a-z]{8} aG\b`), "RUN aG"}, // the same letters in another order
	{regexp.MustCompile(`\.[0-9a-f]{12}\b`), ".PERSON"},
	{regexp.MustCompile(`\d{3}\.\d{3}\.\d{3}-\d{2}|\d{6} \d{5}|[A-Z]{0,2}\d{9,14}\b|\b\d{10}X\b|\p{Nd}{11}`), "DIGITS"},
	{regexp.MustCompile(`[０-９]{4}－[０-９－Ｔ：．Ｚ]+`), "WIDE BOUND"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\\u0007[\d:]+(\.\d+)?Z`), "BOUND WITH A BELL"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`), "BOUND"}, // of two requests side by side either may take the first
	{regexp.MustCompile(`eyJ[\w-]+\.[\w-]*\.[\w-]*`), "TOKEN"},
	{regexp.MustCompile(`"filter_text":"[a-z]{8}"`), "RUN"},
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
