package target_test

import (
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/target"
)

const names = `legal_representative:
  path: /v9/people
  headers: {transaction_id: x-tx, nonce: x-nonce, language: x-tongue, on_behalf_of: x-for}
  fields: {phone_number: contact.phone}
export: {path: /v9/exports}
`

// own returns the lower-case names of the headers that the request itself set.
func own(h http.Header) map[string]string {
	set := map[string]string{}
	for name, values := range h {
		switch name := strings.ToLower(name); name {
		case "accept", "accept-encoding", "content-length", "user-agent", "authorization":
		default:
			set[name] = strings.Join(values, "|")
		}
	}
	return set
}

func TestRequestsLeaveOutWhatIsEmpty(t *testing.T) {
	d := deploy(t, 400)
	subject := aim(t, d.URL, names)
	for _, c := range []struct {
		send   target.Request
		header map[string]string
		body   string
	}{
		{
			target.Request{Operation: client.OperationCreate, Body: []byte(
				"[1]"), ContentType: "text/plain"},
			map[string]string{"content-type": "text/plain"},
			"[1]",
		},
		{target.Request{Operation: client.OperationCreate, Body: []byte{}}, nil, ""},
		{target.Request{
			Operation: client.OperationCreate, Transaction: "t",
		}, map[string]string{"x-tx": "t"}, "{}"},
		{target.Request{Operation: client.OperationExport, Body: []byte{}}, nil, ""},
		{target.Request{Operation: client.OperationExport, Body: []byte("{")}, nil, "{"},
		{
			target.Request{Operation: client.OperationExport, Mode: "nonce&x-transaction-uuid"},
			map[string]string{"x-include-replay-protection-schema": "nonce&x-transaction-uuid"},
			"{}",
		},
		{target.Request{
			Operation: client.OperationExport, Fields: target.ExportFields{"order": nil},
		}, nil, `{"order":null}`},
	} {
		subject.Send(t.Context(), func() target.Request { return c.send })
		if got := own(d.header); len(got) != len(c.header) || len(got) > 0 &&
			!reflect.DeepEqual(got, c.header) || d.body != c.body || d.header.Get("Authorization") != "" {
			t.Errorf("%+v: headers %v, body %q", c.send, got, d.body)
		}
	}
}

func TestRequestsAreChangedInCopies(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1")
	first, other := subject.NewCreation("x"), subject.NewCreation("x")
	changed := first
	changed.SetField("name", "Ana")
	changed.RemoveFields("email")
	if changed.Draft.Get("name") != "Ana" || changed.Draft.Has("email") ||
		first.Draft.Get("name") == "Ana" || !first.Draft.Has("email") ||
		changed.UnmodifiedField("email") == nil {
		t.Error("a copy of a creation shares its fields")
	}
	if other.Draft.Get("email") == first.Draft.Get("email") || other.Nonce == first.Nonce {
		t.Error("two creations share a person")
	}
	subject.CreationSpelling.Store(&target.CreationSpelling{{
		Name:   "short",
		Change: func(r *target.Request) { r.SetField("phone_number", "1") },
	}})
	testmust.Equal(t, subject.CreationSpelling.Load().String(), "short")
	testmust.Equal(t, subject.NewCreation("x").Draft.Get("phone_number"), "1")
	call := subject.NewExport("x", target.ExportFields{"a": 1})
	more := call
	more.SetHeader("x-lang", "xx")
	more.SetField("b", 2)
	more.RemoveFields("a")
	if len(call.Header) != 0 || !reflect.DeepEqual(map[string][]string(more.Header),
		map[string][]string{"x-lang": {"xx"}}) ||
		len(call.Fields) != 1 || len(more.Fields) != 1 || more.Fields["b"] != 2 {
		t.Error("a copy of an export shares its header or its fields")
	}
}

func TestACorruptedBodyIsShownWhereItDiffers(t *testing.T) {
	subject := aim(t, deploy(t, 201).URL, names)
	for shown, corrupt := range map[string]func(body string) string{
		`…"participation_percentage":NaN…`: func(body string) string {
			return strings.Replace(body, `"participation_percentage":50`, `"participation_percentage":NaN`, 1)
		},
		`…"participation_percentage":50,"participation_percentage":7,`: func(body string) string {
			const pair = `"participation_percentage":`
			return strings.Replace(body, pair+"50,", pair+"50,"+pair+"7,", 1)
		},
		`"} x`:    func(body string) string { return body + " x" },
		`[{"`:     func(body string) string { return "[" + body + "]" },
		`no JSON`: func(string) string { return "no JSON" },
	} {
		r := subject.NewCreation("corrupted")
		r.SetField("participation_percentage", 50)
		r.CorruptBody = func(body []byte) []byte { return []byte(corrupt(string(body))) }
		testmust.Contain(t, subject.BuildRequest(r).HeaderSummary, shown)
	}
}

