package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

func recordReadings() faults {
	text := func(field string, change func(string) string) effect {
		return on(func(_ *call, r object) { r[field] = onText(change)(r[field]) })
	}
	// answers changes both operations' answers in one way.
	answers := func(change func(q *call, o object)) effect {
		return on(change).and(exported(func(q *call, a *reply) { change(q, a.body.(object)) }))
	}
	dated := func(layout string) effect {
		return answers(func(q *call, o object) { o["created_at"] = q.g.now().In(saoPaulo).Format(layout) })
	}
	return slices.Concat(
		reads("enveloped", "answers are nested in a member of the body", answers(func(_ *call, o object) { envelop(o) })),
		reads("notation", "phone numbers and ZIP codes are answered as digits only", on(func(_ *call, r object) {
			r["phone_number"] = onText(digitsOf)(r["phone_number"])
			address := r["address"].(object)
			address["zip_code"] = onText(digitsOf)(address["zip_code"])
		})),
		reads("upper-names", "names are answered in capitals", text("name", strings.ToUpper)),
		reads("lower-email", "e-mail addresses are answered in lower case", text("email", strings.ToLower)),
		reads("zoneless-created", "created_at has no zone and is São Paulo time", dated("2006-01-02T15:04:05")),
		reads("offset-created", "created_at has the offset of São Paulo",
			dated("2006-01-02T15:04:05.000000-07:00")),
		reads("upper-ids", "UUIDs are answered in capitals", on(func(_ *call, r object) {
			for _, field := range []string{"id", "shareholder_id"} {
				r[field] = onText(strings.ToUpper)(r[field])
			}
		})),
		reads("plain-address-id", "the ID of an address is a number, as text",
			on(func(_ *call, r object) { r["address"].(object)["id"] = "1048576" })),
		reads("two-decimals", "percentages are answered with at least two decimals", on(func(_ *call, r object) {
			share, _ := r["participation_percentage"].(json.Number)
			whole, decimals, _ := strings.Cut(string(share), ".")
			if share != "" && len(decimals) < 2 && !strings.ContainsAny(whole, "eE") {
				r["participation_percentage"] = json.Number(whole + "." + (decimals + "00")[:2])
			}
		})),
		reads("more-fields", "the record has undocumented fields",
			on(func(q *call, r object) {
				r["mother_name"], r["status"], r["links"] = q.values["mother_name"], "PENDING_DOCUMENTS", []any{}
			})),
		reads("plain-errors", "refusals are plain text", on(func(_ *call, a *reply) {
			if refusal := a.refusal(); refusal != nil {
				a.header.Set("Content-Type", "text/plain; charset=utf-8")
				a.body = []byte(fmt.Sprint(refusal["message"]))
			}
		})),
	)
}

