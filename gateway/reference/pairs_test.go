//go:build !race

package reference

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// TestEveryPairShows takes one fault for each rule with -short.
func TestEveryPairShows(t *testing.T) {
	sound := map[string][]string{}
	for operation := range pairBehaviours {
		sound[operation] = pairBehaviour(try(t, Choices{}), operation)
		if !slices.Equal(sound[operation], pairBehaviour(try(t, Choices{}), operation)) {
			t.Fatalf("two sound gateways differ: %s", operation)
		}
	}
	taken := map[string]bool{}
	for _, f := range Pairs() {
		if testing.Short() && taken[f.Rule] {
			continue // one for each rule
		}
		taken[f.Rule] = true
		if strings.Contains(f.Name, ".not_atomic") {
			continue // it takes requests at once; see TestRacesShowWithFaults
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			operation, _, _ := strings.Cut(f.Rule, ".")
			if slices.Equal(sound[operation], pairBehaviour(try(t, Choices{}, f.Name), operation)) {
				t.Errorf("%s changes nothing", f.Statement)
			}
		})
	}
}

var pairBehaviours = map[string]func(g tried, say speaker){
	"create": createPairs,
	"export": exportPairs,
	"replay": replayPairsSeen,
	"auth": func(g tried, say speaker) {
		createPairs(g, say)
		exportPairs(g, say)
		changed := func(token string) string {
			at := strings.IndexFunc(token[strings.LastIndexByte(token, '.'):],
				func(c rune) bool { return c >= 'a' && c <= 'z' })
			at += strings.LastIndexByte(token, '.')
			return token[:at] + strings.ToUpper(token[at:at+1]) + token[at+1:]
		}
		say("signature", g.export("{}", "Authorization", "Bearer "+changed(g.tokens.main)))
		say("key", g.export("{}", "Authorization", "-", "x-api-key", strings.ToUpper(g.tokens.apiKey)))
		say("body", g.createText("{}", "Authorization", "-"))
	},
}

func pairBehaviour(g tried, operation string) []string {
	var lines []string
	pairBehaviours[operation](g, func(name string, w *httptest.ResponseRecorder) {
		lines = append(lines, fmt.Sprintf("%s: %d %s", name, w.Code, anyUUID.ReplaceAllString(w.Body.String(), "<id>")))
	})
	return lines
}

// headersBeside are the headers of each partner that is one.
func headersBeside(g tried) [][]string {
	product := []string{"x-product-uuid", g.data.main.person.products[0]}
	return [][]string{
		nil, product,
		{"x-lang", "en-US"},
		{"x-lang", "pt-BR"},
		append(slices.Clone(product), "x-product-target-user-uuid", g.data.target.id),
		{"Authorization", "-", "x-api-key", g.tokens.apiKey},
	}
}

// senders are credentials that must not serve, as headers.
func senders(g tried) [][]string {
	return [][]string{
		{"Authorization", "-"},
		{"Authorization", "Bearer " + g.tokens.expired},
		{"Authorization", "Bearer " + g.tokens.unprivileged},
	}
}