// Where a credential would stand, what is sent is shown only if it holds none.
func TestAnEmptyCredentialIsShown(t *testing.T) {
	subject := aim(t, deploy(t, 201).URL, names)
	for value, want := range map[string]string{
		"Bearer": "Authorization Bearer", "": "Authorization empty", "Bearer made-up": "",
	} {
		r := subject.NewExport("empty", nil)
		r.SetHeader("Authorization", value)
		got := subject.BuildRequest(r).HeaderSummary
		if strings.Contains(got, "made-up") || !strings.Contains(got, want) {
			t.Errorf("%q is shown as %q", value, got)
		}
	}
}

func TestUniqueBoundsNeverRepeatAndStayInTheWindow(t *testing.T) {
	at := func(text string) time.Time {
		parsed := testmust.Get(time.Parse("2006-01-02T15:04:05.000Z", text))(t)
		return parsed
	}
	for window, in := range map[string][2]string{
		"": {"2024-01-01T00:00:00.000Z", "2024-12-31T00:26:00.000Z"},
		"fixtures: {window: {start: 2025-03-01T00:00:00+03:00, end: 2025-03-01T02:00:00+03:00}}": {
			"2025-02-28T21:00:00.000Z", "2025-02-28T23:00:00.000Z",
		},
		// too narrow
		"fixtures: {window: {start: 2025-03-01T00:00:00Z, end: " +
			"2025-03-01T01:00:00Z}}": {"2024-01-01T00:00:00.000Z", "2024-12-31T00:26:00.000Z"},
	} {
		subject := aim(t, "http://127.0.0.1:1", window)
		seen := map[string]bool{}
		for range 1000 {
			f := subject.UniqueBounds("x")
			from, to := f["date_start"].(string), f["date_end"].(string)
			start, end := at(from), at(to)
			if long := end.Sub(start); len(f) != 2 || from < in[0] || to > in[1] || long < time.Minute ||
				long > 26*time.Minute || seen[from+to] {
				t.Fatalf("%s: %v is not within %v, or came before", window, f, in)
			}
			seen[from+to] = true
		}
	}
}

func TestUnmetNamesTheKeyToAdd(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1", "fixtures: {client_id: c}")
	for needs, want := range map[string]string{
		"": "", "fixtures.client_id": "",
		"fixtures.client_id fixtures.product_id fixtures.window": "fixtures.product_id",
	} {
		err := subject.MissingSettings(rules.Rule{Needs: strings.Fields(needs)})
		if (err != nil) != (want != "") ||
			err != nil && err.Error() != "add "+want+" to the deployment file" {
			t.Errorf("%v: %v", needs, err)
		}
	}
}

func TestChanceFollowsTheSeedAndThePurpose(t *testing.T) {
	a, b := aim(t, "http://127.0.0.1:1"), aim(t, "http://127.0.0.1:1")
	// Names may have to be without digits.
	if form := regexp.MustCompile(`^[a-p]{8}$`); a.RunID == b.RunID || !form.MatchString(a.RunID) ||
		!form.MatchString(b.RunID) {
		t.Errorf("runs %q, %q", a.RunID, b.RunID)
	}
	// The choices of a seed must not change between versions: reports name the seed to repeat a run.
	const first = 13355216367812471045
	if got, again := a.SeededRand("rows").Uint64(), b.SeededRand("rows").Uint64(); got != first ||
		again != first || a.SeededRand("bounds").Uint64() == first {
		t.Errorf("seed 1 now chooses %d and %d", got, again)
	}
	if b.Seed = 2; b.SeededRand("rows").Uint64() == first {
		t.Error("two seeds chose alike")
	}
}

// A script that repeats a creation with IDs of its own draws new ones: a deployment that takes them
// refuses the old ones as duplicates.
func TestIDsThatACreationSetsAreDrawnAnew(t *testing.T) {
	d := deploy(t, 201)
	subject := aim(t, d.URL, names)
	id, documentID := target.NewUUID(), target.NewUUID()
	x := subject.Send(t.Context(), func() target.Request {
		r := subject.NewCreation("with IDs")
		r.SetField("id", id)
		r.SetField("document.id", documentID)
		return r
	})
	for _, text := range []string{id, documentID} {
		want := reproscript.DrawnText{Text: text, Kind: reproscript.DrawnUUID}
		if drawn := x.RepeatStep().Drawn; !slices.Contains(drawn, want) {
			t.Errorf("%s is not among %v", text, drawn)
		}
	}
}