func accessReadings() faults {
	shareholder := func(status int) effect {
		return onDefects(creating, []string{"shareholder_id.unknown", "shareholder_id.foreign"}, withStatus(status))
	}
	return slices.Concat(
		reads("shareholder-403", "a shareholder that may not be used is answered with 403",
			shareholder(http.StatusForbidden)),
		reads("shareholder-404", "a shareholder that may not be used is answered with 404",
			shareholder(http.StatusNotFound)),
		reads("later-documents", "a representative is not found by uploads until 300 ms after its creation",
			laterDocuments(300*time.Millisecond)),
		reads("gate", "a gateway in front answers 403 where no credential is sent",
			on(func(q *call, run *work) {
				if q.operation == downloading || !q.withoutCredential() {
					return
				}
				*run = func() {
					q.w.Header().Set("Content-Type", "text/html")
					q.w.WriteHeader(http.StatusForbidden)
					_, _ = q.w.Write([]byte("<html><body>Request blocked.</body></html>"))
				}
			})),
		reads("key-of-colleague", "the API key belongs to another user of the same legal person",
			on(func(q *call, s *sender) {
				if s.user == q.g.data.main && q.byAPIKey() {
					s.user = q.g.data.colleague
				}
			})),
		reads("deprecation", "answers to API keys carry Deprecation and Sunset", on(func(_ *call, a *reply) {
			a.header.Set("Deprecation", "@1735689600")
			a.header.Set("Sunset", "Thu, 31 Dec 2026 23:59:59 GMT")
		}).when((*call).byAPIKey)),
		reads("either-credential", "one valid credential of two is enough", admits(func(q *call) bool {
			key := q.r.Header.Get("x-api-key")
			return key == q.g.tokens.apiKey
		})),
		reads("wallets-of-one", "the on-behalf-of user shares the wallets of another legal person",
			opensWallets(func(q *call) bool {
				d, wallet := q.g.data, strings.ToLower(q.r.Header.Get("x-wallet-uuid"))
				return (q.runsAs == d.target || q.caller == d.other) &&
					slices.Contains(slices.Concat(d.target.person.wallets, d.other.person.wallets), wallet)
			})),
		reads("exact-scheme", "the scheme of a token has to be spelled Bearer", banishes(func(q *call) bool {
			_, sent := q.bearer()
			return sent && !strings.HasPrefix(q.r.Header.Get("Authorization"), "Bearer ")
		})),
	)
}

func fileReadings() faults {
	onTable := func(change func(rows [][]string) [][]string) effect {
		return on(func(_ *call, rows *table) { *rows = change(*rows) })
	}
	return slices.Concat(
		reads("new-quotes", "a new quote comes in with each twentieth export, and an older one is settled", newQuotes()),
		reads("title-lines", "lines with a title and a date come before the column titles",
			onTable(func(rows [][]string) [][]string {
				return append([][]string{{"Extrato de cotações"}, {"Gerado em", "2026-01-31"}, {""}}, rows...)
			})),
		reads("settled-day", "settled dates are days without a time", onTable(func(rows [][]string) [][]string {
			for _, row := range rows[1:] {
				row[4] = row[4][:min(len(time.DateOnly), len(row[4]))]
			}
			return rows
		})),
		reads("more-columns", "the file has columns before those that the rules need",
			onTable(func(rows [][]string) [][]string {
				for i, row := range rows {
					rows[i] = append([]string{fmt.Sprint(i), "quote"}, row...)
				}
				return rows
			})),
	)
}

// laterDocuments refuses uploads for representatives that are younger.
func laterDocuments(age time.Duration) effect {
	var made sync.Map // time by ID
	return on(func(_ *call, r object) { made.Store(r["id"], time.Now()) }).and(on(func(q *call, found *defects) {
		if at, known := made.Load(strings.ToLower(q.r.PathValue("id"))); known && time.Since(at.(time.Time)) < age {
			*found = append(*found, issue{Key: "representative.new", status: http.StatusNotFound})
		}
	}).of(documenting))
}

// newQuotes come in while exports are made. What a file holds stays what it was when it was asked for.
func newQuotes() effect {
	var exports atomic.Int64
	var mu sync.Mutex
	var fresh []quote
	return exported(func(q *call, _ *reply) {
		if exports.Add(1)%20 != 0 {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		now, one := q.g.now().UTC(), q.owner().quotes[len(fresh)%len(q.owner().quotes)]
		one.id, one.created, one.settled = uuid.NewString(), now, time.Time{}
		if len(fresh) > 0 {
			fresh[len(fresh)-1].settled = now
		}
		fresh = append(fresh, one)
	}).and(on(func(q *call, c *choice) {
		mu.Lock()
		defer mu.Unlock()
		for _, one := range fresh {
			if !one.created.Before(q.file.Created) || !slices.Contains(q.owner().wallets, one.wallet) {
				continue
			}
			if !one.settled.Before(q.file.Created) {
				one.settled = time.Time{}
			}
			c.from = append(c.from[:len(c.from):len(c.from)], one)
		}
	}))
}
