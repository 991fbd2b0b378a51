package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
)

type createCase struct {
	name    string
	want    int // 201, or 400 for every rejection of a bad request
	path    string
	value   any
	headers []string
	raw     string // in place of a body
}

func number(text string) json.Number { return json.Number(text) }

// createCases is what the create operation accepts and what it rejects.
func createCases(g tried) []createCase {
	unknown := "7d2c3b1e-0f4a-4c55-9d6e-1a2b3c4d5e6f"
	v1 := "2c1f1a3e-7c1b-11ee-b962-0242ac120002"
	product, target := g.data.main.person.products[0], g.data.target.id
	cases := []createCase{{name: "sound", want: 201}}
	values := func(want int, path string, values ...any) {
		for _, v := range values {
			cases = append(cases, createCase{name: fmt.Sprintf("%s=%v", path, v), want: want, path: path, value: v})
		}
	}
	header := func(want int, pairs ...string) {
		cases = append(cases, createCase{name: strings.Join(pairs, " "), want: want, headers: pairs})
	}
	raw := func(text string, headers ...string) {
		cases = append(cases, createCase{name: "body " + text, want: 400, raw: text, headers: headers})
	}
	for _, required := range []string{"mother_name", "phone_number", "email", "shareholder_id"} {
		values(400, required, gone, nil, "", "  ", number("5"), true, object{}, []any{})
	}
	values(400, "address", gone, nil, "", object{}, "Rua A", number("1"), []any{})
	values(400, "shareholder_id", unknown, g.data.foreignShareholder, "nobody")
	values(201, "shareholder_id", strings.ToUpper(g.data.shareholder))
	values(201, "participation_percentage", gone, number("0"), number("0.0"), number("0.01"), number("100"),
		number("100.00"), number("1e2"), number("99.99"))
	values(400, "participation_percentage", nil, number("-0.01"), number("-1"), number("100.01"),
		number("100.00000000000000000001"),
		number("100.5"), number("101"), number("1e6"), number("1e999999999"), number("-1e-999999999"), "50", true)
	for _, money := range []string{"income", "patrimony"} {
		values(201, money, number("0"), number("1"), number("9007199254740991"), number("9007199254740992"),
			number("100.0"), number("1e2"))
		values(400, money, number("0.5"), number("100.01"), number("-1"), number("1e40"), number("1e999999999"),
			"100", true)
	}
	values(201, "document.number", "00000000000", "12345678901")
	values(400, "document.number", "123.456.789-01", "1234567890a", "123 456 789", "1234567890", "123456789012", "",
		number("12345678901"), "１２３４５６７８９０１")
	values(201, "document.country_of_issue", gone, nil, "USA")
	values(400, "document.country_of_issue", "", number("1"))
	values(400, "document", "12345678901", []any{})
	for _, date := range []string{
		"birth_date", "relationship_start_date", "relationship_end_date", "registration_update_date",
	} {
		values(201, date, "2024-02-29", "1999-12-31", "1931-12-31", "2075-12-31", gone, nil)
		values(400, date, "2023-02-29", "2023-04-31", "2023-05-32", "2023-05-00", "03/15/1999", "2024-02-30",
			"2024-13-01",
			"2024-00-10", "31/12/1999", "12-31-1999", "soon", "", number("20240101"),
			"2024-01-01T00:00:00Z", "2024-1-1")
	}
	for _, flag := range []string{"pep", "is_public_server"} {
		values(201, flag, true, false, gone)
		values(400, flag, "true", number("1"), number("0"), []any{})
	}
	values(201, "representor_type", "PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER")
	values(400, "representor_type", "OWNER", "partner", "", number("1"), "PARTNER ")
	values(400, "email", "joao.example.com", "joao @example.com", "joao@", "@example.com", "a@b@c")
	values(400, "name", number("1"), "", object{})
	values(201, "name", strings.Repeat("Sá ", 40)+"Sá")
	values(201, "name", "Ana-Maria  Sousa")
	values(201, "email", "joao+tag@example.com")
	values(201, "participation_percentage", number("33.333"))
	values(201, "registration_update_date", "2019-08-17")
	values(201, "address.complement", gone)
	values(201, "address.street", strings.Repeat("Rua ", 40)+"A")
	values(400, "address.number", "1578", true)
	values(400, "address.street", number("7"))
	values(201, "nickname", "Jo") // a field that the document does not know
	for _, id := range []string{"x-transaction-uuid", "nonce"} {
		header(400, id, "-")
		header(400, id, "")
		header(400, id, "not-a-uuid")
		header(400, id, v1)
		header(400, id, uuid.Nil.String())
		header(400, id, "ghijklmn-opqr-stuv-ghij-klmnopqrstuv")
		header(400, id, "id-7d2c3b1e-0f4a-4c55-9d6e-1a2b3c4d5e6f-id")
		header(400, id, "{7d2c3b1e-0f4a-4c55-9d6e-1a2b3c4d5e6f}")
		header(400, id, "7d2c3b1e0f4a4c559d6e1a2b3c4d5e6f")
	}
	header(201, "x-lang", "pt-BR")
	header(201, "x-lang", "en-US")
	header(400, "x-lang", "fr-FR")
	header(201, "x-product-uuid", product)
	header(400, "x-product-uuid", "garbage")
	header(400, "x-product-uuid", unknown)
	header(201, "x-product-uuid", product, "x-product-target-user-uuid", target)
	header(400, "x-product-target-user-uuid", target)
	header(400, "x-product-uuid", product, "x-product-target-user-uuid", "garbage")
	header(400, "x-product-uuid", product, "x-product-target-user-uuid", g.data.other.id)
	for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "application/xml", "text/xml"} {
		header(400, "Content-Type", media)
	}
	raw("name=Jo", "Content-Type", "application/x-www-form-urlencoded")
	raw("<name>Jo</name>", "Content-Type", "application/xml")
	header(400, "Content-Type", "-")
	header(201, "Content-Type", "application/json; charset=utf-8")
	for _, text := range []string{
		"", " ", "hello", `{"name":`, "[]", "null", `"text"`, "{} {}", "{\"name\":\"\xff\"}",
		strings.Repeat("[", 20000),
	} {
		raw(text)
	}
	raw(strings.Repeat(" ", maxJSON+1))
	return cases
}

