//go:build !race

package reference

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// TestEveryFaultAndReadingShows is about readings, too. It only computes, ten times slower with the race detector.
func TestEveryFaultAndReadingShows(t *testing.T) {
	sound := map[string][]string{}
	for operation := range behaviours {
		sound[operation] = behaviour(try(t, Choices{}), operation)
		for i, line := range behaviour(try(t, Choices{}), operation) {
			if line != sound[operation][i] {
				t.Fatalf("two sound gateways differ:\n%.300s\n%.300s", line, sound[operation][i])
			}
		}
	}
	for _, r := range readings() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			for operation := range behaviours {
				if !slices.Equal(sound[operation], behaviour(try(t, Choices{Readings: []string{r.Name}}), operation)) {
					return
				}
			}
			t.Errorf("%s changes nothing", r.Statement)
		})
	}
	for _, f := range Faults() {
		if strings.Contains(f.Name, ".not_atomic") {
			continue // see TestRacesShowWithFaults
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			operation, _, _ := strings.Cut(f.Rule, ".")
			if slices.Equal(sound[operation], behaviour(try(t, Choices{}, f.Name), operation)) {
				t.Errorf("%s changes nothing", f.Statement)
			}
		})
	}
}

var anyUUID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)

// behaviours are what a gateway does with requests that touch everything an operation has: a line for each.
var behaviours = map[string]func(g tried, say speaker){
	"create": createBehaviour,
	"export": func(g tried, say speaker) {
		for i, c := range exportCases(g) {
			say("export "+c.name, g.export(c.raw,
				slices.Concat([]string{"x-transaction-uuid", fmt.Sprint(i)}, c.headers)...))
		}
		for _, field := range []string{"sort", "order", "date_start", "date_end"} {
			say("empty "+field, g.export(`{"`+field+`":""}`, "x-transaction-uuid", "empty "+field))
		}
		say("no transaction ID", g.export("{}", schemaHeader, "x-transaction-uuid", "x-transaction-uuid", "-"))
	},
	"replay": replayBehaviour,
	"auth": func(g tried, say speaker) {
		credentials, text := badCredentials(g), jsonOf(g.person())
		for _, name := range slices.Sorted(maps.Keys(credentials)) {
			say(name, g.createText(text, credentials[name]...))
			say(name, g.export("{}", credentials[name]...))
		}
		say("key in query",
			g.send("POST", exportPath+"?x-api-key="+g.tokens.apiKey, strings.NewReader("{}"), "Authorization", "-"))
		say("key", g.export("{}", "Authorization", "-", "x-api-key", g.tokens.apiKey))
		say("body first", g.createText("{}", "Authorization", "-"))
		say("text first", g.createText("this is not JSON", "Authorization", "-"))
		say("revoked", g.export("{}", "Authorization", "-", "x-api-key", g.tokens.revokedKey))
		say("both", g.export("{}", "Authorization", "Bearer garbage", "x-api-key", g.tokens.apiKey))
		say("lower case", g.export("{}", "Authorization", "bearer "+g.tokens.main))
		say("token", g.export("{}"))
		say("token on creation", g.createText(text))
		beginning, end := apiKeyEnds(g.tokens.apiKey)
		say("key end", g.export("{}", "Authorization", "-", "x-api-key", "another"+end))
		say("key ends", g.export("{}", "Authorization", "-", "x-api-key", beginning+"another"+end))
		say("key cut", g.export("{}", "Authorization", "-", "x-api-key", g.tokens.apiKey[:len(g.tokens.apiKey)-1]))
	},
}

type speaker func(name string, w *httptest.ResponseRecorder)

// behaviour collects the lines of one operation; identifiers that are made on the way are left out.
func behaviour(g tried, operation string) []string {
	known := map[string]bool{}
	for _, id := range []string{g.data.shareholder, g.data.foreignShareholder, g.data.main.person.products[0]} {
		known[id] = true
	}
	var lines []string
	behaviours[operation](g, func(name string, w *httptest.ResponseRecorder) {
		text := anyUUID.ReplaceAllStringFunc(w.Body.String(), func(id string) string {
			if known[id] {
				return id
			}
			return "<fresh>"
		})
		lines = append(lines, fmt.Sprintf("%s: %d %v %s", name, w.Code,
			[]string{w.Header().Get("X-Debug-Credential"), w.Header().Get("Deprecation")}, text))
	})
	if operation == "export" {
		lines = append(lines, rowsBehaviour(g)...)
	}
	return lines
}

