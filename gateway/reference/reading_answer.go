package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

func recordReadings() []reading {
	record := func(change func(q *call, r object)) effect { return effect{record: change} }
	text := func(field string, change func(string) string) effect {
		return record(func(_ *call, r object) { r[field] = onText(change)(r[field]) })
	}
	// dated writes the dates of both operations' answers in another way.
	dated := func(layout string) effect {
		now := func(q *call) string { return q.g.now().In(saoPaulo).Format(layout) }
		e := answered(exporting, "exported", func(q *call, a *reply) { a.body.(object)["created_at"] = now(q) })
		e.record = func(q *call, r object) { r["created_at"] = now(q) }
		return e
	}
	enveloped := answered(exporting, "exported", func(_ *call, a *reply) { envelop(a.body.(object)) })
	enveloped.record = func(_ *call, r object) { envelop(r) }
	return []reading{
		reads("enveloped", "answers lie in a member of the body", enveloped),
		reads("notation", "phone numbers and ZIP codes are answered as digits only", record(func(_ *call, r object) {
			r["phone_number"] = onText(digitsOf)(r["phone_number"])
			address := r["address"].(object)
			address["zip_code"] = onText(digitsOf)(address["zip_code"])
		})),
		reads("upper-names", "names are answered in capitals", text("name", strings.ToUpper)),
		reads("lower-email", "e-mail addresses are answered in lower case", text("email", strings.ToLower)),
		reads("zoneless-created", "created_at carries no zone and is São Paulo's", dated("2006-01-02T15:04:05")),
		reads("offset-created", "created_at carries the offset of São Paulo",
			dated("2006-01-02T15:04:05.000000-07:00")),
		reads("upper-ids", "UUIDs are answered in capitals", record(func(_ *call, r object) {
			for _, field := range []string{"id", "shareholder_id"} {
				r[field] = onText(strings.ToUpper)(r[field])
			}
		})),
		reads("plain-address-id", "the ID of an address is a number, as text",
			record(func(_ *call, r object) { r["address"].(object)["id"] = "1048576" })),
		reads("two-decimals", "percentages are answered with two decimals at least", record(func(_ *call, r object) {
			share, _ := r["participation_percentage"].(json.Number)
			whole, decimals, _ := strings.Cut(string(share), ".")
			if share != "" && len(decimals) < 2 && !strings.ContainsAny(whole, "eE") {
				r["participation_percentage"] = json.Number(whole + "." + (decimals + "00")[:2])
			}
		})),
		reads("more-fields", "the record carries fields that the document does not name",
			record(func(q *call, r object) {
				r["mother_name"], r["status"], r["links"] = q.values["mother_name"], "PENDING_DOCUMENTS", []any{}
			})),
		reads("plain-errors", "refusals are plain text", effect{reply: func(_ *call, a *reply) {
			if said, ok := a.body.(object); ok && said["error"] != nil {
				a.header.Set("Content-Type", "text/plain; charset=utf-8")
				a.body = []byte(fmt.Sprint(said["error"].(object)["message"]))
			}
		}}),
	}
}

func accessReadings() []reading {
	shareholder := []string{"create:shareholder_id.unknown", "create:shareholder_id.foreign"}
	return []reading{
		reads("shareholder-403", "a shareholder that may not be used is answered with 403",
			onDefects(shareholder, withStatus(http.StatusForbidden))),
		reads("shareholder-404", "a shareholder that may not be used is answered with 404",
			onDefects(shareholder, withStatus(http.StatusNotFound))),
		reads("gate", "a gateway in front answers 403 where no credential is sent",
			effect{around: func(q *call, next func()) {
				if q.operation == downloading || !q.withoutCredential() {
					next()
					return
				}
				q.w.Header().Set("Content-Type", "text/html")
				q.w.WriteHeader(http.StatusForbidden)
				_, _ = q.w.Write([]byte("<html><body>Request blocked.</body></html>"))
			}}),
		reads("deprecation", "answers to API keys carry Deprecation and Sunset", effect{reply: func(q *call, a *reply) {
			if _, sent := q.apiKey(); sent {
				a.header.Set("Deprecation", "@1735689600")
				a.header.Set("Sunset", "Thu, 31 Dec 2026 23:59:59 GMT")
			}
		}}),
		reads("either-credential", "one valid credential of two is enough",
			effect{authenticate: func(q *call, sender *user) *user {
				key := q.r.Header.Get("x-api-key")
				if sender == nil && key != "" && constantTimeEqual(key, q.g.tokens.apiKey) {
					return q.g.data.main
				}
				return sender
			}}),
		reads("exact-scheme", "the scheme of a token is spelt Bearer", banishes(func(q *call) bool {
			_, sent := q.bearer()
			return sent && !strings.HasPrefix(q.r.Header.Get("Authorization"), "Bearer ")
		})),
	}
}

func fileReadings() []reading {
	return []reading{
		reads("title-lines", "lines with a title and a date come before the titles of the columns",
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
	}
}
