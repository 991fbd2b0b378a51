package target_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const names = `legal_representative:
  path: /v9/people
  headers: {transaction_id: x-tx, nonce: x-nonce, language: x-tongue, on_behalf_of: x-for}
  fields: {phone_number: contact.phone}
`

var uuid4 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// own lists the headers that the request itself set, by their lower-case names.
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

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %q, want %q", name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %q was not asked for", name, got[name])
		}
	}
}

func TestCreationIsSpelledTheDeploymentsWay(t *testing.T) {
	d := deploy(t, 201)
	subject := aim(t, d.URL, names)
	var made target.Creation
	x := subject.Create(t.Context(), func() target.Creation {
		made = subject.Creation("valid")
		made.Language, made.Product, made.OnBehalfOf = "en-US", "p-1", "u-1"
		made.Header.Set("X-More", "m")
		made.Query = url.Values{"q": {"1"}}
		return made
	})
	if x.Status != 201 || x.Operation != client.Create || x.Label != "valid" {
		t.Errorf("%d, %s, %q", x.Status, x.Operation, x.Label)
	}
	header, body := d.request(t, 0)
	same(t, own(header), map[string]string{
		"x-tx": made.Transaction, "x-nonce": made.Nonce, "x-tongue": "en-US", "x-for": "u-1", "x-product-uuid": "p-1",
		"x-more":       "m",
		"content-type": "application/json",
	})
	if header.Get("Authorization") != "Bearer "+bearer {
		t.Error("not sent with the main credential")
	}
	if r := d.seen[0]; r.Method != http.MethodPost || r.URL.Path != "/v9/people" || r.URL.RawQuery != "q=1" {
		t.Errorf("%s %s", r.Method, r.URL)
	}
	var sent struct {
		Shareholder string                 `json:"shareholder_id"`
		Name        string                 `json:"name"`
		Contact     struct{ Phone string } `json:"contact"`
	}
	if err := json.Unmarshal([]byte(body), &sent); err != nil || sent.Shareholder != shareholder ||
		sent.Contact.Phone == "" {
		t.Errorf("%v: %s", err, body)
	}
	if !strings.Contains(sent.Name, subject.Run) {
		t.Errorf("%q does not show which run made it", sent.Name)
	}
	if !uuid4.MatchString(made.Transaction) || !uuid4.MatchString(made.Nonce) || made.Transaction == made.Nonce {
		t.Errorf("identifiers %s, %s", made.Transaction, made.Nonce)
	}
	if strings.Contains(string(x.Recorded.RequestBody), sent.Contact.Phone) {
		t.Error("personal data was recorded")
	}
}

func TestCreationLeavesOutWhatIsEmpty(t *testing.T) {
	d := deploy(t, 400)
	subject := aim(t, d.URL, names)
	for _, c := range []struct {
		creation target.Creation
		header   map[string]string
		body     string
	}{
		{target.Creation{Request: target.Request{NoBody: true}}, map[string]string{}, ""},
		{target.Creation{Request: target.Request{NoBody: true, Body: []byte("x")}}, map[string]string{}, ""},
		{
			target.Creation{Request: target.Request{Body: []byte("[1]"), ContentType: "text/plain"}},
			map[string]string{"content-type": "text/plain"},
			"[1]",
		},
		{target.Creation{Request: target.Request{Body: []byte{}}}, map[string]string{}, ""},
		{target.Creation{Request: target.Request{Transaction: "t"}}, map[string]string{"x-tx": "t"}, "{}"},
	} {
		n := d.requests()
		subject.Create(t.Context(), func() target.Creation { return c.creation })
		header, body := d.request(t, n)
		same(t, own(header), c.header)
		if body != c.body {
			t.Errorf("body %q, want %q", body, c.body)
		}
		if header.Get("Authorization") != "" {
			t.Error("a credential came from nowhere")
		}
	}
}

func TestCreationsChangeCopies(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1")
	first := subject.Creation("x")
	if with := first.With("name", "Ana"); with.Draft.Get("name") != "Ana" || first.Draft.Get("name") == "Ana" {
		t.Error("With changes a copy")
	}
	if without := first.Without("name", "email"); without.Draft.Has("name") || without.Draft.Has("email") ||
		!first.Draft.Has("email") {
		t.Error("Without changes a copy")
	}
	again := first.Again()
	if again.Transaction == first.Transaction || again.Nonce == first.Nonce ||
		again.Draft.Get("email") != first.Draft.Get("email") {
		t.Error("Again is the same person under fresh identifiers")
	}
	if second := subject.Creation("x"); second.Draft.Get("email") == first.Draft.Get("email") ||
		second.Nonce == first.Nonce {
		t.Error("two creations share a person")
	}
}