func createPairs(g tried, say speaker) {
	type field struct {
		path  string
		value any
	}
	plain := field{"representor_type", "PARTNER"}
	for _, of := range []field{
		plain,
		{"representor_type", "ATTORNEY"},
		{"representor_type", "ADMINISTRATOR"},
		{"representor_type", "OTHER"},
		{"pep", true},
		{"is_public_server", true},
		{"relationship_end_date", gone},
	} {
		for _, headers := range headersBeside(g) {
			if headers != nil && of != plain {
				continue // one partner at a time
			}
			send := func(name, path string, value any, more ...string) {
				body := with(g.person(), of.path, of.value)
				if path != "" {
					body = with(body, path, value)
				}
				say(name, g.createText(jsonOf(body), slices.Concat(headers, more)...))
			}
			for _, field := range []string{
				"shareholder_id", "mother_name", "phone_number", "email", "address", "registration_update_date",
				"document.country_of_issue",
			} {
				send(field, field, gone)
			}
			for _, field := range requiredFields {
				send("null", field, nil)
				if field != "address" {
					send("empty", field, "")
				}
			}
			for _, qualification := range []string{"ADMINISTRATOR", "OTHER", "PARTNERS"} {
				send(qualification, "representor_type", qualification)
			}
			for _, cpf := range []string{"1234567890X", "12345678901234"} {
				send(cpf, "document.number", cpf)
			}
			send("empty", "address", object{})
			send("unknown", "shareholder_id", "7d2c3b1e-0f4a-4c55-9d6e-1a2b3c4d5e6f")
			send("foreign", "shareholder_id", g.data.foreignShareholder)
			for _, share := range []string{"101", "-1", "100.0000001", "-0.0000001"} {
				send(share, "participation_percentage", number(share))
			}
			send("array", "participation_percentage", []any{})
			send("fraction", "income", number("0.5"))
			send("fraction", "patrimony", number("1.000001"))
			send("fraction", "income", number("1.000001"))
			send("zero", "participation_percentage", number("0"))
			send("hundred", "participation_percentage", number("100"))
			send("nothing", "patrimony", number("0"))
			send("leap", "birth_date", "1988-02-29")
			send("abroad", "document.country_of_issue", "ARG")
			send("exposed", "pep", true)
			send("no product", "", nil, "x-product-target-user-uuid", g.data.target.id, "x-product-uuid", "-")
			send("unknown user", "", nil, "x-product-target-user-uuid", uuid.NewString())
			send("true", "income", true)
			send("true", "patrimony", true)
			send("letters", "document.number", "1234567890a")
			send("day", "birth_date", "2024-02-30")
			send("at", "email", "joao.example.com")
			for _, field := range []string{"mother_name", "phone_number", "email"} {
				send("number", field, number("5"))
				send("true", field, true)
			}
			send("array", "address", []any{})
			send("true", "address", true)
			send("another", "representor_type", "ATTORNEY")
			send("padded", "representor_type", " OTHER ")
			send("no nonce", "", nil, "nonce", "-")
			for _, id := range []string{"nonce", "x-transaction-uuid"} {
				fresh := uuid.NewString()
				send("empty", "", nil, id, "")
				send("beginning", "", nil, id, fresh+"-0")
				send("ending", "", nil, id, "id-"+fresh)
				send("braced", "", nil, id, "{"+fresh+"}")
				send("undashed", "", nil, id, strings.ReplaceAll(fresh, "-", ""))
				send("variant", "", nil, id, fresh[:19]+"c"+fresh[20:])
			}
			for _, sender := range senders(g) {
				send("sender", "", nil, sender...)
			}
			id := uuid.NewString()
			send("first", "", nil, "x-transaction-uuid", id)
			send("repeat", "", nil, "x-transaction-uuid", id)
			send("another body", "income", number("77"), "x-transaction-uuid", id)
			send("capitals", "", nil, "x-transaction-uuid", strings.ToUpper(id))
			send("key", "", nil, "x-transaction-uuid", id, "Authorization", "-", "x-api-key", g.tokens.apiKey)
			send("product", "", nil, "x-transaction-uuid", id, "x-product-uuid", g.data.main.person.products[0])
			send("language", "", nil, "x-transaction-uuid", id, "x-lang", "pt-BR")
		}
	}
}

// exportsBeside are bodies and headers with each partner of an export alone.
func exportsBeside(g tried) (bodies []string, headers [][]string) {
	for _, h := range append(headersBeside(g), []string{"x-wallet-uuid", g.data.main.person.wallets[1]},
		[]string{schemaHeader, "x-transaction-uuid"}, []string{schemaHeader, "x-transaction-uuid&nonce"}) {
		bodies, headers = append(bodies, ""), append(headers, h)
	}
	for _, body := range []string{
		`"type_extension":"CSV"`, `"filter_type":"client_id","filter_text":"` + g.data.client + `"`,
		`"sort":"settled_date"`,
		`"order":"asc"`,
	} {
		bodies, headers = append(bodies, body), append(headers, nil)
	}
	return bodies, headers
}