func createBehaviour(g tried, say speaker) {
	for _, c := range createCases(g) {
		say("create "+c.name, g.run(c))
	}
	say("person type", g.createText(jsonOf(with(g.person(), "person_type", "LEGAL_PERSON"))))
	say("default",
		g.createText(jsonOf(
			with(with(g.person(), "document.country_of_issue", gone), "registration_update_date", gone))))
	text, id := jsonOf(g.person()), uuid.NewString()
	say("unprivileged", g.createText(text, "Authorization", "Bearer "+g.tokens.unprivileged))
	nonce := uuid.NewString()
	for _, n := range []string{nonce, nonce, uuid.NewString()} {
		say("repeat", g.createText(text, "x-transaction-uuid", id, "nonce", n))
	}
	record, _ := decode(g.createText(text).Body.Bytes())
	representative, _ := record["id"].(string)
	say("all documents", g.upload(representative, documentParts...))
	for i, part := range documentParts {
		say("without "+part, g.upload(representative, slices.Concat(documentParts[:i], documentParts[i+1:])...))
	}
	for _, kind := range []string{"id", "cnh", "passport"} {
		say(kind, g.upload(representative, append([]string{"identity_document_type=" + kind}, documentParts...)...))
	}
	inContext(g, say)
	say("foreign product", g.createText(text, "x-product-uuid", g.data.other.person.products[0]))
	say("documents by nobody", g.uploadBy([]string{"Authorization", "-"}, representative, documentParts...))
	for _, headers := range strangers(g) {
		say("documents by a stranger", g.uploadBy(headers, representative, documentParts...))
	}
	say("unknown representative", g.upload(uuid.NewString(), documentParts...))
	ids, count := map[any]bool{}, httptest.NewRecorder()
	for range 25 {
		record, _ := decode(g.createText(jsonOf(g.person())).Body.Bytes())
		ids[record["id"]] = true
	}
	fmt.Fprint(count, len(ids))
	say("IDs of 25", count)
}

// inContext is what creations do by who sends them, through what and in which words.
func inContext(g tried, say speaker) {
	product := []string{"x-product-uuid", g.data.main.person.products[0]}
	for _, headers := range [][]string{
		nil,
		{"Authorization", "-", "x-api-key", g.tokens.apiKey},
		product,
		append(slices.Clone(product), "x-product-target-user-uuid", g.data.target.id),
		{"x-lang", "en-US"},
	} {
		say("sound", g.createText(jsonOf(g.person()), headers...))
		say("foreign", g.createText(jsonOf(with(g.person(), "shareholder_id", g.data.foreignShareholder)), headers...))
		capitals := strings.ToUpper(g.data.foreignShareholder)
		say("foreign in capitals", g.createText(jsonOf(with(g.person(), "shareholder_id", capitals)), headers...))
		say("incomplete", g.createText(jsonOf(with(g.person(), "mother_name", gone)), headers...))
	}
	text, id := jsonOf(g.person()), uuid.NewString()
	for i, body := range []string{text, text, jsonOf(with(g.person(), "email", "other@example.com")), text} {
		g.clock.at = g.clock.at.Add(time.Second)
		say(fmt.Sprint("repeat ", i), g.createText(body, "x-transaction-uuid", id))
	}
}

func replayBehaviour(g tried, say speaker) {
	for s := range spellings {
		for i, how := range repeats {
			first, second := g.pair(s, how, fmt.Sprintf(`{"filter_text":"%d-%d"}`, s, i))
			say(fmt.Sprint("replay ", s, how.name, first, second), httptest.NewRecorder())
		}
	}
	for s, of := range []string{1: "nonce", 2: "x-transaction-uuid", 3: "nonce", 4: "nonce"} {
		for _, id := range []string{uuid.NewString(), g.data.main.id, g.data.main.id} {
			if of != "" {
				say("later one of its group", g.export(`{"filter_text":"group"}`, schemaHeader, spellings[s],
					"nonce", g.data.other.id, "x-transaction-uuid", fmt.Sprint("t", s), of, id))
			}
		}
	}
	for _, body := range []string{`{"filter_text":"type"}`, `{"filter_text":"type","filter_type":"client_id"}`} {
		say("type", g.export(body, schemaHeader, "-", "nonce", g.data.other.id, "x-transaction-uuid", g.data.other.id))
	}
	for _, c := range alikes() {
		say(fmt.Sprint("alike ", c.name, g.alike(c)), httptest.NewRecorder())
	}
	for _, headers := range [][]string{nil, {"Authorization", "-", "x-api-key", g.tokens.apiKey}} {
		say("method", g.export(`{"filter_text":"method"}`, append(headers, schemaHeader, "-")...))
	}
	of := g.data.main.person
	for _, h := range [][2]string{{"x-product-uuid", of.products[1]}, {"x-wallet-uuid", of.wallets[1]}} {
		for _, value := range []string{h[1], "-"} {
			say("without "+h[0], g.export(`{"filter_text":"`+h[0]+`"}`, schemaHeader, "-", h[0], value))
		}
	}
	for _, language := range []string{"en-US", "-"} {
		say("language", g.export(`{"filter_text":"language"}`, schemaHeader, "nonce", "nonce", g.data.main.id,
			"x-lang", language))
	}
	for _, nonce := range []string{"-", uuid.NewString()} {
		say("rejected", g.export(`{"filter_text":"rejected"}`, "nonce", nonce, schemaHeader, "-"))
	}
	for _, mode := range spellings[3:] {
		say("spelling", g.export(`{"filter_text":"spelling"}`, schemaHeader, mode, "nonce", g.data.main.id,
			"x-transaction-uuid", "t"))
	}
	say("no transaction", g.export(`{}`, schemaHeader, spellings[2]))
	say("early", g.export(`{"filter_text":"early"}`, schemaHeader, "-"))
	for i := range 60 {
		g.export(fmt.Sprintf(`{"filter_text":"%d"}`, i), schemaHeader, "-")
	}
	g.clock.at = g.clock.at.Add(time.Minute)
	say("late", g.export(`{"filter_text":"early"}`, schemaHeader, "-"))
}

