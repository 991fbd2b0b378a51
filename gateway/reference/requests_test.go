package reference

import (
	"cmp"
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestWhoMayUseAShareholder(t *testing.T) {
	g := try(t, Choices{})
	target := []string{
		"x-product-uuid", g.data.main.person.products[0], "x-product-target-user-uuid",
		g.data.target.id,
	}
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
		"in another product": {
			g.data.shareholder, []string{"x-product-uuid", g.data.main.person.products[1]}, 201,
		},
		"revoked key": {
			g.data.shareholder, []string{"Authorization", "-", "x-api-key", g.tokens.revokedKey}, 401,
		},
	} {
		person := g.person()
		person["shareholder_id"] = c.shareholder
		testmust.Equal(t, g.createText(jsonOf(person), c.headers...).Code, c.want, name)
	}
	apart := try(t, Choices{Readings: []string{"target-apart"}})
	testmust.Equal(t, apart.createText(jsonOf(apart.person()), target...).Code,
		400, "a target user who may not use the shareholder")
}

func TestExportAnswer(t *testing.T) {
	g := try(t, Choices{FileDelay: time.Second})
	answer := objectOf(t, g.export("{}"))
	if !uuidV4Pattern.MatchString(answer["file_id"].(string)) ||
		answer["created_at"] != "2026-03-04T05:06:07.000Z" ||
		answer["file_state"].(jsonObject)["state"] != "PROCESSING" {
		t.Fatalf("answer: %v", answer)
	}
	id := answer["file_id"].(string)
	if status, text := g.fileOf(id); status != 200 || !strings.Contains(text, `"PROCESSING"`) {
		t.Errorf("before it is ready: %d %s", status, text)
	}
	g.clock.at = g.clock.at.Add(time.Second)
	status, text := g.fileOf(id)
	if status != 200 ||
		!strings.HasPrefix(text, "id,client_id,wallet_id,quote_created_at,settled_date") {
		t.Errorf("when it is ready: %d %.80s", status, text)
	}
	for name, token := range map[string]string{
		"another user":                          g.tokens.other,
		"another user of the same legal person": g.tokens.unprivileged,
	} {
		if status, _ := g.fileOf(id, "Authorization", "Bearer "+token); status != 404 {
			t.Errorf("%s: %d, want 404", name, status)
		}
	}
	if status, _ := g.fileOf(id, "Authorization", "-"); status != 401 {
		t.Errorf("without a credential: %d, want 401", status)
	}
	if status, _ := g.fileOf(id, "nonce", "-"); status != 400 {
		t.Errorf("without a nonce: %d, want 400", status)
	}
}

// idsOf exports and returns the IDs of the rows in order.
func (g tried) idsOf(t rapid.TB, body jsonObject, headers ...string) []string {
	text := g.rows(jsonOf(body), headers...)
	status, text, _ := strings.Cut(text, "\n")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if status != "200" || err != nil {
		t.Fatalf("%v: %s %v", body, status, err)
	}
	var ids []string
	for _, row := range rows[1:] {
		ids = append(ids, row[0])
	}
	return ids
}

func TestRangesAgreeWithAModel(t *testing.T) {
	g := try(t, Choices{})
	owner := g.data.main.person
	dateOf := func(q quote, sort string) time.Time {
		if sort == sortBySettled {
			return q.settled
		}
		return q.created
	}
	rapid.Check(t, func(t *rapid.T) {
		body := jsonObject{}
		oneOf := func(field string, values ...string) string {
			value := rapid.SampledFrom(append(values, "")).Draw(t, field)
			if value != "" {
				body[field] = value
			}
			return value
		}
		sort, order := oneOf("sort", sortByCreated, sortBySettled), oneOf("order", "asc", "desc")
		wallet := rapid.SampledFrom(append(owner.wallets, "")).Draw(t, "wallet")
		client := oneOf("filter_text", g.data.client, "nobody")
		if client != "" {
			body["filter_type"] = "client_id"
		}
		bound := func(field string) (at time.Time) {
			if rapid.Bool().Draw(t, field+" is given") {
				at = dateOf(rapid.SampledFrom(owner.quotes).Draw(t, field),
					sort).Add(rapid.SampledFrom([]time.Duration{
					0, 1, -1, time.Millisecond, -time.Millisecond, time.Hour,
				}).Draw(t, field+" nudge"))
				zone := time.FixedZone("",
					rapid.SampledFrom([]int{0, -3, 14, -12}).Draw(t, field+" zone")*3600+1800)
				body[field] = at.In(zone).Format(time.RFC3339Nano)
			}
			return at
		}
		start, end := bound("date_start"), bound("date_end")

		dates, want := map[string]time.Time{}, []string(nil)
		for _, q := range owner.quotes {
			date := dateOf(q, sort)
			dates[q.id] = date
			if q.product == owner.products[0] && q.wallet == cmp.Or(wallet, owner.wallets[0]) &&
				(client == "" || q.client == client) && !date.Before(start) &&
				(end.IsZero() || date.Before(end)) {
				want = append(want, q.id)
			}
		}
		got := g.idsOf(t, body, "x-wallet-uuid", wallet)
		if !slices.IsSortedFunc(got, func(a, b string) int {
			if order == "asc" {
				return dates[a].Compare(dates[b])
			}
			return dates[b].Compare(dates[a])
		}) {
			t.Fatalf("%v: rows out of order", body)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%v: got %d rows, want %d", body, len(got), len(want))
		}
	})
}

// FuzzRequest checks that the gateway answers every request, and never with a server error.
func FuzzRequest(f *testing.F) {
	g := try(f, Choices{})
	f.Add(createPath, jsonOf(g.person()), "application/json", "pt-BR")
	f.Add(
		exportPath,
		`{"quote_created_at":{"gte":"2025-01-01T00:00:00Z","lt":"2025-02-01T00:00:00Z"},"sort":[{"field":"id"}]}`,
		"application/json; charset=utf-8",
		"en-US",
	)
	f.Add("/users/legal-representatives/x/documents",
		"--b\r\nContent-Disposition: form-data; name=\"selfie\"; filename=\"a\"\r\n\r\nx\r\n--b--",
		"multipart/form-data; boundary=b", "")
	f.Add("/v1/files/%2e%2e?x", "{}", "text/plain", "\x00")
	f.Fuzz(func(t *testing.T, path, body, media, language string) {
		_, err := http.NewRequest(http.MethodPost, "http://x/"+strings.TrimPrefix(path, "/"), nil)
		if err != nil || strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return // no server receives such a path
		}
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			w := g.send(method, "http://x/"+strings.TrimPrefix(path, "/"), strings.NewReader(body),
				"Content-Type", media, "x-lang", language, "x-transaction-uuid", uuid.NewString())
			if w.Code == 0 || w.Code >= 500 {
				t.Errorf("%s: %d %s", method, w.Code, w.Body)
			}
		}
	})
}
