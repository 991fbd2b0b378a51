package reference

import (
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
	if !uuidV4Shape.MatchString(answer["file_id"].(string)) || answer["created_at"] != "2026-03-04T05:06:07.000Z" ||
		answer["file_state"].(object)["state"] != "PROCESSING" {
		t.Fatalf("answer: %v", answer)
	}
	id := answer["file_id"].(string)
	if status, text := g.fileOf(id); status != 200 || !strings.Contains(text, `"PROCESSING"`) {
		t.Errorf("before it is ready: %d %s", status, text)
	}
	g.clock.at = g.clock.at.Add(time.Second)
	status, text := g.fileOf(id)
	if status != 200 || !strings.HasPrefix(text, "id,client_id,wallet_id,quote_created_at,settled_date") {
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

// idsOf exports and gives the IDs of the rows in order.
func (g tried) idsOf(t rapid.TB, body object, headers ...string) []string {
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
	rapid.Check(t, func(t *rapid.T) {
		sort := rapid.SampledFrom([]string{"", byCreated, bySettled}).Draw(t, "sort")
		order := rapid.SampledFrom([]string{"", "asc", "desc"}).Draw(t, "order")
		wallet := rapid.SampledFrom([]string{"", owner.wallets[0], owner.wallets[1]}).Draw(t, "wallet")
		client := rapid.SampledFrom([]string{"", g.data.client, "nobody"}).Draw(t, "client")
		bound := func(name string) (time.Time, bool) {
			if rapid.Bool().Draw(t, name+" is open") {
				return time.Time{}, false
			}
			q := rapid.SampledFrom(owner.quotes).Draw(t, name)
			nudge := rapid.SampledFrom([]time.Duration{
				0, 1, -1, time.Millisecond, -time.Millisecond,
				time.Hour,
			}).Draw(t, name+" nudge")
			zone := time.FixedZone("", rapid.SampledFrom([]int{0, -3, 14, -12}).Draw(t, name+" zone")*3600+1800)
			date := q.created
			if sort == bySettled {
				date = q.settled
			}
			return date.Add(nudge).In(zone), true
		}
		start, hasStart := bound("start")
		end, hasEnd := bound("end")

		body := object{}
		for key, value := range map[string]string{"sort": sort, "order": order} {
			if value != "" {
				body[key] = value
			}
		}
		if client != "" {
			body["filter_type"], body["filter_text"] = "client_id", client
		}
		if hasStart {
			body["date_start"] = start.Format(time.RFC3339Nano)
		}
		if hasEnd {
			body["date_end"] = end.Format(time.RFC3339Nano)
		}

		dateOf := map[string]time.Time{}
		var want []string
		for _, q := range owner.quotes {
			date := q.created
			if sort == bySettled {
				date = q.settled
			}
			dateOf[q.id] = date
			inWallet := q.product == owner.products[0] &&
				(q.wallet == wallet || wallet == "" && q.wallet == owner.wallets[0])
			if inWallet && (client == "" || q.client == client) &&
				(!hasStart || date.UnixNano() >= start.UnixNano()) && (!hasEnd || date.UnixNano() < end.UnixNano()) {
				want = append(want, q.id)
			}
		}
		got := g.idsOf(t, body, "x-wallet-uuid", wallet)
		inOrder := slices.IsSortedFunc(got, func(a, b string) int {
			if order == "asc" {
				return dateOf[a].Compare(dateOf[b])
			}
			return dateOf[b].Compare(dateOf[a])
		})
		if !inOrder {
			t.Fatalf("%v: rows out of order", body)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%v: got %d rows, want %d", body, len(got), len(want))
		}
	})
}