// strangers are the headers of credentials that nothing is given for.
func strangers(g tried) [][]string {
	bad := badCredentials(g)
	all := [][]string{
		{"Authorization", "Bearer " + g.tokens.expired}, {"Authorization", "-", "x-api-key", g.tokens.revokedKey},
	}
	for _, name := range slices.Sorted(maps.Keys(bad)) {
		all = append(all, bad[name])
	}
	return all
}

// rowsBehaviour is what exports hold, and who may fetch them.
func rowsBehaviour(g tried) []string {
	owner, start, end := g.data.main.person, g.data.window[0], g.data.window[1]
	filter := fmt.Sprintf(`"filter_type":"client_id","filter_text":"%s"`, g.data.client)
	var tie, adjacent time.Time // a date that several quotes have, and one that lies a millisecond after another
	for i, q := range owner.quotes[1:] {
		if q.created.Sub(owner.quotes[i].created) == time.Millisecond {
			adjacent = q.created
		}
		if q.created.Equal(owner.quotes[i].created) {
			tie = q.created
		}
	}
	at := func(t time.Time) string { return t.Format(time.RFC3339Nano) }
	zone := func(hours float64) *time.Location { return time.FixedZone("", int(hours*3600)) }
	lines, product := []string{}, []string{"x-product-uuid", owner.products[0]}
	for _, c := range []string{
		`{}`, `{"order":"asc"}`, `{"order":"desc"}`, `{"sort":"settled_date"}`, `{"sort":"settled_date","order":"asc"}`,
		`{"sort":"quote_created_at"}`, `{"filter_type":"client_id"}`,
		`{` + filter + `}`, `{"order":"asc",` + filter + `}`, `{"filter_type":"client_id","filter_text":"` +
			g.data.client[1:] + `"}`, `{"date_start":"` + at(start) + `"}`, `{"date_end":"` + at(end) + `"}`,
		`{"date_start":"` + at(start) + `","date_end":"` + at(end) + `"}`,
		`{"sort":"settled_date","date_start":"` + at(start) + `","date_end":"` + at(end) + `"}`,
		`{"date_start":"` + at(tie) + `","date_end":"` + at(tie) + `"}`,
		`{"date_start":"` + at(tie) + `","date_end":"` + at(end) + `"}`,
		`{"date_start":"` + at(start) + `","date_end":"` +
			at(tie) + `"}`,
		`{"date_start":"` + at(adjacent) + `","date_end":"` + at(end) + `"}`, `{"date_start":"` + at(start) +
			`","date_end":"` + at(adjacent) + `"}`,
		`{"date_start":"` + at(tie.In(zone(-3))) + `","date_end":"` + at(end) + `"}`, `{"date_start":"` +
			at(tie.In(zone(5.5))) + `","date_end":"` + at(end) + `"}`,
		`{"date_start":"` + at(tie.In(zone(-11))) + `"}`, `{"date_start":"` + at(tie.In(zone(13))) + `"}`,
		`{"date_end":"` + at(tie.In(zone(-11))) + `"}`, `{"date_end":"` + at(tie.In(zone(13))) + `"}`,
		`{"sort":"settled_date",` + filter + `}`,
		`{"sort":"settled_date","order":"asc","date_start":"` + at(start) + `","date_end":"` + at(end) + `"}`,
		`{"date_start":"` + at(end) + `","date_end":"` + at(start) + `"}`,
		`{"sort":"settled_date","date_start":"` + at(tie) + `"}`,
		`{"date_start":"` + adjacent.Format("2006-01-02T15:04:05") +
			`.9Z"}`,
	} {
		lines = append(lines, g.rows(c), g.rows(c, "x-wallet-uuid", owner.wallets[1]),
			g.rows(c, "Authorization", "Bearer "+g.tokens.other),
			g.rows(c, product...), g.rows(c, append(slices.Clone(product), "x-product-target-user-uuid",
				g.data.target.id)...),
			g.rows(c, append(slices.Clone(product), "x-product-target-user-uuid", g.data.target.id,
				"x-wallet-uuid", g.data.other.person.wallets[0])...))
	}
	answer, _ := decode(g.export("{}").Body.Bytes())
	id, _ := answer["file_id"].(string)
	for _, headers := range append(strangers(g), []string{"Authorization", "Bearer " + g.tokens.other},
		[]string{"Authorization", "-"}) {
		status, text := g.fileOf(id, headers...)
		lines = append(lines, fmt.Sprint(status, len(text)))
	}
	repeated := 0
	for range 3 {
		if again, _ := decode(g.export("{}").Body.Bytes()); again["file_id"] == id {
			repeated++
		}
	}
	return append(lines, fmt.Sprint("repeated file IDs: ", repeated))
}