func TestCreationsFollowTheSpelling(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1")
	if subject.Spelling() != "" {
		t.Errorf("spelling %q before any", subject.Spelling())
	}
	subject.Spell(
		target.Spelling{Name: "short", Change: func(c target.Creation) target.Creation {
			return c.With("phone_number", "1")
		}})
	if subject.Spelling() != "short" || subject.Creation("x").Draft.Get("phone_number") != "1" {
		t.Errorf("spelling %q, phone %v", subject.Spelling(), subject.Creation("x").Draft.Get("phone_number"))
	}
}

func TestExportHeadersAreTheDocuments(t *testing.T) {
	d := deploy(t, 202)
	subject := aim(t, d.URL, "export: {path: /v9/exports}")
	var made target.ExportCall
	x := subject.StartExport(t.Context(), func() target.ExportCall {
		made = subject.Export("valid", target.Fields{"sort": "settled_date"}).Set(target.HeaderWallet,
			"w-1").Set(target.HeaderLanguage, "pt-BR").
			Set(target.HeaderProduct, "p-1").Set(target.HeaderTarget, "u-1")
		made.Transaction = "t-1"
		made.Query = url.Values{"q": {"1"}}
		return made
	})
	if x.Status != 202 || x.Operation != client.Export || x.Label != "valid" {
		t.Errorf("%d, %s, %q", x.Status, x.Operation, x.Label)
	}
	header, body := d.request(t, 0)
	same(t, own(header), map[string]string{
		"nonce": made.Nonce, "x-transaction-uuid": "t-1", "x-include-replay-protection-schema": "nonce",
		"x-wallet-uuid": "w-1",
		"x-lang":        "pt-BR", "x-product-uuid": "p-1", "x-product-target-user-uuid": "u-1",
		"content-type": "application/json",
	})
	if header.Get("Authorization") != "Bearer "+bearer || body != `{"sort":"settled_date"}` ||
		!uuid4.MatchString(made.Nonce) {
		t.Errorf("body %s, nonce %s", body, made.Nonce)
	}
	if r := d.seen[0]; r.Method != http.MethodPost || r.URL.Path != "/v9/exports" || r.URL.RawQuery != "q=1" {
		t.Errorf("%s %s", r.Method, r.URL)
	}
}

func TestExportLeavesOutWhatIsEmpty(t *testing.T) {
	d := deploy(t, 400)
	subject := aim(t, d.URL)
	for _, c := range []struct {
		call   target.ExportCall
		header map[string]string
		body   string
	}{
		{target.ExportCall{Request: target.Request{NoBody: true}}, map[string]string{}, ""},
		{target.ExportCall{Request: target.Request{Body: []byte("{")}}, map[string]string{}, "{"},
		{
			target.ExportCall{Mode: "nonce&x-transaction-uuid"},
			map[string]string{"x-include-replay-protection-schema": "nonce&x-transaction-uuid"},
			"{}",
		},
		{target.ExportCall{Fields: target.Fields{"order": nil}}, map[string]string{}, `{"order":null}`},
	} {
		n := d.requests()
		subject.StartExport(t.Context(), func() target.ExportCall { return c.call })
		header, body := d.request(t, n)
		same(t, own(header), c.header)
		if body != c.body {
			t.Errorf("body %q, want %q", body, c.body)
		}
	}
}

func TestSetAndWithChangeCopies(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1")
	first := subject.Export("x", nil)
	const name = target.HeaderLanguage // goes out as it is written
	if second := first.Set(name, "xx"); len(first.Header) != 0 || len(second.Header) != 1 ||
		map[string][]string(second.Header)[name][0] != "xx" {
		t.Error("Set changes a copy")
	}
	fields := target.Fields{"a": 1}
	if more := fields.With("b", 2); len(fields) != 1 || more["a"] != 1 || more["b"] != 2 {
		t.Error("With changes a copy")
	}
}

func TestRequestsSentTogether(t *testing.T) {
	d := deploy(t, 409)
	subject := aim(t, d.URL)
	if all := subject.CreateTogether(t.Context(), []target.Creation{
		subject.Creation("a"),
		subject.Creation("b"),
	}); len(all) != 2 ||
		all[0].Label != "a" || all[1].Label != "b" || all[0].Status != 409 || all[0].Operation != client.Create {
		t.Errorf("creations: %v", all)
	}
	if all := subject.StartExportsTogether(t.Context(), []target.ExportCall{
		subject.Export("a", nil),
		subject.Export("b", nil), subject.Export("c", nil),
	}); len(all) != 3 || all[2].Label != "c" || all[2].Status != 409 || all[2].Operation != client.Export {
		t.Errorf("exports: %v", all)
	}
	if d.requests() != 5 {
		t.Errorf("%d requests came, want 5", d.requests())
	}
}

