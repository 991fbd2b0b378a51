package reference

import (
	"bytes"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
)

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
		"revoked key":         {g.data.shareholder, []string{"Authorization", "-", "x-api-key", g.tokens.revokedKey}, 401},
	} {
		person := g.person()
		person["shareholder_id"] = c.shareholder
		if w := g.createText(jsonOf(person), c.headers...); w.Code != c.want {
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

// upload sends documents; each part holds a few bytes.
func (g tried) upload(id string, parts ...string) *httptest.ResponseRecorder {
	var body bytes.Buffer
	form := multipart.NewWriter(&body) // which writes to memory
	for _, part := range parts {
		w, _ := form.CreateFormFile(part, part+".png")
		_, _ = w.Write([]byte("\x89PNG"))
	}
	_ = form.Close()
	return g.send("POST", "/users/legal-representatives/"+id+"/documents", &body, "Content-Type", form.FormDataContentType())
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
