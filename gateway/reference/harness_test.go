package reference

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/internal/testmust"
)

// tried is a gateway under test.
type tried struct{ *Gateway }

func try(t testing.TB, choices Choices) tried {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }
	return tried{testmust.Get(New(Options{Seed: 7, Choices: choices, Now: now}))(t)}
}

// send sends one request as the main user. headers alternates names and values; the value "-"
// removes a header.
func (g tried) send(
	method, path string, body io.Reader, headers ...string,
) (w *httptest.ResponseRecorder) {
	r := httptest.NewRequest(method, path, body)
	r.Header.Set("Authorization", "Bearer "+g.tokens.main)
	r.Header.Set("nonce", uuid.NewString())
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] == "-" {
			r.Header.Del(headers[i])
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w = httptest.NewRecorder()
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			panic(p)
		} else if p != nil {
			w.Code = 0 // the connection was dropped
		}
	}()
	g.ServeHTTP(w, r)
	return w
}

// person returns a valid create request.
func (g tried) person() jsonObject {
	return jsonObject{
		"shareholder_id": g.data.shareholder, "name": "João D'Ávila de Souza Conceição",
		"mother_name": "Ângela D'Ávila",
		"document":    jsonObject{"number": "05012345606", "country_of_issue": "PRT"},
		"birth_date":  "1988-02-29", "income": json.Number("4294967397"),
		"patrimony":                json.Number("4294967397"),
		"participation_percentage": json.Number("33.33"), "pep": true, "is_public_server": false,
		"representor_type": "ATTORNEY", "phone_number": "+5511999990000", "email": "Joao@example.com",
		"relationship_start_date": "2020-01-15", "relationship_end_date": "2030-12-31",
		"registration_update_date": "2024-05-06",
		"address": jsonObject{
			"zip_code": "01310-100", "street": "Avenida Paulista", "number": json.Number("1578"),
			"neighborhood": "Bela Vista",
			"city":         "São Paulo", "federative_unit": "SP", "country": "BRA", "complement": "cj. 4",
		},
	}
}

func jsonOf(value any) string {
	data, _ := json.Marshal(value) // tests send only what can be marshaled
	return string(data)
}

func (g tried) createText(text string, headers ...string) *httptest.ResponseRecorder {
	return g.send("POST", createPath, strings.NewReader(text),
		append([]string{"x-transaction-uuid", uuid.NewString()}, headers...)...)
}

func (g tried) export(body string, headers ...string) *httptest.ResponseRecorder {
	return g.send("POST", exportPath, strings.NewReader(body),
		append([]string{replayHeader, "nonce", "x-transaction-uuid", uuid.NewString()}, headers...)...)
}

func objectOf(t testing.TB, w *httptest.ResponseRecorder) (o jsonObject) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &o); err != nil {
		t.Fatalf("status %d, body %q: %v", w.Code, w.Body, err)
	}
	return o
}