func (g tried) run(c createCase) *httptest.ResponseRecorder {
	if c.raw != "" || c.want == 400 && c.path == "" && c.headers == nil {
		return g.createText(c.raw, c.headers...)
	}
	body := g.person()
	if c.path != "" {
		body = with(body, c.path, c.value)
	}
	return g.createText(jsonOf(body), c.headers...)
}

// anyRefusal turns the ways to reject a bad request into one.
func anyRefusal(status int) int {
	if status == 413 || status == 415 || status == 422 {
		return 400
	}
	return status
}

func TestCreateAcceptsAndRejects(t *testing.T) {
	g := try(t, Choices{})
	for _, c := range createCases(g) {
		if w := g.run(c); anyRefusal(w.Code) != c.want {
			t.Errorf("%.80s: got %d, want %d: %.200s", c.name, w.Code, c.want, w.Body)
		}
	}
}

func TestRepeatedCreation(t *testing.T) {
	for _, status := range []int{409, 200, 201} {
		g := try(t, Choices{RepeatStatus: status})
		id, text := uuid.NewString(), jsonOf(g.person())
		first := g.createText(text, "x-transaction-uuid", id)
		again := g.createText(text, "x-transaction-uuid", strings.ToUpper(id))
		if first.Code != 201 || again.Code != status {
			t.Fatalf("got %d and %d, want 201 and %d", first.Code, again.Code, status)
		}
		if status != 409 && again.Body.String() != first.Body.String() {
			t.Errorf("the repeat gave another record: %s", again.Body)
		}
		if other := g.createText(text, "x-transaction-uuid", id, "Authorization",
			"Bearer "+g.tokens.other); other.Code != 400 {
			t.Errorf("another user's creation under this transaction ID: %d, want 400 for the foreign shareholder",
				other.Code)
		}
	}
}