func exportPairs(g tried, say speaker) {
	bodies, headers := exportsBeside(g)
	filter := `"filter_type":"client_id","filter_text":"` + g.data.client + `"`
	say("file before", g.export("{}", "Authorization", "Bearer "+g.tokens.other))
	rows := func(body string, headers []string) {
		w := httptest.NewRecorder()
		_, _ = w.WriteString(g.rows(body, headers...))
		say(body, w)
	}
	for i, h := range headers {
		join := func(more ...string) string {
			parts := slices.DeleteFunc(append(more, bodies[i]), func(part string) bool { return part == "" })
			return "{" + strings.Join(parts, ",") + "}"
		}
		row := g.data.main.person.quotes[40]
		if len(h) == 4 && h[2] == "x-product-target-user-uuid" {
			row = g.data.target.person.quotes[40]
		}
		if len(h) == 2 && h[0] == "x-wallet-uuid" {
			row = g.data.main.person.quotes[len(g.data.main.person.quotes)/2+40]
		}
		if strings.Contains(bodies[i], "filter") {
			row = g.data.main.person.quotes[slices.IndexFunc(g.data.main.person.quotes,
				func(q quote) bool { return q.client == g.data.client })]
		}
		by := map[bool]string{true: bySettled, false: byCreated}
		date := row.date(by[strings.Contains(bodies[i], bySettled)])
		at := date.Format(time.RFC3339Nano)
		rows(join(`"date_end":"`+date.Add(time.Millisecond).Format(time.RFC3339Nano)+`"`), h)
		for _, hours := range []int{-12, 14} {
			rows(join(`"date_start":"`+date.In(time.FixedZone("", hours*60*60)).Format(time.RFC3339Nano)+`"`), h)
		}
		rows(join(`"date_start":"`+date.Add(-time.Millisecond).Format(time.RFC3339Nano)+`"`), h)
		rows(join(`"date_start":"`+at+`","date_end":"`+at+`"`), h)
		if !strings.Contains(bodies[i], "sort") {
			rows(join(`"sort":"settled_date"`), h)
			rows(join(`"sort":"settled_date"`, `"date_end":"`+row.date(bySettled).Format(time.RFC3339Nano)+`"`), h)
		}
		rows(join(`"date_start":"`+at+`"`), h)
		rows(join(`"date_end":"`+at+`"`), h)
		rows(join(`"date_start":"2025-01-20T00:00:00Z","date_end":"2025-01-10T00:00:00Z"`), h)
		if !strings.Contains(bodies[i], "filter") {
			rows(join(filter), h)
			rows(join(filter, `"date_start":"2025-01-05T00:00:00Z"`),
				append(slices.Clone(h), "x-wallet-uuid", walletFor(g, h)))
		}
		rows(join(), append(slices.Clone(h), "x-wallet-uuid", walletFor(g, h)))
		if !slices.Contains(h, "x-wallet-uuid") {
			rows(join(), append(slices.Clone(h), "x-product-uuid", g.data.main.person.products[0],
				"x-product-target-user-uuid", g.data.target.id))
		}
		if !strings.Contains(bodies[i], "order") {
			rows(join(`"order":"asc"`), h)
			say("asc", g.export(join(`"order":"asc"`), h...))
			say("asc and a blank", g.export(join(`"order":"asc "`), h...))
			say("as", g.export(join(`"order":"as"`), h...))
		}
		for _, body := range []string{"[]", "42"} {
			say(body, g.export(body, h...))
		}
		say("no nonce", g.export(join(), append(slices.Clone(h), "nonce", "-")...))
		say("no nonce to compare", g.export(join(), append(slices.Clone(h), "nonce", "-", schemaHeader,
			"x-transaction-uuid")...))
		say("foreign wallet", g.export(join(), append(slices.Clone(h), "x-wallet-uuid",
			g.data.other.person.wallets[0])...))
		say("garbage", g.export(join(), append(slices.Clone(h), "nonce", "garbage")...))
		fresh := uuid.NewString()
		say("empty", g.export(join(), append(slices.Clone(h), "nonce", "")...))
		say("beginning", g.export(join(), append(slices.Clone(h), "nonce", fresh+"-0")...))
		say("ending", g.export(join(), append(slices.Clone(h), "nonce", "id-"+fresh)...))
		say("undashed", g.export(join(), append(slices.Clone(h), "nonce", strings.ReplaceAll(fresh, "-", ""))...))
		say("variant", g.export(join(), append(slices.Clone(h), "nonce", fresh[:19]+"c"+fresh[20:])...))
		if !strings.Contains(bodies[i], "sort") {
			for _, sort := range []string{"id", "settled", " settled_date "} {
				say("sort", g.export(join(`"sort":"`+sort+`"`), h...))
			}
		}
		say("day", g.export(join(`"date_start":"2025-01-05"`), h...))
		say("date", g.export(join(`"date_start":"soon"`), h...))
		for _, sender := range senders(g) {
			say("sender", g.export(join(), slices.Concat(h, sender)...))
		}
	}
	answer, _ := decode(g.export("{}").Body.Bytes())
	again := func(name string) {
		_, text := g.fileOf(answer["file_id"].(string))
		w := httptest.NewRecorder()
		_, _ = w.WriteString(text)
		say(name, w)
	}
	g.export("{}", "Authorization", "Bearer "+g.tokens.other)
	again("after another's")
	g.export(`{"date_start":"2025-01-20T00:00:00Z"}`)
	again("after a newer one")
}