func TestUniqueBoundsNeverRepeatAndStayInTheWindow(t *testing.T) {
	window := "fixtures: {window: {start: 2025-03-01T00:00:00+03:00, end: 2025-03-01T02:00:00+03:00}}"
	narrow := "fixtures: {window: {start: 2025-03-01T00:00:00Z, end: 2025-03-01T01:00:00Z}}"
	for name, c := range map[string]struct {
		more     string
		from, to time.Time
	}{
		"no window": {"", time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 12, 31, 0, 26, 0, 0, time.UTC)},
		"a window": {
			window, time.Date(2025, 2, 28, 21, 0, 0, 0, time.UTC),
			time.Date(2025, 2, 28, 23, 0, 0, 0, time.UTC),
		},
		"a window that is narrow": {
			narrow, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC),
			time.Date(2024, 12, 31, 0, 26, 0, 0, time.UTC),
		},
	} {
		subject := aim(t, "http://127.0.0.1:1", c.more)
		const layout = "2006-01-02T15:04:05.000Z"
		seen := map[string]bool{}
		first, last, sooner, later := time.Time{}, time.Time{}, time.Hour, time.Duration(0)
		for range 4000 {
			f := subject.Unique("x")
			start, err := time.Parse(layout, f["date_start"].(string))
			if err != nil {
				t.Fatal(err)
			}
			end, err := time.Parse(layout, f["date_end"].(string))
			if err != nil {
				t.Fatal(err)
			}
			if len(f) != 2 || start.Before(c.from) || end.After(c.to) {
				t.Fatalf("%s: %v is not within %v and %v", name, f, c.from, c.to)
			}
			length := end.Sub(start)
			sooner, later = min(sooner, length), max(later, length)
			if first.IsZero() || start.Before(first) {
				first = start
			}
			if start.After(last) {
				last = start
			}
			key := f["date_start"].(string) + f["date_end"].(string)
			if seen[key] {
				t.Fatalf("%s: %v came twice", name, f)
			}
			seen[key] = true
		}
		if sooner < time.Minute || later > 26*time.Minute || later-sooner < 20*time.Minute {
			t.Errorf("%s: from %v to %v long, want one to twenty-six minutes", name, sooner, later)
		}
		if room := c.to.Sub(c.from) - 30*time.Minute; last.Sub(first) < room*9/10 {
			t.Errorf("%s: the bounds start within %v of %v", name, last.Sub(first), room)
		}
	}
}

func TestFileID(t *testing.T) {
	for body, want := range map[string]string{
		`{"file_id":"f-1"}`: "f-1", `{"file_id":""}`: "", `{"file_id":7}`: "7", `{"file_id":null}`: "", `{}`: "",
		`[]`: "", `oops`: "", ``: "",
	} {
		if id, ok := target.FileID(&client.Exchange{Status: 200, Body: []byte(body)}); id != want ||
			ok != (want != "") {
			t.Errorf("%s: %q %v", body, id, ok)
		}
	}
}

func TestUnmetNamesTheKeyToAdd(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1", "fixtures: {client_id: c}")
	for _, c := range []struct {
		needs []string
		want  string
	}{
		{nil, ""},
		{[]string{"fixtures.client_id"}, ""},
		{[]string{"fixtures.client_id", "fixtures.product_id", "fixtures.window"}, "fixtures.product_id"},
		{[]string{"fixtures.product_id|fixtures.client_id"}, ""},
		{[]string{"fixtures.client_id|fixtures.product_id"}, ""},
		{[]string{"fixtures.window|fixtures.product_id"}, "fixtures.window|fixtures.product_id"},
	} {
		err := subject.Unmet(rules.Rule{Needs: c.needs})
		if c.want == "" {
			if err != nil {
				t.Errorf("%v: %v", c.needs, err)
			}
			continue
		}
		need, ok := err.(*spec.NeedError)
		if !ok || need.Key != c.want || need.Error() != "add "+c.want+" to the deployment file" {
			t.Errorf("%v: %v", c.needs, err)
		}
	}
}

func TestChanceFollowsTheSeedAndThePurpose(t *testing.T) {
	a, b := aim(t, "http://127.0.0.1:1"), aim(t, "http://127.0.0.1:1")
	if a.Run == b.Run || len(a.Run) != 8 {
		t.Errorf("runs %q, %q", a.Run, b.Run)
	}
	if a.Chance("rows").Uint64() != b.Chance("rows").Uint64() {
		t.Error("the same seed and purpose chose otherwise")
	}
	if a.Chance("rows").Uint64() == a.Chance("bounds").Uint64() {
		t.Error("two purposes share their choices")
	}
	// What a seed chose once, it chooses in later versions: reports name it to repeat a run.
	if got := a.Chance("rows").Uint64(); got != 13355216367812471045 {
		t.Errorf("seed 1 now chooses %d", got)
	}
	b.Seed = 2
	if a.Chance("rows").Uint64() == b.Chance("rows").Uint64() {
		t.Error("two seeds chose alike")
	}
	if first, second := target.UUID(), target.UUID(); first == second || !uuid4.MatchString(second) {
		t.Error("UUIDs are fresh, and of version 4")
	}
}
