package reference

import (
	"cmp"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

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