// walletFor is the second wallet of the user that an export is done for.
func walletFor(g tried, headers []string) string {
	if slices.Contains(headers, "x-product-target-user-uuid") {
		return g.data.target.person.wallets[1]
	}
	return g.data.main.person.wallets[1]
}

func replayPairsSeen(g tried, say speaker) {
	bodies, headers := exportsBeside(g)
	for s := range spellings {
		for i, h := range headers {
			text := fmt.Sprintf(`{"date_start":"2025-01-01T00:00:00.%03dZ"`, 100*s+i)
			if bodies[i] != "" {
				text += "," + bodies[i]
			}
			same := append(slices.Clone(h), schemaHeader, spellings[s], "nonce", uuid.NewString(), "x-transaction-uuid",
				uuid.NewString())
			for range 3 {
				say("same", g.export(text+"}", same...))
			}
			for range 2 {
				say("query", g.send("POST", exportPath+"?gateassay=1", strings.NewReader(text+"}"), same...))
			}
			say("body", g.export(text+`,"date_end":"2025-01-02T00:00:00Z"}`, same...))
			say("user", g.export(text+"}", append(same, "Authorization", "Bearer "+g.tokens.other, "x-api-key", "-")...))
		}
	}
	for s := range spellings {
		same := []string{schemaHeader, spellings[s], "nonce", uuid.NewString(), "x-transaction-uuid", uuid.NewString()}
		for range 2 {
			say("empty", g.export("{}", same...))
			say("another user", g.export(`{"order":"asc"}`, append(slices.Clone(same), "Authorization",
				"Bearer "+g.tokens.other)...))
		}
		body := object{
			"sort": "quote_created_at", "order": "desc", "filter_type": "client_id", "filter_text": fmt.Sprint("Ab ", s),
			"date_start": "2025-01-01T00:00:00Z", "date_end": "2025-01-02T00:00:00Z", "type_extension": "CSV",
		}
		say("all fields", g.export(jsonOf(body), same...))
		for _, other := range [][2]string{
			{"sort", "settled_date"},
			{"order", "asc"},
			{"filter_text", "other"},
			{"filter_text", fmt.Sprint("ab ", s)},
			{"date_start", "2025-01-01T00:00:01Z"},
			{"date_end", "2025-01-02T00:00:01Z"},
		} {
			say("no type_extension", g.export(jsonOf(with(body, "type_extension", gone)), same...))
			say("another "+other[0], g.export(jsonOf(with(body, other[0], other[1])), same...))
		}
	}
	first := uuid.NewString()
	other := first[:8] + uuid.NewString()[8:]
	for i, name := range []string{"nonce", "x-transaction-uuid"} {
		s := i + 1
		for _, id := range []string{first, other} {
			say(name, g.export(fmt.Sprintf(`{"filter_text":"beginning %d"}`, s), schemaHeader, spellings[s], name, id))
		}
	}
}
