package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/internal/testmust"
)

// clock is a clock that tests set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// tried is a gateway under test.
type tried struct {
	*Gateway
	clock *clock
}

func try(t testing.TB, choices Choices, faults ...string) tried {
	t.Helper()
	c := &clock{time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	return tried{
		testmust.Get(New(Options{Seed: 7, Choices: choices, Faults: faults, Now: c.now}))(t),
		c,
	}
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

func objectOf(t testing.TB, w *httptest.ResponseRecorder) jsonObject {
	t.Helper()
	o, err := decode(w.Body.Bytes())
	if err != nil {
		t.Fatalf("status %d, body %q: %v", w.Code, w.Body, err)
	}
	return o
}

func decode(data []byte) (jsonObject, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var o jsonObject
	err := decoder.Decode(&o)
	return o, err
}

// fileOf fetches an export's file as text.
func (g tried) fileOf(fileID string, headers ...string) (int, string) {
	w := g.send("GET", "/v1/files/"+fileID, nil, headers...)
	o, err := decode(w.Body.Bytes())
	address, _ := o["url"].(string)
	if w.Code != 200 || err != nil || address == "" {
		return w.Code, w.Body.String()
	}
	w = g.send("GET", strings.TrimPrefix(address, "http://example.com"), nil, "Authorization", "-")
	return w.Code, w.Body.String()
}

// rows exports and fetches. It returns the status and the file, or why there is no file.
func (g tried) rows(body string, headers ...string) string {
	w := g.export(body, headers...)
	o, _ := decode(w.Body.Bytes())
	id, ok := o["file_id"].(string)
	if !ok {
		return fmt.Sprint("no file: ", w.Code)
	}
	status, text := g.fileOf(id, headers...)
	return fmt.Sprint(status, "\n", text)
}