func TestWhoMayUseAShareholder(t *testing.T) {
	g := try(t, Choices{})
	target := []string{"x-product-uuid", g.data.main.person.products[0], "x-product-target-user-uuid", g.data.target.id}
	key := []string{"Authorization", "-", "x-api-key", g.tokens.apiKey}
	for name, c := range map[string]struct {
		shareholder string
		headers     []string
		want        int
	}{
		"own, by key":         {g.data.shareholder, key, 201},
		"own, on behalf":      {g.data.shareholder, target, 201},
		"foreign, by key":     {g.data.foreignShareholder, key, 400},
		"foreign, in product": {g.data.foreignShareholder, target[:2], 400},
		"foreign, on behalf":  {g.data.foreignShareholder, target, 400},
		"in another product":  {g.data.shareholder, []string{"x-product-uuid", g.data.main.person.products[1]}, 201},
		"revoked key": {
			g.data.shareholder,
			[]string{"Authorization", "-", "x-api-key", g.tokens.revokedKey},
			401,
		},
	} {
		if w := g.createText(jsonOf(with(g.person(), "shareholder_id", c.shareholder)),
			c.headers...); w.Code != c.want {
			t.Errorf("%s: %d, want %d", name, w.Code, c.want)
		}
	}
	apart := try(t, Choices{Readings: []string{"target-apart"}})
	if w := apart.createText(jsonOf(apart.person()), target...); w.Code != 400 {
		t.Errorf("a target user who may not use the shareholder: %d", w.Code)
	}
}

func TestPermissionAndNonceOnce(t *testing.T) {
	g := try(t, Choices{NonceOnce: true})
	text := jsonOf(g.person())
	if w := g.createText(text, "Authorization", "Bearer "+g.tokens.unprivileged); w.Code != 403 {
		t.Errorf("unprivileged: %d", w.Code)
	}
	nonce := uuid.NewString()
	first, second := g.createText(text, "nonce", nonce), g.createText(text, "nonce", nonce)
	if first.Code != 201 || second.Code != 409 {
		t.Errorf("got %d and %d", first.Code, second.Code)
	}
}

// upload sends documents; each part is named and holds a few bytes.
func (g tried) upload(id string, parts ...string) *httptest.ResponseRecorder {
	return g.uploadBy(nil, id, parts...)
}

func (g tried) uploadBy(headers []string, id string, parts ...string) *httptest.ResponseRecorder {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, part := range parts {
		if field, value, ok := strings.Cut(part, "="); ok {
			if err := form.WriteField(field, value); err != nil {
				panic(err)
			}
			continue
		}
		w, err := form.CreateFormFile(part, part+".png")
		if err == nil {
			_, err = w.Write([]byte("\x89PNG"))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := form.Close(); err != nil {
		panic(err)
	}
	return g.send("POST", "/users/legal-representatives/"+id+"/documents", &body,
		append(headers, "Content-Type", form.FormDataContentType())...)
}

func TestDocuments(t *testing.T) {
	g := try(t, Choices{})
	id := objectOf(t, g.createText(jsonOf(g.person())))["id"].(string)
	for _, c := range []struct {
		id    string
		parts []string
		want  int
	}{
		{id, documentParts, 201},
		{id, documentParts[:2], 400},
		{id, documentParts[1:], 400},
		{id, []string{documentParts[0], documentParts[2]}, 400},
		{id, nil, 400},
		{uuid.NewString(), documentParts, 404},
		{"garbage", documentParts, 404},
	} {
		if w := g.upload(c.id, c.parts...); w.Code != c.want {
			t.Errorf("%s %v: got %d, want %d", c.id, c.parts, w.Code, c.want)
		}
	}
	if w := g.send("POST", "/users/legal-representatives/"+id+"/documents", strings.NewReader("{}")); w.Code != 415 {
		t.Errorf("JSON in place of a form: %d", w.Code)
	}
	each := try(t, Choices{PerDocument: true})
	id = objectOf(t, each.createText(jsonOf(each.person())))["id"].(string)
	for i, part := range documentParts {
		if w := each.upload(id, part); w.Code != 201 || len(objectOf(t, w)["documents"].([]any)) != i+1 {
			t.Errorf("%s alone: %d %s", part, w.Code, w.Body)
		}
	}
}
